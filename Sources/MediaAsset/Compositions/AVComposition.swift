public import Foundation
public import MediaCore
internal import Synchronization

/// The number of no track: with it, a composition chooses one for a new track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// An asset that is put together of pieces of other assets' tracks.
///
/// Its properties load as any asset's; stills, sheets and exports are made of it as of a file. The files are opened when
/// something of them is asked for, and have to stay as they are.
///
/// A composition does not change; ``AVMutableComposition`` does.
open class AVComposition: AVAsset, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: what changes is behind locks.

    let state: CompositionState
    private let parts = Mutex<[AVCompositionTrack]>([])

    init(_ content: CompositionContent) {
        state = CompositionState(content)
        super.init(source: AssetSource(composition: state))
        takeParts(of: content)
    }

    /// The object for one track.
    func makePart(_ track: CompositionContent.Track) -> AVCompositionTrack {
        AVCompositionTrack(state, track, source: source, of: self)
    }

    /// Has an object for each track, those that there were included.
    final func takeParts(of content: CompositionContent) {
        parts.withLock { parts in
            let known = parts
            parts = content.tracks.map { track in
                known.first { $0.trackID == track.trackID } ?? makePart(track)
            }
        }
        propertyStore.forget()
    }

    /// The objects of the tracks, in order.
    final var currentParts: [AVCompositionTrack] { parts.withLock { $0 } }

    override func makeTracks() throws -> [AVAssetTrack] { currentParts }

    /// A composition of the same content that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableComposition(state.content) }
}

extension AVAsynchronousKeyValueLoading where Self: AVComposition {
    /// The tracks, in the order in which they were added.
    public var tracks: [AVCompositionTrack] { currentParts }

    /// The track with a number, `nil` if there is none.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVCompositionTrack? {
        currentParts.first { $0.trackID == trackID }
    }

    /// The tracks of one kind, in order.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVCompositionTrack] {
        currentParts.filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in order.
    public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVCompositionTrack] {
        currentParts.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// The track with a number, `nil` if there is none.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVCompositionTrack? {
        track(withTrackID: trackID)
    }

    /// The tracks of one kind, in order.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVCompositionTrack] {
        tracks(withMediaType: mediaType)
    }

    /// The tracks whose media have a characteristic, in order.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVCompositionTrack] {
        tracks(withMediaCharacteristic: mediaCharacteristic)
    }

    /// The size of the pictures in pixels, before they are turned: what the composition was given, else that of its first track
    /// of pictures.
    public var naturalSize: CGSize { currentNaturalSize }
}

extension AVComposition {
    var currentNaturalSize: CGSize {
        if let size = state.content.naturalSize { return size }
        let video = (try? state.describe())?.tracks.first { $0.mediaType == .video }?.video
        return video?.naturalSize ?? .zero
    }
}

extension AVPartialAsyncProperty where Root: AVComposition {
    /// The tracks, in the order in which they were added.
    public static var tracks: AVAsyncProperty<Root, [AVCompositionTrack]> {
        AVAsyncProperty(
            MediaProperty<AVAsset, _>("compositionTracks") { asset in
                (asset as? AVComposition)?.currentParts ?? []
            }
        ) { $0 }
    }
}

/// A track of a composition.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    // @unchecked Sendable: as AVAssetTrack; the composition's state is behind a lock.

    private let state: CompositionState
    private let id: CMPersistentTrackID
    private let kind: AVMediaType

    init(_ state: CompositionState, _ track: CompositionContent.Track, source: AssetSource, of asset: AVAsset?) {
        (self.state, id, kind) = (state, track.trackID, track.mediaType)
        super.init(source: source, track: TrackDescription(unread: track), of: asset)
    }

    /// The track as the composition has it now; as it was made where it is gone or its file cannot be opened.
    package override var track: TrackDescription {
        (try? state.describe())?.tracks.first { $0.trackID == id } ?? super.track
    }

    /// The track's number in the composition.
    open override var trackID: CMPersistentTrackID { id }
    /// What the track holds.
    open override var mediaType: AVMediaType { kind }

    /// What the composition says of the track; `nil` once it is removed.
    var content: CompositionContent.Track? { state.content.tracks.first { $0.trackID == id } }

    /// Changes what the composition says of the track, or nothing where that fails.
    ///
    /// - Throws: `AVError.operationNotAllowed` once the track is removed.
    func change(_ body: (inout CompositionContent.Track) throws -> Void) throws {
        try state.change { content in
            guard let index = content.index(ofTrack: id) else {
                throw AVError(.operationNotAllowed, reason: "track \(id) is in the composition no more")
            }
            try body(&content.tracks[index])
            try CompositionEdit.check(content.tracks[index].timeline)
        }
        forgetValues()
    }

    /// Forgets values that were loaded of the track and the composition.
    func forgetValues() {
        propertyStore.forget()
        asset?.propertyStore.forget()
    }
}

extension AVAsynchronousKeyValueLoading where Self: AVCompositionTrack {
    /// The segments that the track consists of, in order.
    public var segments: [AVCompositionTrackSegment] {
        content?.timeline.segments.map(AVCompositionTrackSegment.init) ?? []
    }

    /// The segment at a time of the composition's timeline, the closest one if the time lies outside all of them;
    /// `nil` if there are none.
    public func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
        guard let timeline = content?.timeline else { return nil }
        let segment =
            timeline.segment(at: trackTime)
            ?? (trackTime < .zero ? timeline.segments.first : timeline.segments.last)
        return segment.map(AVCompositionTrackSegment.init)
    }
}

extension AVPartialAsyncProperty where Root: AVCompositionTrack {
    /// The segments that the track consists of, in order.
    public static var segments: AVAsyncProperty<Root, [AVCompositionTrackSegment]> {
        AVAsyncProperty(
            MediaProperty<AVAssetTrack, _>("compositionSegments") { track in
                (track as? AVCompositionTrack)?.segments ?? []
            }
        ) { $0 }
    }
}

extension TrackDescription {
    /// A composition's track before anything is known of its media.
    fileprivate init(unread track: CompositionContent.Track) {
        self.init(
            trackID: track.trackID, streamIndex: 0, mediaType: track.mediaType, isEnabled: track.isEnabled, codec: "",
            codecTag: "", mediaSubType: 0x756E_6B6E, timescale: 600, timeRange: .zero, estimatedDataRate: 0,
            editList: [])
    }
}

/// A piece of a composition's track: which span of which track of which file is shown over which span of the
/// composition's timeline.
///
/// Segments with the same media and the same mapping are equal.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    // @unchecked Sendable: every stored property is immutable and Sendable.

    /// What is shown; `nil` for nothing.
    let media: CompositionMedia?

    init(_ segment: CompositionEdit.Segment) {
        media = segment.media
        super.init(timeMapping: CMTimeMapping(source: segment.source, target: segment.target))
    }

    /// Makes a segment of a file's track; touches no file.
    ///
    /// - Parameters:
    ///   - URL: Where the file is.
    ///   - trackID: The track's number in the file.
    ///   - sourceTimeRange: On the file's own timeline.
    ///   - targetTimeRange: On the composition's timeline; another duration than the source's changes the speed.
    public init(
        url URL: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange, targetTimeRange: CMTimeRange
    ) {
        media = CompositionMedia(source: AVURLAsset.source(url: URL, options: [:]), trackID: trackID, url: URL)
        super.init(timeMapping: CMTimeMapping(source: sourceTimeRange, target: targetTimeRange))
    }

    /// Makes a segment that shows nothing.
    ///
    /// - Parameter timeRange: On the composition's timeline.
    public init(timeRange: CMTimeRange) {
        media = nil
        super.init(timeMapping: CMTimeMapping(source: .invalid, target: timeRange))
    }

    /// Where the file is; `nil` for a segment that shows nothing.
    public var sourceURL: URL? { media?.url }

    /// The track's number in its file; `kCMPersistentTrackID_Invalid` for a segment that shows nothing.
    public var sourceTrackID: CMPersistentTrackID { media?.trackID ?? kCMPersistentTrackID_Invalid }

    /// Whether the other object is a segment with the same media and the same mapping.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVCompositionTrackSegment else { return false }
        return other.media == media && other.timeMapping == timeMapping
    }

    /// Equal for equal segments.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(media)
        hasher.combine(timeMapping)
        return hasher.finalize()
    }

    /// The mapping and the file, for debugging.
    open override var description: String {
        "AVCompositionTrackSegment(\(timeMapping), \(sourceURL?.lastPathComponent ?? "empty"))"
    }

    /// As the timeline of a track has it.
    var segment: CompositionEdit.Segment {
        CompositionEdit.Segment(
            media: media, source: media == nil ? .invalid : timeMapping.source, target: timeMapping.target)
    }
}

extension [AVCompositionTrackSegment] {
    /// The timeline that they make.
    ///
    /// - Throws: `AVError` that says which one does not follow, or has no time.
    func timeline() throws -> TrackTimeline<CompositionMedia> {
        var end = CMTime.zero
        for (index, segment) in enumerated() {
            let (source, target) = (segment.timeMapping.source, segment.timeMapping.target)
            guard target.start == end else {
                throw AVError(
                    .compositionTrackSegmentsNotContiguous,
                    reason:
                        "segment \(index + 1) does not begin at \(end.secondsText()) s, where the one before it ends")
            }
            guard target.isValid, target.duration.isNumeric, target.duration > .zero else {
                throw AVError(
                    .invalidCompositionTrackSegmentDuration, reason: "segment \(index + 1) has no duration above zero")
            }
            end = target.end
            guard let media = segment.media else { continue }
            guard source.isValid, source.start.isNumeric, source.start >= .zero else {
                throw AVError(
                    .invalidCompositionTrackSegmentSourceStartTime,
                    reason: "segment \(index + 1) begins at no time of its media from zero on")
            }
            guard source.duration.isNumeric, source.duration > .zero else {
                throw AVError(
                    .invalidCompositionTrackSegmentSourceDuration,
                    reason: "segment \(index + 1) is of no duration of its media")
            }
            _ = try CompositionEdit.range(source, of: try media.source.describe())
            _ = try media.track()
        }
        guard let timeline = TrackTimeline(map(\.segment)) else {
            throw AVError(.compositionTrackSegmentsNotContiguous, reason: "the segments do not follow each other")
        }
        try CompositionEdit.check(timeline)
        return timeline
    }
}
