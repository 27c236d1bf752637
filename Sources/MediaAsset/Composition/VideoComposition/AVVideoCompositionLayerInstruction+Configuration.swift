public import Foundation
public import MediaCore

extension AVVideoCompositionLayerInstruction {
    /// What a layer instruction says, as a value.
    ///
    /// What is set at a time holds until the next time for which something is set, and what a ramp has reached holds
    /// then too. Before the first of them the transform is the identity, the opacity 1, and nothing is cut.
    ///
    /// Where a ramp overlaps what was set before, it replaces it, and what is left of that on either side stays. Of a
    /// ramp that is under way when another value is set, nothing remains. Times that are not numeric change nothing; an
    /// empty range sets the second value at its start, an endless one the first.
    ///
    /// - Note: AVFoundation raises an exception for ramps that overlap.
    public struct Configuration: Sendable {
        /// The number of the track whose pictures are placed.
        public var trackID: CMPersistentTrackID

        package var transforms = RampTimeline(initial: CGAffineTransform.identity)
        package var opacities = RampTimeline(initial: Float(1))
        package var cropRectangles = RampTimeline(initial: CGRect.infinite)

        /// Places the pictures of a track unchanged.
        public init(trackID: CMPersistentTrackID = .zero) { self.trackID = trackID }

        /// Places the pictures of a track unchanged.
        public init(assetTrack: AVAssetTrack) { self.init(trackID: assetTrack.trackID) }

        // MARK: Getting

        /// The ramp of the transform in whose range a time lies, else the first one after it; `nil` after the last.
        ///
        /// Times are on the asset's timeline.
        public func transformRamp(at time: CMTime) -> TransformRamp? {
            transforms.ramp(at: time).map { TransformRamp(timeRange: $0.timeRange, start: $0.start, end: $0.end) }
        }

        /// The ramp of the opacity in whose range a time lies, else the first one after it; `nil` after the last.
        ///
        /// Times are on the asset's timeline.
        public func opacityRamp(at time: CMTime) -> OpacityRamp? {
            opacities.ramp(at: time).map { OpacityRamp(timeRange: $0.timeRange, start: $0.start, end: $0.end) }
        }

        /// The ramp of the crop rectangle in whose range a time lies, else the first one after it; `nil` after the last.
        ///
        /// Times are on the asset's timeline.
        public func cropRectangleRamp(at time: CMTime) -> CropRectangleRamp? {
            cropRectangles.ramp(at: time).map {
                CropRectangleRamp(timeRange: $0.timeRange, start: $0.start, end: $0.end)
            }
        }

        // MARK: Setting

        /// Places the pictures by a transform from a time on.
        ///
        /// Times are on the asset's timeline.
        public mutating func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
            transforms.set(transform, at: time)
        }

        /// Has the transform go from one to another, each of its six numbers evenly.
        public mutating func addTransformRamp(_ ramp: TransformRamp) {
            transforms.setRamp(from: ramp.start, to: ramp.end, during: ramp.timeRange)
        }

        /// Makes the pictures as opaque as said from a time on.
        ///
        /// Times are on the asset's timeline.
        ///
        /// - Parameter opacity: From 0 to 1; what lies outside counts as the nearer of the two.
        public mutating func setOpacity(_ opacity: Float, at time: CMTime) { opacities.set(opacity, at: time) }

        /// Has the opacity go evenly from one value to another.
        public mutating func addOpacityRamp(_ ramp: OpacityRamp) {
            opacities.setRamp(from: ramp.start, to: ramp.end, during: ramp.timeRange)
        }

        /// Cuts the pictures to a rectangle from a time on, before they are transformed.
        ///
        /// Times are on the asset's timeline.
        ///
        /// - Parameter rect: In pixels from the pictures' top left corner; what lies outside of them is none of it.
        public mutating func setCropRectangle(_ rect: CGRect, at time: CMTime) { cropRectangles.set(rect, at: time) }

        /// Has the crop rectangle go from one to another, origin and size evenly.
        public mutating func addCropRectangleRamp(_ ramp: CropRectangleRamp) {
            cropRectangles.setRamp(from: ramp.start, to: ramp.end, during: ramp.timeRange)
        }
    }

    /// A transform that goes from one to another.
    public struct TransformRamp: Equatable, Sendable {
        /// When it does.
        ///
        /// Ranges are on the asset's timeline.
        public var timeRange: CMTimeRange
        /// The transform at the range's start.
        public var start: CGAffineTransform
        /// The transform at the range's end.
        public var end: CGAffineTransform
        /// A ramp over a range.
        ///
        /// Ranges are on the asset's timeline.
        public init(timeRange: CMTimeRange, start: CGAffineTransform, end: CGAffineTransform) {
            (self.timeRange, self.start, self.end) = (timeRange, start, end)
        }
    }

    /// An opacity that goes from one value to another.
    public struct OpacityRamp: Equatable, Sendable {
        /// When it does.
        ///
        /// Ranges are on the asset's timeline.
        public var timeRange: CMTimeRange
        /// The opacity at the range's start, from 0 to 1.
        public var start: Float
        /// The opacity at the range's end, from 0 to 1.
        public var end: Float
        /// A ramp over a range.
        ///
        /// Ranges are on the asset's timeline.
        public init(timeRange: CMTimeRange, start: Float, end: Float) {
            (self.timeRange, self.start, self.end) = (timeRange, start, end)
        }
    }

    /// A crop rectangle that goes from one to another.
    public struct CropRectangleRamp: Equatable, Sendable {
        /// When it does.
        ///
        /// Ranges are on the asset's timeline.
        public var timeRange: CMTimeRange
        /// The rectangle at the range's start.
        public var start: CGRect
        /// The rectangle at the range's end.
        public var end: CGRect
        /// A ramp over a range.
        ///
        /// Ranges are on the asset's timeline.
        public init(timeRange: CMTimeRange, start: CGRect, end: CGRect) {
            (self.timeRange, self.start, self.end) = (timeRange, start, end)
        }
    }

    /// The ramp of the transform in whose range a time lies, else the first one after it; `nil` after the last.
    ///
    /// Times are on the asset's timeline.
    public func transformRamp(at time: CMTime) -> TransformRamp? { configuration.transformRamp(at: time) }

    /// The ramp of the opacity in whose range a time lies, else the first one after it; `nil` after the last.
    ///
    /// Times are on the asset's timeline.
    public func opacityRamp(at time: CMTime) -> OpacityRamp? { configuration.opacityRamp(at: time) }

    /// The ramp of the crop rectangle in whose range a time lies, else the first one after it; `nil` after the last.
    ///
    /// Times are on the asset's timeline.
    public func cropRectangleRamp(at time: CMTime) -> CropRectangleRamp? { configuration.cropRectangleRamp(at: time) }
}
