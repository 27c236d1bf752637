public import Foundation
public import MediaCore
internal import Synchronization

/// How loud one track is in a mix, over time.
///
/// Immutable unless it is an ``AVMutableAudioMixInputParameters``, and safe to share then too. Before the first time for
/// which a volume is set it is 1, and after the last one the last.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: all state is behind the lock in `state`.

    /// What the parameters say, as a value.
    package struct State: Sendable {
        package var trackID = kCMPersistentTrackID_Invalid
        package var volumes = RampTimeline(initial: Float(1))
        package var timePitchAlgorithm: AVAudioTimePitchAlgorithm?
    }

    let state: Mutex<State>

    package init(state: State) {
        self.state = Mutex(state)
        super.init()
    }

    /// Parameters of no track, which change nothing.
    public override init() {
        state = Mutex(State())
        super.init()
    }

    /// What the parameters say, as it is now.
    package var values: State { state.withLock { $0 } }

    /// The number of the track that they are of.
    open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

    /// How the track becomes faster or slower; `nil` for the way of whoever plays or exports it.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { state.withLock { $0.timePitchAlgorithm } }

    /// Finds the ramp of the volume in whose range a time lies, else the first one after it.
    ///
    /// Times are on the asset's timeline.
    ///
    /// A volume that was set at a time is a ramp up to the next one, the last of them without end.
    ///
    /// - Parameters:
    ///   - startVolume: Gets the volume at the ramp's start.
    ///   - endVolume: Gets the volume at the ramp's end.
    ///   - timeRange: Gets the ramp's range.
    /// - Returns: False, with nothing written, after the last ramp, and if there is none.
    open func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        values.volumes.ramp(at: time).write(startVolume, endVolume, timeRange)
    }

    // MARK: Copies

    /// An immutable copy of the parameters as they are now.
    open func copy(with zone: NSZone? = nil) -> Any { AVAudioMixInputParameters(state: values) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMixInputParameters(state: values) }

    /// The track's number, for debugging.
    open override var description: String { "\(Self.self)(trackID: \(trackID))" }
}
