public import Foundation
public import MediaCore

/// The number of a track in its asset.
public typealias CMPersistentTrackID = Int32

/// Timed audiovisual media: what it contains, loaded when asked for.
///
/// Creating an asset touches no file. Properties are loaded with `load(_:)`
/// on threads of their own, each thing once; the first one opens the file.
/// Times are on the asset's timeline, which begins at zero.
///
/// Opening reads headers and indexes; of transport streams also the last four megabytes, and where the
/// duration would be a guess all packets, undecoded. Metadata is read apart from that, media hopped over.
/// What was read is kept as long as the asset, and the file stays open; any number of tasks may ask.
/// Cancelling one ends its wait, while the work goes on for others; `cancelLoading()` ends the work.
///
/// What cannot be opened fails with an `AVError`: `failedToLoadMediaData` where there is no such file, it may not be
/// read (a `CocoaError` is under it) or reading fails; `fileFormatNotRecognized` for bytes of no known format, and of
/// one that is not supported or not allowed; `fileFailedToParse` for a damaged file; `decoderNotFound` for a codec;
/// `operationNotSupportedForAsset` where a limit on size or time is hit and `outOfMemory` where memory is short, with
/// a `MediaLimitError` under it; `noSourceTrack` without the video track that `AVURLAssetVideoTrackIDKey` asks for;
/// `operationNotAllowed` for an address. A failure is remembered; loading again gives the same one.
///
/// An asset equals its copies and no other asset, not even one of the same file.
///
/// - Note: AVFoundation is known to throw an error of `NSURLErrorDomain` for a missing file; here it is an `AVError`.
/// - Note: AVFoundation's is not `Sendable`.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // @unchecked Sendable: every stored property is immutable and Sendable; a
    // class that is not final cannot state that in a checked way.

    package let source: AssetSource
    package let propertyStore: PropertyStore

    init(source: AssetSource) {
        self.source = source
        propertyStore = PropertyStore { source.isLocalFile }
        super.init()
    }

    // MARK: Identity

    /// The asset itself: it does not change, so that nobody needs another one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is this asset or a copy of it.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AVAsset)?.source === source }

    /// Equal for an asset and its copies.
    open override var hash: Int { ObjectIdentifier(source).hashValue }

    // MARK: Loading

    /// Stops all loading of the asset's properties; those that are not loaded yet become cancelled.
    ///
    /// They can be loaded again. What is loaded stays. Pictures that are made and exports go on.
    public func cancelLoading() {
        propertyStore.cancel()
        source.cancelReading()
    }

    /// What the file contains, as one value, beyond AVFoundation's API.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file once for the asset.
    public func loadDescription() async throws -> AssetDescription {
        let source = source
        return try await BlockingWork.run { try source.describe() }
    }

    // MARK: Tracks

    /// A number that no track has: the lowest above zero.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func findUnusedTrackID() async throws -> CMPersistentTrackID {
        try await loadAllTracks().unusedID
    }

    /// The time of a frame of the video track that stills are made of, by its
    /// number in order of presentation, beyond AVFoundation's API.
    ///
    /// Numbers count the pictures that are shown when the file is decoded from
    /// its beginning: not those that an edit list hides, nor leading ones whose
    /// references are missing; damaged ones count.
    ///
    /// - Parameter number: Counted from 0; -1 is the last frame, -2 the one before.
    /// - Returns: The frame's presentation time on the asset's timeline.
    /// - Throws: `AVError.noImageAtTime` if there are not as many frames, `AVError.noSourceTrack` without video;
    ///   else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: The first call reads all packets of the file, without decoding; all frames' times are kept.
    public func loadTime(ofFrame number: Int) async throws -> CMTime {
        let source = source
        return try await BlockingWork.run { try source.time(ofFrame: number) }
    }

    /// The times of the sync samples of the video track that stills are made of, in ascending
    /// order, beyond AVFoundation's API.
    ///
    /// - Throws: `AVError.noSourceTrack` without video; else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: As `loadTime(ofFrame:)`.
    public func loadSyncSampleTimes() async throws -> [CMTime] { try await loadSyncSamples().times }

    /// The sync samples of the video track that stills are made of, and those that are missing, beyond
    /// AVFoundation's API.
    ///
    /// - Throws: `AVError.noSourceTrack` without video; else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: As `loadTime(ofFrame:)`.
    public func loadSyncSamples() async throws -> SyncSampleList {
        let source = source
        return try await BlockingWork.run { try source.syncSamples() }
    }

    /// All tracks, for those who choose among them.
    final func loadAllTracks() async throws -> [AVAssetTrack] {
        let asset = self
        return try await BlockingWork.run { try AssetProperties.all.tracks.loaded(by: asset) }
    }

    /// Makes the objects of the tracks, in container order.
    func makeTracks() throws -> [AVAssetTrack] { try source.makeTracks(of: self) }
}

// Members that subclasses have with narrower types are the protocol's: nothing in Swift overrides an array of one class by
// an array of another, but a subclass may have its own member beside a protocol's.

extension AVAsynchronousKeyValueLoading where Self: AVAsset {
    /// The track with a number, `nil` if there is none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try await loadAllTracks().first { $0.trackID == trackID }
    }

    /// The tracks of one kind, in container order; empty if there are none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await loadAllTracks().filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in container order; empty if there are none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadTracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) async throws -> [AVAssetTrack]
    {
        try await loadAllTracks().filter { $0.track.characteristics.contains(characteristic) }
    }
}

extension [AVAssetTrack] {
    /// A number that no track has: the lowest above zero.
    var unusedID: CMPersistentTrackID {
        let used = Set(map(\.trackID))
        return (1...Int32.max).first { !used.contains($0) } ?? 0
    }
}

extension AVAsynchronousKeyValueLoading where Self == AVAsset {
    // An initialiser of a class makes an object of that class; one of a protocol gives whatever it has made. For
    // AVAsset alone, so that a subclass has its own initialisers only.

    /// An ``AVURLAsset`` of a file, without options; touches no file.
    ///
    /// - Note: Deprecated by AVFoundation in favour of `AVURLAsset(url:)`.
    public init(url: URL) { self = AVURLAsset(url: url, options: nil) }
}

extension AssetSource {
    func time(ofFrame number: Int) throws -> CMTime {
        if let remote { return try remote.time(ofFrame: number) }
        let description = try describe()
        guard let track = description.videoTrack else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        let scan = try scan(stream: track.streamIndex)
        let index = number < 0 ? scan.ticks.count + number : number
        guard scan.ticks.indices.contains(index) else {
            throw AVError(
                .noImageAtTime, reason: "there is no frame #\(number): the video has \(scan.ticks.count) frames")
        }
        return scan.time(ofFrame: index).distance(from: description.origin, .later)
    }
}

extension AssetSource {
    func syncSamples() throws -> SyncSampleList {
        if let remote { return try remote.syncSamples() }
        let description = try describe()
        guard let track = description.videoTrack else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        let scan = try scan(stream: track.streamIndex)
        let origin = description.origin
        return SyncSampleList(
            times: scan.times(of: scan.syncTicks, since: origin),
            missingTimes: scan.times(of: scan.missingSyncTicks, since: origin),
            lastFrameTime: scan.times(of: scan.ticks.suffix(1), since: origin).last, truncation: scan.truncation)
    }
}

extension AssetDescription {
    /// The track that stills are made of: the one asked for, else the first enabled
    /// video track with more than one picture, with pictures, else the first video track.
    ///
    /// Cover art is none.
    package var videoTrack: TrackDescription? {
        let videos = tracks.filter { $0.mediaType == .video }
        if let chosenVideoTrackID { return videos.first { $0.trackID == chosenVideoTrackID } }
        let enabled = videos.filter { $0.isEnabled && $0.hasPicture }
        return enabled.first { !$0.isSinglePicture } ?? enabled.first ?? videos.first
    }
}

extension AssetDescription {
    /// Takes a video track other than the usual one.
    ///
    /// - Throws: `AVError.noSourceTrack` naming the tracks that there are.
    mutating func chooseVideoTrack(_ trackID: Int32) throws {
        let known = tracks.filter { $0.mediaType == .video }.map { String($0.trackID) }
        guard known.contains(String(trackID)) else {
            let others =
                switch known.count {
                case 0: "the file has no video track"
                case 1: "the only one is track \(known[0])"
                default: "there are " + known.dropLast().joined(separator: ", ") + " and " + known[known.count - 1]
                }
            throw AVError(.noSourceTrack, reason: "track \(trackID) is no video track; \(others)")
        }
        chosenVideoTrackID = trackID
    }
}

extension TrackDescription {
    fileprivate var hasPicture: Bool { video.map { $0.codedSize.width > 0 && $0.codedSize.height > 0 } ?? false }
}

extension AVAsset {
    /// Where a time that a person wrote lies in the asset, beyond AVFoundation's API.
    ///
    /// - Returns: A numeric time on the asset's timeline; seconds may lie beyond its end.
    /// - Throws: `TimeExpressionError` or `AVError.noImageAtTime` if it has no
    ///   place there; else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file. A frame's number, and a timecode of pictures that are labelled one by one,
    ///   cost as much as `loadTime(ofFrame:)`.
    public func loadTime(of expression: TimeExpression) async throws -> CMTime {
        let description = try await loadDescription()
        return try await expression.resolve(duration: description.duration, timecode: description.timecodeScale) {
            try await loadTime(ofFrame: $0)
        }
    }

    /// Where a range that a person wrote lies in the asset, beyond AVFoundation's API.
    ///
    /// - Returns: A range on the asset's timeline that is not empty; it may go beyond its end.
    /// - Throws: `TimeExpressionError` or `AVError.noImageAtTime` if it has no
    ///   place there; else what opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: As `loadTime(of:)`.
    public func loadTimeRange(of expression: TimeRangeExpression) async throws -> CMTimeRange {
        let description = try await loadDescription()
        return try await expression.resolve(duration: description.duration, timecode: description.timecodeScale) {
            try await loadTime(ofFrame: $0)
        }
    }
}

/// Which references to other files or addresses an asset does not follow.
public struct AVAssetReferenceRestrictions: OptionSet, Sendable {
    /// One bit for each restriction.
    public let rawValue: UInt
    /// Makes restrictions of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Those of an asset at an address to local files.
    public static let forbidRemoteReferenceToLocal = AVAssetReferenceRestrictions(rawValue: 1 << 0)
    /// Those of a local asset to addresses.
    public static let forbidLocalReferenceToRemote = AVAssetReferenceRestrictions(rawValue: 1 << 1)
    /// Those of an asset at an address to addresses of other sites.
    public static let forbidCrossSiteReference = AVAssetReferenceRestrictions(rawValue: 1 << 2)
    /// Those of a local asset to local files.
    public static let forbidLocalReferenceToLocal = AVAssetReferenceRestrictions(rawValue: 1 << 3)
    /// All of them.
    public static let forbidAll = AVAssetReferenceRestrictions(rawValue: 0xFFFF)
    /// What AVFoundation forbids unless it is asked for something else: `forbidLocalReferenceToRemote`.
    public static let defaultPolicy: AVAssetReferenceRestrictions = .forbidLocalReferenceToRemote
}
