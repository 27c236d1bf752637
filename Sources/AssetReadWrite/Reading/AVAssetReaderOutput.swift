public import Foundation
public import MediaAsset
internal import MediaCore
internal import MediaEngine
public import SampleBuffers
internal import Synchronization

/// What a reader gives samples by.
///
/// Made as one of its subclasses.
///
/// `@unchecked Sendable`: what changes is behind locks.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    private struct Settings {
        var copies = true
        var isRepeatable = false
        var isAttached = false
        /// Whether what is read is not to be asked for again.
        var isFinal = false
    }

    private let settings = Mutex(Settings())
    /// Held while a sample is read, so that several threads get one after the other.
    private let reading = NSLock()
    private let work = Mutex(ReaderWork())

    /// For the subclasses.
    override init() { super.init() }

    /// What its samples are.
    open var mediaType: AVMediaType { .video }

    /// Whether the memory of decoded samples is their own, so that a client may write to it; true at first.
    ///
    /// Otherwise pictures may share the memory of the decoder where their format allows it, which saves copying them.
    /// Samples as they are coded always share that of the packet that was read, and are not to be written to.
    open var alwaysCopiesSampleData: Bool {
        get { settings.withLock { $0.copies } }
        set { settings.withLock { $0.copies = newValue } }
    }

    /// Whether other ranges can be read once all samples of one were; false at first.
    open var supportsRandomAccess: Bool {
        get { settings.withLock { $0.isRepeatable } }
        set { settings.withLock { $0.isRepeatable = newValue } }
    }

    /// The next sample; blocks until it is there.
    ///
    /// - Returns: `nil` after the last one, and where the reader failed, was cancelled or was not started: its status says
    ///   which.
    open func copyNextSampleBuffer() -> CMSampleBuffer? {
        reading.withLock {
            let (feed, run) = work.withLock { ($0.feed, $0.request?.run) }
            guard let feed, let run, run.status == .reading else { return nil }
            do {
                if let sample = try feed.next() { return sample }
                end(run)
            } catch {
                work.withLock { $0.feed = nil }
                run.fail(readerError(for: error))
            }
            return nil
        }
    }

    private func end(_ run: ReaderRun) {
        work.withLock { $0.feed = nil }
        let isOver = settings.withLock { !$0.isRepeatable || $0.isFinal }
        if isOver { run.endOutput() } else { work.withLock { $0.isWaiting = true } }
    }

    /// Reads other ranges, once all samples of those before were read; for outputs with ``supportsRandomAccess``.
    ///
    /// - Parameter timeRanges: `CMTimeRange`s as `NSValue`s, ascending and apart from each other.
    /// - Note: Where it is called too early, or with ranges that make no sense, the reader fails; AVFoundation raises an
    ///   exception.
    open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
        let (request, isWaiting) = work.withLock { ($0.request, $0.isWaiting) }
        guard let request else { return }
        do {
            guard supportsRandomAccess, isWaiting else {
                throw AVError(
                    .operationNotAllowed,
                    reason: "other ranges are read after all samples, by an output that supportsRandomAccess")
            }
            let ranges = timeRanges.map(\.timeRangeValue)
            guard ranges.allSatisfy({ $0.isValid && !$0.isEmpty && $0.start >= .zero }),
                zip(ranges, ranges.dropFirst()).allSatisfy({ $0.end <= $1.start })
            else {
                throw AVError(.incorrectlyConfigured, reason: "ranges to read ascend, and lie apart from each other")
            }
            let feeds = ranges.map { range in
                { [self] in try makeFeed(SampleRequest(request, timeRange: range)) }
            }
            work.withLock { work in
                work.feed = SampleFeeds(feeds)
                work.isWaiting = false
            }
        } catch {
            request.run.fail(error)
        }
    }

    /// Says that ``reset(forReadingTimeRanges:)`` will not be called any more.
    open func markConfigurationAsFinal() {
        settings.withLock { $0.isFinal = true }
        let run = work.withLock { work -> ReaderRun? in
            guard work.isWaiting else { return nil }
            work.isWaiting = false
            return work.request?.run
        }
        run?.endOutput()
    }

    // MARK: For readers

    var isAttached: Bool { settings.withLock { $0.isAttached } }

    /// Notes that it belongs to a reader.
    func attach() throws {
        let wasAttached = settings.withLock { settings in
            defer { settings.isAttached = true }
            return settings.isAttached
        }
        guard !wasAttached else { throw AVError(.operationNotAllowed, reason: "an output belongs to one reader only") }
    }

    /// Fails if it cannot be an output of a reader of an asset.
    func check(for asset: AVAsset) throws {
        throw AVError(.incorrectlyConfigured, reason: "AVAssetReaderOutput is made as one of its subclasses")
    }

    /// Has its reader fail.
    func failReader(_ reason: String) {
        let run = work.withLock { work in
            work.feed = nil
            return work.request?.run
        }
        run?.fail(AVError(.operationNotSupportedForAsset, reason: reason))
    }

    /// What its samples come from.
    func makeFeed(_ request: SampleRequest) throws -> any SampleFeeding {
        throw AVError(.incorrectlyConfigured, reason: "AVAssetReaderOutput is made as one of its subclasses")
    }

    func begin(_ request: SampleRequest) throws {
        let feed = try makeFeed(request)
        work.withLock { work in
            work.feed = feed
            work.request = request
        }
    }
}

/// What an output does at a time.
///
/// `@unchecked Sendable`: a feed is used by the thread that holds the output's lock for reading.
private struct ReaderWork: @unchecked Sendable {
    var feed: (any SampleFeeding)?
    var request: SampleRequest?
    /// Whether all samples were read, and other ranges may be asked for.
    var isWaiting = false
}

/// What is read of an asset.
struct SampleRequest {
    let asset: AVAsset
    /// On the asset's timeline; `nil` for all.
    let timeRange: CMTimeRange?
    /// Whether damage is no error.
    let allowsDamage: Bool
    let run: ReaderRun

    init(asset: AVAsset, timeRange: CMTimeRange?, allowsDamage: Bool, run: ReaderRun) {
        (self.asset, self.timeRange, self.allowsDamage, self.run) = (asset, timeRange, allowsDamage, run)
    }

    /// Another range of the same.
    init(_ other: SampleRequest, timeRange: CMTimeRange) {
        self.init(asset: other.asset, timeRange: timeRange, allowsDamage: other.allowsDamage, run: other.run)
    }
}

/// Gives the samples of one track, one after the other.
protocol SampleFeeding: AnyObject {
    /// The next sample; blocks until it is there. `nil` after the last one.
    func next() throws -> CMSampleBuffer?
}

/// Gives the samples of several feeds, one feed after the other.
final class SampleFeeds: SampleFeeding {
    private var waiting: [() throws -> any SampleFeeding]
    private var current: (any SampleFeeding)?

    /// - Parameter feeds: What makes them, when it is their turn.
    init(_ feeds: [() throws -> any SampleFeeding]) { waiting = feeds }

    func next() throws -> CMSampleBuffer? {
        while true {
            if let sample = try current?.next() { return sample }
            current = nil
            guard !waiting.isEmpty else { return nil }
            current = try waiting.removeFirst()()
        }
    }
}

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
