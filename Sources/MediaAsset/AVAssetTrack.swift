public import Foundation
public import MediaCore

/// One track of an asset.
///
/// All facts are known when the asset has been opened: `load(_:)` of a track
/// opens nothing more, but for its metadata and the length of its samples. Times are on the asset's timeline.
///
/// Tracks of one asset with the same number are equal.
///
/// - Note: AVFoundation's is not `Sendable`.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // @unchecked Sendable: every stored property is Sendable and set once, in the initialiser.

    package let source: AssetSource
    private let known: TrackDescription
    package let propertyStore = PropertyStore()

    /// The asset that the track is one of; `nil` when nobody holds the asset any more.
    public private(set) weak var asset: AVAsset?

    init(source: AssetSource, track: TrackDescription, of asset: AVAsset?) {
        self.source = source
        known = track
        self.asset = asset
        super.init()
    }

    // MARK: Identity

    /// The track itself: it does not change, so that nobody needs another one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is this track of the same asset.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAssetTrack else { return false }
        return other.source === source && other.trackID == trackID
    }

    /// Equal for equal tracks.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(trackID)
        return hasher.finalize()
    }

    // MARK: What it is

    /// What is known of the track.
    package var track: TrackDescription { known }
    /// The track's number in its asset.
    public var trackID: CMPersistentTrackID { track.trackID }
    /// What the track holds.
    public var mediaType: AVMediaType { track.mediaType }

    /// The segment at a time of the track, the closest one if the time lies
    /// outside all of them; never `nil`.
    ///
    /// - Parameter time: On the asset's timeline.
    /// - Throws: Nothing: the segments are known with the track.
    public func loadSegment(forTrackTime time: CMTime) async throws -> AVAssetTrackSegment? {
        segment(forTrackTime: time)
    }

    /// The time of the media that is shown at a time of the track, by its edit list.
    ///
    /// - Parameter time: On the asset's timeline.
    /// - Returns: A media time; invalid where the track is empty, and outside all segments.
    /// - Throws: Nothing: the segments are known with the track.
    public func loadSamplePresentationTime(forTrackTime time: CMTime) async throws -> CMTime {
        samplePresentationTime(forTrackTime: time)
    }

    /// The tracks that this one refers to in one way, in the order of its references; empty if there are none.
    ///
    /// Movies and MP4 files have such references; a track that is referred to but is not there is left out.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadAssociatedTracks(ofType type: AssociationType) async throws -> [AVAssetTrack] {
        let track = self
        return try await BlockingWork.run { try track.findAssociatedTracks(ofType: type) }
    }

    /// The tracks that this one refers to in one way; without an asset if nobody holds it any more.
    func findAssociatedTracks(ofType type: AssociationType) throws -> [AVAssetTrack] {
        let tracks = try asset.map(AssetProperties.all.tracks.loaded) ?? source.makeTracks(of: nil)
        return track.associations(ofType: type).compactMap { number in tracks.first { $0.trackID == number } }
    }
}

extension AVAssetTrack {
    /// How a track refers to others, by the code of the reference in movies and MP4 files.
    public struct AssociationType: RawRepresentable, Hashable, Sendable {
        /// The code, of four characters.
        public let rawValue: String
        /// Makes a type of its code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// To the same sound in another coding.
        public static let audioFallback = AssociationType(rawValue: "fall")
        /// To text with the titles of chapters, or to their pictures.
        public static let chapterList = AssociationType(rawValue: "chap")
        /// To subtitles of what has to be translated in any case.
        public static let forcedSubtitlesOnly = AssociationType(rawValue: "forc")
        /// To what is to be selected with this one.
        public static let selectionFollower = AssociationType(rawValue: "folw")
        /// To timecode.
        public static let timecode = AssociationType(rawValue: "tmcd")
        /// From metadata to what they describe.
        public static let metadataReferent = AssociationType(rawValue: "cdsc")
    }
}

extension TrackDescription {
    /// The numbers of the tracks that this one refers to in one way.
    func associations(ofType type: AVAssetTrack.AssociationType) -> [CMPersistentTrackID] {
        references.filter { $0.type == type.rawValue }.flatMap(\.trackIDs)
    }

    /// The ways in which the track refers to others, each once, in the file's order.
    var associationTypes: [AVAssetTrack.AssociationType] {
        references.reduce(into: []) { types, reference in
            let type = AVAssetTrack.AssociationType(rawValue: reference.type)
            if !types.contains(type) { types.append(type) }
        }
    }

    /// The edit list, or one segment over the whole track without one.
    var segments: [AVAssetTrackSegment] {
        guard editList.isEmpty else { return editList.map(AVAssetTrackSegment.init) }
        let media = CMTimeRange(start: .zero, duration: timeRange.duration)
        return [AVAssetTrackSegment(timeMapping: CMTimeMapping(source: media, target: timeRange))]
    }

    /// What the media are like, and what the file says they are for; each once.
    var characteristics: [AVMediaCharacteristic] {
        let kinds = mediaCharacteristics
        return kinds + tags.map(AVMediaCharacteristic.init(rawValue:)).filter { !kinds.contains($0) }
    }

    private var mediaCharacteristics: [AVMediaCharacteristic] {
        var result: [AVMediaCharacteristic] = []
        switch mediaType {
        case .video: result += [.visual, .frameBased]
        case .audio: result += [.audible]
        case .text, .subtitle, .closedCaption: result += [.legible]
        default: break
        }
        guard let video else { return result }
        if video.hasAlpha { result.append(.containsAlphaChannel) }
        if video.color.tags.isHDR { result.append(.containsHDRVideo) }
        if video.color.tags.primaries?.isWide == true { result.append(.usesWideGamutColorSpace) }
        return result
    }
}

/// Tracks of which one is to be played, such as the same sound in several languages.
open class AVAssetTrackGroup: NSObject, @unchecked Sendable {
    // @unchecked Sendable: the one stored property is immutable and Sendable.

    private let numbers: [CMPersistentTrackID]

    init(trackIDs: [CMPersistentTrackID]) {
        numbers = trackIDs
        super.init()
    }

    /// The tracks' numbers, in container order: `CMPersistentTrackID`s.
    public var trackIDs: [NSNumber] { numbers.map { NSNumber(value: $0) } }

    /// Whether the other object is a group of the same numbers.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AVAssetTrackGroup)?.numbers == numbers }

    /// Equal for equal groups.
    open override var hash: Int { numbers.hashValue }

    /// The numbers, for debugging.
    open override var description: String { "AVAssetTrackGroup(\(numbers))" }
}

extension AssetDescription {
    /// The groups of at least two tracks that a movie names as alternatives, in the order of their first tracks.
    var trackGroups: [AVAssetTrackGroup] {
        let alternatives = tracks.filter { $0.alternateGroup != 0 }
        let members = Dictionary(grouping: alternatives, by: \.alternateGroup).values.map { $0.map(\.trackID) }
        let first = Dictionary(
            tracks.enumerated().map { ($1.trackID, $0) }, uniquingKeysWith: { first, _ in first })
        return members.filter { $0.count > 1 }.sorted { (first[$0[0]] ?? 0) < (first[$1[0]] ?? 0) }
            .map(AVAssetTrackGroup.init)
    }
}

/// A piece of a track's media and where it lies on the asset's timeline.
///
/// Segments with the same mapping are equal.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // @unchecked Sendable: the one stored property is immutable and Sendable.

    /// From media time to the asset's timeline; the source's start is not numeric for an empty segment.
    public let timeMapping: CMTimeMapping

    init(timeMapping: CMTimeMapping) {
        self.timeMapping = timeMapping
        super.init()
    }

    /// Whether there is nothing to see or hear meanwhile.
    public var isEmpty: Bool { !timeMapping.source.start.isNumeric }

    /// Whether the other object is a segment with the same mapping.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAssetTrackSegment)?.timeMapping == timeMapping
    }

    /// Equal for equal segments.
    open override var hash: Int { timeMapping.hashValue }

    /// The mapping, for debugging.
    open override var description: String { "AVAssetTrackSegment(\(timeMapping))" }
}

extension AVAssetTrackSegment {
    /// The time of the media that is shown at a time of the asset; invalid where there is none.
    func mediaTime(at time: CMTime) -> CMTime {
        guard !isEmpty, timeMapping.target.containsTime(time) else { return .invalid }
        return CMTimeMapTimeFromRangeToRange(time, fromRange: timeMapping.target, toRange: timeMapping.source)
    }
}
