public import Foundation
public import MediaCore

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
