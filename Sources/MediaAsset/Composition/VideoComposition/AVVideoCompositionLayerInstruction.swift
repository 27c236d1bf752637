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
