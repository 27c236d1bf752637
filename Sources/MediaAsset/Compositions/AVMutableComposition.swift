public import Foundation
public import MediaCore
internal import MediaMetadata

/// A composition that can be changed.
///
/// Each change happens whole or not at all, from any thread; who loads properties, makes stills or exports meanwhile gets
/// what the composition is when that begins.
///
/// ```swift
/// let composition = AVMutableComposition()
/// try await composition.insertTimeRange(CMTimeRange(start: start, duration: length), of: first, at: .invalid)
/// try await composition.insertTimeRange(CMTimeRange(start: .zero, duration: .positiveInfinity), of: second, at: .invalid)
/// ```
open class AVMutableComposition: AVComposition, @unchecked Sendable {
    // @unchecked Sendable: as AVComposition.

    override init(_ content: CompositionContent) { super.init(content) }

    /// Makes a composition without tracks.
    public convenience init() { self.init(CompositionContent()) }

    /// Makes a composition without tracks.
    ///
    /// - Parameter urlAssetInitializationOptions: Without effect: assets that pieces are taken of were made already.
    public convenience init(urlAssetInitializationOptions: [String: Any]? = nil) { self.init(CompositionContent()) }

    override func makePart(_ track: CompositionContent.Track) -> AVCompositionTrack {
        AVMutableCompositionTrack(state, track, source: source, of: self)
    }

    /// A composition of the same content that does not change any more.
    open override func copy(with zone: NSZone? = nil) -> Any { AVComposition(state.content) }

    private func change<Result>(_ body: (inout CompositionContent) throws -> Result) rethrows -> Result {
        let result = try state.change(body)
        takeParts(of: state.content)
        for part in currentParts { part.propertyStore.forget() }
        return result
    }

    // MARK: Tracks

    /// Adds an empty track.
    ///
    /// - Parameter preferredTrackID: Its number, if no other track has it; else, and with
    ///   `kCMPersistentTrackID_Invalid`, the lowest that is free.
    /// - Returns: The track; never `nil`.
    @discardableResult
    public func addMutableTrack(
        withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
    ) -> AVMutableCompositionTrack? {
        let id = change { content in
            let isFree = preferredTrackID > 0 && content.index(ofTrack: preferredTrackID) == nil
            let id = isFree ? preferredTrackID : content.unusedTrackID
            content.tracks.append(CompositionContent.Track(trackID: id, mediaType: mediaType))
            return id
        }
        return track(withTrackID: id)
    }

    /// Takes a track out.
    public func removeTrack(_ track: AVCompositionTrack) {
        change { content in content.tracks.removeAll { $0.trackID == track.trackID } }
    }

    /// A track that pieces of another one can be put into: the first of its kind; `nil` if there is none.
    public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
        tracks(withMediaType: track.mediaType).first
    }

    // MARK: Editing all tracks

    /// Puts a piece of an asset in, all its tracks; what is there from that time on moves back.
    ///
    /// The asset's tracks go into the composition's of the same kinds, in order; what there is no track for gets a new
    /// one, which takes over language, transform and whether it is enabled. Tracks that get nothing are empty meanwhile.
    ///
    /// - Parameters:
    ///   - timeRange: On the asset's timeline. One without end goes up to the asset's end.
    ///   - asset: Another composition, or an asset of a file.
    ///   - startTime: Where on the composition's timeline it is put; at the end for one that is not valid.
    /// - Throws: As `AVMutableCompositionTrack.insertTimeRange(_:of:at:)`.
    public func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
        try insert(timeRange, of: asset, at: startTime, tracks: asset.makeTracks())
    }

    /// Puts a piece of some tracks of an asset in.
    final func insert(
        _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime, tracks: [AVAssetTrack]
    ) throws {
        let range = try CompositionEdit.range(timeRange, of: asset.source.describe())
        let sources = try tracks.map { (track: $0, segments: try CompositionEdit.segments(of: $0, in: range)) }
        try change { content in
            let time = try CompositionEdit.place(startTime, orEnd: content.duration)
            try content.insert(sources, for: range.duration, at: time)
        }
    }

    /// Puts a piece of an asset in, all its tracks, off the calling thread.
    ///
    /// - Parameters:
    ///   - timeRange: On the asset's timeline. One without end goes up to the asset's end.
    ///   - asset: Another composition, or an asset of a file.
    ///   - startTime: Where on the composition's timeline it is put; at the end for one that is not valid.
    /// - Throws: As the form that blocks.
    public func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) async throws {
        try await BlockingWork.run { try self.insertNow(timeRange, of: asset, at: startTime) }
    }

    private func insertNow(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
        try insertTimeRange(timeRange, of: asset, at: startTime)
    }

    /// Puts emptiness into all tracks; what is there from its start on moves back.
    ///
    /// Nothing happens to tracks that end before.
    ///
    /// - Parameter timeRange: On the composition's timeline.
    public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isUsable else { return }
        change { content in
            for index in content.tracks.indices { content.tracks[index].timeline.insertEmpty(timeRange) }
        }
    }

    /// Takes a range out of all tracks; what follows moves up.
    ///
    /// - Parameter timeRange: On the composition's timeline.
    public func removeTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.start.isNumeric, timeRange.isValid else { return }
        change { content in
            for index in content.tracks.indices { content.tracks[index].timeline.remove(timeRange) }
        }
    }

    /// Shows a range of all tracks over another time; what follows moves back or up.
    ///
    /// - Parameters:
    ///   - timeRange: On the composition's timeline.
    ///   - duration: More than zero.
    public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard timeRange.isUsable, duration.isNumeric else { return }
        change { content in
            for index in content.tracks.indices { content.tracks[index].timeline.scale(timeRange, to: duration) }
        }
    }
}

extension AVAsynchronousKeyValueLoading where Self: AVMutableComposition {
    /// The tracks, in the order in which they were added.
    public var tracks: [AVMutableCompositionTrack] { currentMutableParts }

    /// The track with a number, `nil` if there is none.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableCompositionTrack? {
        currentMutableParts.first { $0.trackID == trackID }
    }

    /// The tracks of one kind, in order.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] {
        currentMutableParts.filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in order.
    public func tracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> [AVMutableCompositionTrack] {
        currentMutableParts.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// The track with a number, `nil` if there is none.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVMutableCompositionTrack? {
        track(withTrackID: trackID)
    }

    /// The tracks of one kind, in order.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVMutableCompositionTrack] {
        tracks(withMediaType: mediaType)
    }

    /// The tracks whose media have a characteristic, in order.
    ///
    /// - Throws: Nothing: a composition knows its tracks.
    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVMutableCompositionTrack] {
        tracks(withMediaCharacteristic: mediaCharacteristic)
    }

    /// The size of the pictures in pixels, before they are turned: that of the first track of pictures until it is set.
    public var naturalSize: CGSize {
        get { currentNaturalSize }
        nonmutating set { setNaturalSize(newValue) }
    }
}

extension AVMutableComposition {
    var currentMutableParts: [AVMutableCompositionTrack] {
        currentParts.compactMap { $0 as? AVMutableCompositionTrack }
    }

    func setNaturalSize(_ size: CGSize) {
        state.change { $0.naturalSize = size.width > 0 && size.height > 0 ? size : nil }
        propertyStore.forget()
    }
}

extension AVPartialAsyncProperty where Root: AVMutableComposition {
    /// The tracks, in the order in which they were added.
    public static var tracks: AVAsyncProperty<Root, [AVMutableCompositionTrack]> {
        AVAsyncProperty(
            MediaProperty<AVAsset, _>("mutableCompositionTracks") { asset in
                (asset as? AVMutableComposition)?.currentMutableParts ?? []
            }
        ) { $0 }
    }
}

extension AVURLAsset {
    /// The track that pieces of a composition's track can be taken of: the first of its kind; `nil` if there is none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func findCompatibleTrack(for compositionTrack: AVCompositionTrack) async throws -> AVAssetTrack? {
        try await loadTracks(withMediaType: compositionTrack.mediaType).first
    }

    /// The track that pieces of a composition's track can be taken of; blocks.
    ///
    /// `nil` if there is none or the file cannot be read.
    public func compatibleTrack(for compositionTrack: AVCompositionTrack) -> AVAssetTrack? {
        tracks(withMediaType: compositionTrack.mediaType).first
    }
}

extension AVMutableComposition {
    /// A part of an asset, to be put beside others; beyond AVFoundation.
    public struct Piece: Sendable {
        /// The asset.
        public var asset: AVAsset
        /// On the asset's timeline; one without end goes up to its end.
        public var timeRange: CMTimeRange

        /// Makes a piece; by default of all of the asset.
        public init(
            _ asset: AVAsset, in timeRange: CMTimeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        ) {
            (self.asset, self.timeRange) = (asset, timeRange)
        }
    }

    /// Makes one film of pieces of others, one after the other, as editing programs do.
    ///
    /// Beyond AVFoundation. Unlike a composition that is put together track by track, it has the metadata of the first
    /// piece's asset, chapters where the edit has moved them, and pictures that are upright in every piece. When it is
    /// exported, its tracks stay apart: the second track of sound is another language, not to be mixed with the first.
    ///
    /// - Throws: As `insertTimeRange(_:of:at:)`; `AVError.invalidCompositionTrackSegmentDuration` without pieces.
    /// - Complexity: Opens all assets.
    public convenience init(joining pieces: [Piece]) async throws {
        self.init()
        let composition = self
        try await BlockingWork.run { try composition.join(pieces) }
    }

    private func join(_ pieces: [Piece]) throws {
        guard let first = pieces.first else {
            throw AVError(.invalidCompositionTrackSegmentDuration, reason: "there is nothing to join")
        }
        for (index, piece) in pieces.enumerated() {
            do {
                try insert(
                    piece.timeRange, of: piece.asset, at: .invalid, tracks: piece.asset.makeTracksWithoutChapters())
            } catch let error as AVError where pieces.count > 1 {
                let film = (piece.asset as? AVURLAsset).map { ", \($0.url.lastPathComponent)" } ?? ""
                throw AVError(
                    error.code, reason: "piece \(index + 1)\(film): \(error.reason)",
                    information: error.userInfo.filter { $0.key == NSUnderlyingErrorKey })
            }
        }
        state.change { content in
            (content.metadataSource, content.keepsTracksApart) = (first.asset.source, true)
            for index in content.tracks.indices where content.tracks[index].mediaType == .video {
                content.tracks[index].turnUpright()
            }
        }
    }
}

extension AVAsset {
    /// The asset itself if it is a composition, else a composition of all of it: each track under its number, with the
    /// metadata of the file.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    package func composed() throws -> AVComposition {
        if let composition = self as? AVComposition { return composition }
        let whole = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var content = CompositionContent()
        (content.metadataSource, content.keepsTracksApart) = (source, true)
        for track in try makeTracksWithoutChapters() {
            var new = CompositionContent.Track(trackID: track.trackID, mediaType: track.mediaType)
            new.take(labelsOf: track.track)
            new.timeline.insert(try CompositionEdit.segments(of: track, in: whole), at: .zero)
            content.tracks.append(new)
        }
        return AVComposition(content)
    }

    /// A composition of some of the asset's tracks, which are seen and heard together whether they are enabled or not.
    package func composed(ofTracks trackIDs: Set<CMPersistentTrackID>) throws -> AVComposition {
        var content = try composed().state.content
        content.keepsTracksApart = false
        content.tracks.removeAll { !trackIDs.contains($0.trackID) }
        for index in content.tracks.indices { content.tracks[index].isEnabled = true }
        return AVComposition(content)
    }

    /// The tracks but those that hold the chapters, which are told as such.
    fileprivate func makeTracksWithoutChapters() throws -> [AVAssetTrack] {
        let chapters = Set(try source.metadata().chapterLists.compactMap(\.trackID))
        return try makeTracks().filter { !chapters.contains($0.trackID) }
    }
}

extension CompositionContent.Track {
    /// Has each file's pictures turned by themselves where files differ.
    fileprivate mutating func turnUpright() {
        let turns = Set(timeline.segments.compactMap(\.media)).map { try? $0.track().video?.preferredTransform }
        guard turns.contains(where: { $0 != turns[0] }) else { return }
        (turnsMedia, preferredTransform) = (true, .identity)
    }
}
