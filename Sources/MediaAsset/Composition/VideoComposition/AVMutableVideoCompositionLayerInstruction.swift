public import Foundation
public import MediaCore
internal import Synchronization

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
