public import MediaAsset
internal import MediaCore
internal import SampleBuffers
internal import Synchronization

/// Reads one track of an asset.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // @unchecked Sendable: settings are read only, and hold what a client does not change; the rest is behind a lock.

    /// The track that is read.
    public let track: AVAssetTrack
    /// What samples are to be; `nil` for samples as they are coded.
    public let outputSettings: [String: Any]?
    private let pitch = Mutex(AVAudioTimePitchAlgorithm.spectral)

    /// An output for a track.
    ///
    /// Samples as they are coded have the times of the asset, and come in the order in which they are decoded.
    ///
    /// Decoded pictures are neither turned nor cropped: the track's `preferredTransform`, and what is attached to each
    /// buffer (`kCVImageBufferCleanApertureKey`, `kCVImageBufferPixelAspectRatioKey`) say how to show them. An empty
    /// dictionary gives what is closest to what is coded, of luma and chroma in two planes where it can be.
    ///
    /// - Parameters:
    ///   - track: A track of the reader's asset.
    ///   - outputSettings: `nil` for coded samples. Of pictures the keys of pixel buffers: formats, of which each is one of
    ///     RGB, YCbCr in two planes or one, and grey; width and height, to which pictures are stretched. Of sound
    ///     `AVFormatIDKey` with `kAudioFormatLinearPCM`, `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVChannelLayoutKey`
    ///     and `AVLinearPCM…`. Keys of other things are of no effect.
    /// - Note: AVFoundation raises an exception for settings that make no sense. Here the reader refuses the output.
    ///   Of a composition samples are only decoded: without settings the reader does not start.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        (self.track, self.outputSettings) = (track, outputSettings)
        super.init()
    }

    /// What the track holds.
    open override var mediaType: AVMediaType { track.mediaType }

    /// How the speed of sound is changed where a composition does that.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { pitch.withLock { $0 } }
        set { pitch.withLock { $0 = newValue } }
    }

    override func check(for asset: AVAsset) throws {
        guard track.source === asset.source else {
            throw AVError(.incorrectlyConfigured, reason: "the output's track is one of another asset")
        }
        guard let outputSettings else { return }
        switch mediaType {
        case .video: _ = try PictureOutputSettings(outputSettings)
        case .audio: _ = try SoundOutputSettings(outputSettings)
        default:
            throw AVError(
                .incorrectlyConfigured,
                reason: "samples of \(mediaType.rawValue) are read as they are coded: outputSettings are nil")
        }
    }

    override func makeFeed(_ request: SampleRequest) throws -> any SampleFeeding {
        try TrackFeed(self, request).feed
    }
}
