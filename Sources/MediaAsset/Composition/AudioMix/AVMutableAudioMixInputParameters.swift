public import MediaCore
internal import Synchronization

/// How loud one track is in a mix, which can be changed.
///
/// A volume that is set at a time holds until the next time for which one is set, and what a ramp has reached holds
/// then too; before the first of them it is 1. Copies do not follow later changes.
///
/// Where a ramp overlaps what was set before, it replaces it, and what is left of that on either side stays. Of a ramp
/// that is under way when another volume is set, nothing remains. Times that are not numeric change nothing; an empty
/// range sets the second volume at its start, an endless one the first.
///
/// - Note: AVFoundation raises an exception for ramps that overlap.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    /// Parameters of a track, of none for `nil`, which change nothing.
    public convenience init(track: AVAssetTrack?) {
        self.init()
        trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
    }

    /// The number of the track that they are of; ``kCMPersistentTrackID_Invalid`` until set.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    /// How the track becomes faster or slower; `nil`, the default, for the way of whoever plays or exports it.
    open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
        get { super.audioTimePitchAlgorithm }
        set { state.withLock { $0.timePitchAlgorithm = newValue } }
    }

    /// Makes the track as loud as said from a time on, until the next volume that is set.
    ///
    /// - Parameters:
    ///   - volume: What samples are multiplied by, from 0 to 1; above 1 for more than the track's own.
    ///   - time: A numeric time on the asset's timeline.
    open func setVolume(_ volume: Float, at time: CMTime) { state.withLock { $0.volumes.set(volume, at: time) } }

    /// Has the volume go evenly from one value to another during a range; the second one holds afterwards.
    ///
    /// Ranges are on the asset's timeline.
    open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
        state.withLock { $0.volumes.setRamp(from: startVolume, to: endVolume, during: timeRange) }
    }
}
