public import Foundation
public import MediaCore
internal import Synchronization

/// How one track's pictures are placed, cut and faded in the composed ones, over time.
///
/// Immutable unless it is an ``AVMutableVideoCompositionLayerInstruction``, and safe to share then too. Transforms map
/// the pictures, in pixels of the size that they are shown in, to the composed picture; the origin is the top left
/// corner of both, and y goes down.
open class AVVideoCompositionLayerInstruction: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: all state is behind the lock in `state`.

    let state: Mutex<Configuration>

    /// An instruction with what a configuration says.
    public init(configuration: Configuration) {
        state = Mutex(configuration)
        super.init()
    }

    /// An instruction for no track, which changes nothing.
    public override init() {
        state = Mutex(Configuration())
        super.init()
    }

    /// What the instruction says, as it is now.
    package var configuration: Configuration { state.withLock { $0 } }

    /// The number of the track whose pictures are placed.
    open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

    // MARK: Ramps by pointers

    /// Finds the ramp of the transform in whose range a time lies, else the first one after it.
    ///
    /// Times are on the asset's timeline.
    ///
    /// A transform that was set at a time is a ramp up to the next one, the last of them without end.
    ///
    /// - Parameters:
    ///   - startTransform: Gets the transform at the ramp's start.
    ///   - endTransform: Gets the transform at the ramp's end.
    ///   - timeRange: Gets the ramp's range.
    /// - Returns: False, with nothing written, after the last ramp, and if there is none.
    open func getTransformRamp(
        for time: CMTime, start startTransform: UnsafeMutablePointer<CGAffineTransform>?,
        end endTransform: UnsafeMutablePointer<CGAffineTransform>?, timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        configuration.transforms.ramp(at: time).write(startTransform, endTransform, timeRange)
    }

    /// Finds the ramp of the opacity in whose range a time lies, else the first one after it.
    ///
    /// Times are on the asset's timeline.
    ///
    /// An opacity that was set at a time is a ramp up to the next one, the last of them without end.
    ///
    /// - Parameters:
    ///   - startOpacity: Gets the opacity at the ramp's start.
    ///   - endOpacity: Gets the opacity at the ramp's end.
    ///   - timeRange: Gets the ramp's range.
    /// - Returns: False, with nothing written, after the last ramp, and if there is none.
    open func getOpacityRamp(
        for time: CMTime, startOpacity: UnsafeMutablePointer<Float>?, endOpacity: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        configuration.opacities.ramp(at: time).write(startOpacity, endOpacity, timeRange)
    }

    /// Finds the ramp of the crop rectangle in whose range a time lies, else the first one after it.
    ///
    /// Times are on the asset's timeline.
    ///
    /// A rectangle that was set at a time is a ramp up to the next one, the last of them without end.
    ///
    /// - Parameters:
    ///   - startCropRectangle: Gets the rectangle at the ramp's start.
    ///   - endCropRectangle: Gets the rectangle at the ramp's end.
    ///   - timeRange: Gets the ramp's range.
    /// - Returns: False, with nothing written, after the last ramp, and if there is none.
    open func getCropRectangleRamp(
        for time: CMTime, startCropRectangle: UnsafeMutablePointer<CGRect>?,
        endCropRectangle: UnsafeMutablePointer<CGRect>?, timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        configuration.cropRectangles.ramp(at: time).write(startCropRectangle, endCropRectangle, timeRange)
    }

    // MARK: Copies

    /// An immutable copy of the instruction as it is now.
    open func copy(with zone: NSZone? = nil) -> Any { AVVideoCompositionLayerInstruction(configuration: configuration) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableVideoCompositionLayerInstruction(configuration: configuration)
    }

    /// The track's number, for debugging.
    open override var description: String { "\(Self.self)(trackID: \(trackID))" }
}

extension Optional {
    /// Gives the ramp to those who asked for parts of it; false if there is none.
    func write<Value>(
        _ start: UnsafeMutablePointer<Value>?, _ end: UnsafeMutablePointer<Value>?,
        _ timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool where Wrapped == Ramp<Value> {
        guard let self else { return false }
        start?.pointee = self.start
        end?.pointee = self.end
        timeRange?.pointee = self.timeRange
        return true
    }
}

/// How one track's pictures are placed, cut and faded in the composed ones, which can be changed.
///
/// What is set at a time holds until the next time for which something is set, and what a ramp has reached holds then
/// too. Before the first of them the transform is the identity, the opacity 1, and nothing is cut. Copies do not follow
/// later changes.
///
/// Where a ramp overlaps what was set before, it replaces it, and what is left of that on either side stays. Of a ramp
/// that is under way when another value is set, nothing remains. Times that are not numeric change nothing.
///
/// - Note: AVFoundation raises an exception for ramps that overlap. It deprecates the class in favour of
///   ``AVVideoCompositionLayerInstruction/Configuration``, which is there as well.
open class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction, @unchecked Sendable {
    /// An instruction that places the pictures of a track unchanged.
    public convenience init(assetTrack track: AVAssetTrack) {
        self.init(configuration: Configuration(assetTrack: track))
    }

    /// The number of the track whose pictures are placed; ``kCMPersistentTrackID_Invalid`` until set.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    /// Places the pictures by a transform from a time on, until the next one that is set.
    ///
    /// - Parameters:
    ///   - transform: From the pictures' pixels to the composed ones', from the top left.
    ///   - time: A numeric time on the composition's timeline.
    open func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
        state.withLock { $0.setTransform(transform, at: time) }
    }

    /// Has the transform go from one to another during a range, each of its six numbers evenly; the second one holds
    /// afterwards.
    ///
    /// Ranges are on the asset's timeline.
    open func setTransformRamp(
        fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange
    ) {
        state.withLock {
            $0.addTransformRamp(TransformRamp(timeRange: timeRange, start: startTransform, end: endTransform))
        }
    }

    /// Makes the pictures as opaque as said from a time on, until the next value that is set.
    ///
    /// - Parameters:
    ///   - opacity: From 0 to 1; what lies outside counts as the nearer of the two.
    ///   - time: A numeric time on the composition's timeline.
    open func setOpacity(_ opacity: Float, at time: CMTime) { state.withLock { $0.setOpacity(opacity, at: time) } }

    /// Has the opacity go evenly from one value to another during a range; the second one holds afterwards.
    ///
    /// Ranges are on the asset's timeline.
    open func setOpacityRamp(
        fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
    ) {
        state.withLock {
            $0.addOpacityRamp(OpacityRamp(timeRange: timeRange, start: startOpacity, end: endOpacity))
        }
    }

    /// Cuts the pictures to a rectangle from a time on, until the next one that is set.
    ///
    /// They are cut before they are transformed. A part of a pixel that is left counts as such a part of it.
    ///
    /// - Parameters:
    ///   - cropRectangle: In pixels from the pictures' top left corner; what lies outside of them is none of it.
    ///   - time: A numeric time on the composition's timeline.
    open func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
        state.withLock { $0.setCropRectangle(cropRectangle, at: time) }
    }

    /// Has the crop rectangle go from one to another during a range, origin and size evenly, those of empty ones too;
    /// the second one holds afterwards.
    ///
    /// Ranges are on the asset's timeline.
    open func setCropRectangleRamp(
        fromStartCropRectangle startCropRectangle: CGRect, toEndCropRectangle endCropRectangle: CGRect,
        timeRange: CMTimeRange
    ) {
        state.withLock {
            $0.addCropRectangleRamp(
                CropRectangleRamp(timeRange: timeRange, start: startCropRectangle, end: endCropRectangle))
        }
    }
}

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

        var transforms = RampTimeline(initial: CGAffineTransform.identity)
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

/// How a layer's picture is placed at one time.
package struct LayerPlacement: Equatable, Sendable {
    /// From the picture's pixels to those of the composed one.
    package var transform: CGAffineTransform
    /// From 0 to 1.
    package var opacity: Float
    /// What is left of the picture, in its own pixels; infinite for all of it.
    package var cropRectangle: CGRect

    package init(transform: CGAffineTransform, opacity: Float, cropRectangle: CGRect) {
        (self.transform, self.opacity, self.cropRectangle) = (transform, opacity, cropRectangle)
    }
}

extension AVVideoCompositionLayerInstruction.Configuration {
    /// How the picture is placed at a time of the composition.
    package func placement(at time: CMTime) -> LayerPlacement {
        let opacity = opacities.value(at: time)
        return LayerPlacement(
            transform: transforms.value(at: time), opacity: opacity > 0 ? min(opacity, 1) : 0,
            cropRectangle: cropRectangles.value(at: time))
    }

    /// Whether the picture is placed alike all through a range.
    func isConstant(over range: CMTimeRange) -> Bool {
        transforms.isConstant(over: range) && opacities.isConstant(over: range)
            && cropRectangles.isConstant(over: range)
    }

    /// Whether nothing is said but the track.
    var isPlain: Bool { transforms.isEmpty && opacities.isEmpty && cropRectangles.isEmpty }
}
