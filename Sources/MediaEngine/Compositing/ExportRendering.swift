package import MediaAsset

/// How an asset's tracks become one picture and one sound, where that is said.
package struct ExportRendering: Sendable {
    /// How pictures are composed; `nil` to show them as they are.
    package var composing: VideoComposing?
    /// How loud tracks are; `nil` for as loud as they are.
    package var audioMix: AVAudioMix?
    /// How the speed of sound is changed, where its track does not say it.
    package var timePitch = AVAudioTimePitchAlgorithm.spectral

    package init() {}

    /// Whether there is something to do that is done on compositions only.
    package var isNeeded: Bool { composing != nil || audioMix != nil }

    /// How loud a track is; `nil` for as loud as it is.
    package func volume(of trackID: CMPersistentTrackID) -> RampTimeline<Float>? {
        let volumes = audioMix?.parameters(ofTrack: trackID)?.values.volumes
        return volumes?.isEmpty == false ? volumes : nil
    }

    /// How the speed of a track's sound is changed.
    package func timePitch(of trackID: CMPersistentTrackID) -> AVAudioTimePitchAlgorithm {
        audioMix?.parameters(ofTrack: trackID)?.audioTimePitchAlgorithm ?? timePitch
    }
}
