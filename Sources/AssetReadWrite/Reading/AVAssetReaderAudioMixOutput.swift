public import MediaAsset
internal import MediaCore
package import MediaEngine
internal import SampleBuffers
internal import Synchronization

/// Reads the sound of several tracks of an asset, mixed.
///
/// Sound goes on without gaps from the beginning of what is read to the end of the longest track: where all are silent, or
/// a file lacks sound, samples are zero. Each track is as loud as ``audioMix`` says.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
    // @unchecked Sendable: settings are read only, and hold what a client does not change; the rest is behind a lock.

    private struct Mixing {
        var mix: AVAudioMix?
        var pitch = AVAudioTimePitchAlgorithm.spectral
    }

    /// The tracks that are mixed.
    public let audioTracks: [AVAssetTrack]
    /// What samples are to be; `nil` for PCM as it is mixed.
    public let audioSettings: [String: Any]?
    private let mixing = Mutex(Mixing())

    /// An output for the sound of some tracks.
    ///
    /// - Parameters:
    ///   - audioTracks: Tracks of the reader's asset, at least one, enabled or not.
    ///   - audioSettings: `AVFormatIDKey` with `kAudioFormatLinearPCM`, `AVSampleRateKey`, `AVNumberOfChannelsKey`,
    ///     `AVChannelLayoutKey` and `AVLinearPCM…`; rate and channels are otherwise those of the richest track. `nil` is as
    ///     an empty dictionary.
    public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
        (self.audioTracks, self.audioSettings) = (audioTracks, audioSettings)
        super.init()
    }

    /// Sound.
    open override var mediaType: AVMediaType { .audio }

    /// How loud tracks are; `nil`, the default, for as loud as they are.
    ///
    /// A copy is taken when it is set.
    open var audioMix: AVAudioMix? {
        get { mixing.withLock { $0.mix } }
        set {
            let copy = newValue.map { $0.copy() as? AVAudioMix ?? $0 }
            mixing.withLock { $0.mix = copy }
        }
    }

    /// How the speed of sound is changed where a composition does that, and the mix does not say it.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { mixing.withLock { $0.pitch } }
        set { mixing.withLock { $0.pitch = newValue } }
    }

    override func check(for asset: AVAsset) throws {
        try asset.check(audioTracks, are: .audio)
        _ = try SoundOutputSettings(audioSettings ?? [:])
    }

    override func makeFeed(_ request: SampleRequest) throws -> any SampleFeeding {
        var composed = ComposedRequest(request, trackIDs: Set(audioTracks.map(\.trackID)))
        (composed.rendering.audioMix, composed.rendering.timePitch) = mixing.withLock { ($0.mix, $0.pitch) }
        return try SoundSamples(
            composed, SoundOutputSettings(audioSettings ?? [:]),
            channels: audioTracks.compactMap { $0.track.audio?.channels }.max())
    }
}

extension AVAsset {
    /// Fails if tracks cannot be those of an output that reads several.
    func check(_ tracks: [AVAssetTrack], are mediaType: AVMediaType) throws {
        guard !tracks.isEmpty else {
            throw AVError(.incorrectlyConfigured, reason: "the output has no tracks")
        }
        guard tracks.allSatisfy({ $0.source === source }) else {
            throw AVError(.incorrectlyConfigured, reason: "the output's tracks are some of another asset")
        }
        guard tracks.allSatisfy({ $0.mediaType == mediaType }) else {
            throw AVError(.incorrectlyConfigured, reason: "the output's tracks are not all of \(mediaType.name)")
        }
    }
}
