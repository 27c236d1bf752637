package import Foundation
package import MediaCore
internal import MediaMetadata
internal import SampleBuffers
internal import Synchronization

/// What a composition consists of, as one value.
package struct CompositionContent: Sendable {
    /// One track of it.
    package struct Track: Sendable {
        package let trackID: CMPersistentTrackID
        package let mediaType: AVMediaType
        package var timeline = TrackTimeline<CompositionMedia>()
        package var isEnabled = true
        var languageCode: String?
        var extendedLanguageTag: String?
        /// Ticks in each second; `nil` for those of the first media.
        var naturalTimeScale: Int32?
        package var preferredTransform = CGAffineTransform.identity
        var preferredVolume: Float = 1
        var references: [TrackDescription.Reference] = []
        /// Whether pictures of each file are turned as that file says, rather than all as the track says.
        package var turnsMedia = false

        init(trackID: CMPersistentTrackID, mediaType: AVMediaType) {
            (self.trackID, self.mediaType) = (trackID, mediaType)
        }

        /// The first media that the track shows.
        package var firstMedia: CompositionMedia? { timeline.segments.lazy.compactMap(\.media).first }
    }

    package var tracks: [Track] = []
    /// The size that the composition was given; `nil` for that of its first track of pictures.
    var naturalSize: CGSize?
    /// The file whose metadata the composition has, if any.
    var metadataSource: AssetSource?
    /// Whether each track stays a track, rather than all pictures and all sound becoming one.
    package var keepsTracksApart = false

    /// When the last track ends.
    var duration: CMTime { tracks.map(\.timeline.end).max() ?? .zero }

    /// Where a track stands among them.
    func index(ofTrack trackID: CMPersistentTrackID) -> Int? { tracks.firstIndex { $0.trackID == trackID } }

    /// The track of an ID.
    package func track(_ trackID: CMPersistentTrackID) -> Track? { tracks.first { $0.trackID == trackID } }

    /// An audio track, followed by those whose sound is mixed with its own: all others that are enabled and hold media,
    /// none where tracks stay apart.
    package func tracks(heardWith track: Track) -> [Track] {
        guard !keepsTracksApart else { return [track] }
        return [track]
            + tracks.filter {
                $0.mediaType == .audio && $0.isEnabled && $0.firstMedia != nil && $0.trackID != track.trackID
            }
    }

    /// Each file once, in the order in which they are first shown.
    package var sources: [AssetSource] {
        var seen: Set<ObjectIdentifier> = []
        return tracks.flatMap(\.timeline.segments).compactMap { $0.media?.source }
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// More segments than this are refused: no person cuts as often.
    static let maximumSegments = 10_000
}

/// A composition as it stands, shared by the composition and its tracks.
package final class CompositionState: Sendable {
    private struct Record: Sendable {
        var content: CompositionContent
        var description: AssetDescription?
    }

    private let record: Mutex<Record>

    /// - Parameter description: What is known of it already.
    init(_ content: CompositionContent, description: AssetDescription? = nil) {
        record = Mutex(Record(content: content, description: description))
    }

    /// What the composition consists of now.
    package var content: CompositionContent { record.withLock { $0.content } }

    /// Changes the composition, or nothing where that fails.
    func change<Result>(_ body: (inout CompositionContent) throws -> Result) rethrows -> Result {
        try record.withLock { record in
            var content = record.content
            let result = try body(&content)
            record = Record(content: content)
            return result
        }
    }

    /// The composition as if it were a file.
    ///
    /// - Throws: What opening the files fails with that it is made of.
    package func describe() throws -> AssetDescription {
        let (content, known) = record.withLock { ($0.content, $0.description) }
        if let known { return known }
        let description = try AssetDescription(content)
        record.withLock { $0.description = description }
        return description
    }
}

extension AssetDescription {
    /// A composition as if it were a file.
    fileprivate init(_ content: CompositionContent) throws {
        self.init(
            container: "composition", duration: content.duration, durationIsEstimate: false, origin: .zero,
            byteCount: nil, tracks: [], attachedPictures: [], preferredRate: 1, preferredVolume: 1,
            canContainFragments: false, hasProtectedContent: false)
        for (index, track) in content.tracks.enumerated() {
            let described = try TrackDescription(track, index: index)
            if described.isEncrypted { hasProtectedContent = true }
            tracks.append(described)
        }
    }
}

extension TrackDescription {
    /// A composition's track as if it were a file's: coded as its first media are.
    fileprivate init(_ track: CompositionContent.Track, index: Int) throws {
        if let media = track.firstMedia {
            self = try media.track()
        } else {
            self.init(
                trackID: track.trackID, streamIndex: index, mediaType: track.mediaType, isEnabled: true, codec: "",
                codecTag: "", mediaSubType: Self.unknownSubType, timescale: 600, timeRange: .zero,
                estimatedDataRate: 0, editList: [])
        }
        (trackID, streamIndex, mediaType, isEnabled) = (track.trackID, index, track.mediaType, track.isEnabled)
        let segments = track.timeline.segments
        let start = segments.first.map { $0.isEmpty ? $0.target.end : .zero } ?? .zero
        timeRange = CMTimeRange(start: start, end: track.timeline.end)
        editList = segments.map { CMTimeMapping(source: $0.source, target: $0.target) }
        (language, extendedLanguageTag) = (track.languageCode, track.extendedLanguageTag)
        if let scale = track.naturalTimeScale { timescale = scale }
        (sampleCount, title, alternateGroup, tags, references) = (nil, nil, 0, [], track.references)
        isEndAssumed = false
        isEncrypted = try Set(segments.compactMap(\.media)).contains { try $0.track().isEncrypted }
        video?.turn(by: track.preferredTransform)
    }

    /// The code `unkn` of a track that nothing was put into yet.
    private static var unknownSubType: FourCharCode { 0x756E_6B6E }
}

extension VideoDescription {
    /// The same pictures, turned in another way.
    package mutating func turn(by transform: CGAffineTransform) {
        preferredTransform = transform
        displaySize = Self.displaySize(
            of: PixelSize(width: cleanAperture.width, height: cleanAperture.height),
            sampleAspectRatio: sampleAspectRatio, transform: transform)
    }
}

extension CompositionState {
    /// Whether there is a decoder for all that a track shows.
    func canDecode(_ trackID: CMPersistentTrackID) -> Bool {
        guard let track = content.tracks.first(where: { $0.trackID == trackID }) else { return false }
        return Set(track.timeline.segments.compactMap(\.media)).allSatisfy { media in
            (try? media.track()).map(media.source.canDecode) ?? false
        }
    }
}

extension CompositionContent {
    /// The size of a track's pictures before they are turned: the composition's own, else that of its first media.
    package func size(of track: TrackDescription) -> PixelSize {
        if let naturalSize, let width = Int(exactly: naturalSize.width.rounded()),
            let height = Int(exactly: naturalSize.height.rounded()), width > 0, height > 0
        {
            return PixelSize(width: width, height: height)
        }
        guard let video = track.video else { return PixelSize(width: 0, height: 0) }
        return VideoDescription.displaySize(
            of: PixelSize(width: video.cleanAperture.width, height: video.cleanAperture.height),
            sampleAspectRatio: video.sampleAspectRatio, transform: firstTurn(of: track))
    }

    /// How the first pictures are turned where each file's are turned by themselves, which sets the shape.
    private func firstTurn(of track: TrackDescription) -> CGAffineTransform {
        guard let part = tracks.first(where: { $0.trackID == track.trackID }), part.turnsMedia,
            let video = try? part.firstMedia?.track().video
        else { return .identity }
        return video.preferredTransform
    }
}

/// What segments of a composition's track are pieces of: a track of a file.
package struct CompositionMedia: Hashable, Sendable {
    /// The file.
    package let source: AssetSource
    /// The track's number in the file.
    package let trackID: CMPersistentTrackID
    /// Where the file is.
    package let url: URL

    package static func == (left: Self, right: Self) -> Bool {
        left.source === right.source && left.trackID == right.trackID
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(trackID)
    }

    /// The track.
    ///
    /// - Throws: `AVError.noSourceTrack` if the file has none of that number; else what opening the file fails with.
    package func track() throws -> TrackDescription {
        guard let track = try source.describe().tracks.first(where: { $0.trackID == trackID }) else {
            throw AVError(.noSourceTrack, reason: "\(url.lastPathComponent) has no track \(trackID)")
        }
        return track
    }
}

extension CompositionState {
    /// The metadata of the file that the composition is to have them of, chapters and what tracks are called following
    /// the edit; none without such a file.
    func metadata() throws -> FileMetadata {
        let content = content
        guard let source = content.metadataSource else { return FileMetadata(container: .other) }
        var metadata = try source.metadata()
        (metadata.attachments, metadata.newAttachments, metadata.links) = ([], [], [])
        metadata.labels = try content.tracks.compactMap { track in
            guard let media = track.firstMedia,
                var label = try media.source.metadata().labels.first(where: { $0.trackID == Int64(media.trackID) })
            else { return nil }
            label.trackID = Int64(track.trackID)
            return label
        }
        metadata.tracks = try content.tracks.compactMap { track in
            guard let media = track.firstMedia,
                var known = try media.source.metadata().tracks.first(where: { $0.trackID == Int64(media.trackID) })
            else { return nil }
            known.trackID = Int64(track.trackID)
            return known
        }
        metadata.chapterLists = try chapterLists(content)
        return metadata
    }

    /// The chapters of all files at the times at which their pictures, or else their sound, are shown.
    private func chapterLists(_ content: CompositionContent) throws -> [ChapterList] {
        let leading = content.tracks.first { $0.mediaType == .video && $0.firstMedia != nil } ?? content.tracks.first
        var lists: [ChapterList] = []
        for segment in leading?.timeline.segments ?? [] {
            guard let media = segment.media else { continue }
            for (index, list) in try media.source.chapterMetadata().preferredLists.enumerated() {
                let part = list.clipped(to: segment.source)?.mapped {
                    segment.targetTime(ofSource: segment.source.start + $0)
                }
                guard let part else { continue }
                if index < lists.count { lists[index].append(part.chapters) } else { lists.append(part) }
            }
        }
        return lists
    }
}

extension ChapterList {
    /// Adds chapters; the first one goes on with the last one where a piece was cut out of the middle of it.
    fileprivate mutating func append(_ more: [Chapter]) {
        var more = more[...]
        if let last = chapters.last, let first = more.first, last.end == first.start, last.titles == first.titles,
            last.identifier == first.identifier
        {
            chapters[chapters.count - 1].end = first.end
            chapters[chapters.count - 1].children += first.children
            more = more.dropFirst()
        }
        chapters += more
    }
}
