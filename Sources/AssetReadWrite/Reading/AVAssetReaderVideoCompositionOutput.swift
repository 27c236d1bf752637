public import MediaAsset
internal import MediaCore
package import MediaEngine
internal import SampleBuffers
internal import Synchronization

/// Reads pictures that are composed of those of several tracks of an asset.
///
/// Pictures have the size and the times that ``videoComposition`` says, and are upright; tracks that it does not draw are
/// not read.
open class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput, @unchecked Sendable {
    // @unchecked Sendable: settings are read only, and hold what a client does not change; the rest is behind a lock.

    /// The tracks that pictures are composed of.
    public let videoTracks: [AVAssetTrack]
    /// What pictures are to be; `nil` for what is closest to how they are composed.
    public let videoSettings: [String: Any]?
    private let composing = Mutex<VideoComposing?>(nil)

    /// An output for the pictures of some tracks.
    ///
    /// - Parameters:
    ///   - videoTracks: Tracks of the reader's asset, at least one.
    ///   - videoSettings: The keys of pixel buffers, as of an ``AVAssetReaderTrackOutput``. HDR stays HDR in formats of more
    ///     than eight bits, if all tracks are HDR, and becomes SDR in others. `nil` is as an empty dictionary.
    public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
        (self.videoTracks, self.videoSettings) = (videoTracks, videoSettings)
        super.init()
    }

    /// Pictures.
    open override var mediaType: AVMediaType { .video }

    /// How pictures are composed; `nil` at first, and has to be set before reading starts.
    ///
    /// A copy is taken.
    open var videoComposition: AVVideoComposition? {
        get { composing.withLock { $0?.composition } }
        set {
            let new = newValue.map { VideoComposing($0) }
            composing.withLock { $0 = new }
        }
    }

    /// The object that composes pictures, of the class that the video composition names; `nil` if it names none, or it
    /// asks for pixels that cannot be had.
    open var customVideoCompositor: (any AVVideoCompositing)? {
        try? composing.withLock { $0 }?.compositor()?.compositor
    }

    override func check(for asset: AVAsset) throws {
        try asset.check(videoTracks, are: .video)
        _ = try PictureOutputSettings(videoSettings ?? [:])
    }

    override func makeFeed(_ request: SampleRequest) throws -> any SampleFeeding {
        guard let composing = composing.withLock({ $0 }) else {
            throw AVError(.invalidVideoComposition, reason: "the output has no videoComposition")
        }
        var composed = ComposedRequest(request, trackIDs: Set(videoTracks.map(\.trackID)))
        composed.rendering.composing = composing
        return try PictureSamples(
            composed, PictureOutputSettings(videoSettings ?? [:]), nil, copies: alwaysCopiesSampleData)
    }
}
