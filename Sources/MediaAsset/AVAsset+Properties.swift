public import Foundation
public import MediaCore
public import MediaMetadata

extension AVPartialAsyncProperty where Root: AVAsset {
    /// How long the asset lasts on its timeline, from zero on; indefinite if the file does not tell.
    ///
    /// A guess by size and bit rate is replaced by a pass over all packets, but not of a pipe.
    public static var duration: AVAsyncProperty<Root, CMTime> { property(AssetProperties.all.duration) }

    /// Whether the duration rests on the samples or an exact header rather than
    /// on a guess; false for some pipes only.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.providesPreciseDurationAndTiming)
    }

    /// The speed to play at that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public static var preferredRate: AVAsyncProperty<Root, Float> { property(AssetProperties.all.preferredRate) }

    /// The volume that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public static var preferredVolume: AVAsyncProperty<Root, Float> { property(AssetProperties.all.preferredVolume) }

    /// The movie's own transform: the identity, because it is part of each
    /// track's `preferredTransform`.
    ///
    /// - Note: AVFoundation's is the matrix of the movie header.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property(AssetProperties.all.preferredTransform)
    }

    /// The tracks in container order; cover art is none.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { property(AssetProperties.all.tracks) }

    /// The tracks of which one is to be played, where a movie or MP4 file groups them; empty if there are none.
    public static var trackGroups: AVAsyncProperty<Root, [AVAssetTrackGroup]> {
        property(AssetProperties.all.trackGroups)
    }

    /// Invalid: files are not live.
    ///
    /// - Note: AVFoundation's is numeric for live streams.
    public static var minimumTimeOffsetFromLive: AVAsyncProperty<Root, CMTime> {
        property(AssetProperties.all.minimumTimeOffsetFromLive)
    }

    /// Whether the movie header allows fragments; false in other containers.
    public static var canContainFragments: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.canContainFragments)
    }

    /// Whether the movie is in fragments, at least in part; false in other containers.
    public static var containsFragments: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.containsFragments)
    }

    /// How long the fragments last in all, as the movie header announced it before they were written; invalid if
    /// it does not tell.
    public static var overallDurationHint: AVAsyncProperty<Root, CMTime> {
        property(AssetProperties.all.overallDurationHint)
    }

    /// Whether samples of any track are encrypted.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.hasProtectedContent)
    }

    /// Whether there is a video or an audio track, and nothing is encrypted; no decoder is asked.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { property(AssetProperties.all.isPlayable) }

    /// Whether an export session can take the asset: as `isPlayable`.
    ///
    /// Whether a preset can is up to `AVAssetExportSession.compatibility(ofExportPreset:with:outputFileType:)`.
    public static var isExportable: AVAsyncProperty<Root, Bool> { property(AssetProperties.all.isExportable) }

    /// Whether the asset has tracks that compositions can take pieces of: as `isPlayable`.
    public static var isComposable: AVAsyncProperty<Root, Bool> { property(AssetProperties.all.isComposable) }

    /// Whether samples can be read: always, unless protected.
    public static var isReadable: AVAsyncProperty<Root, Bool> { property(AssetProperties.all.isReadable) }
}

// Properties that block until they are loaded. AVFoundation deprecates them in
// favour of `load(_:)`; they are here for code that has not moved on.

extension AVAsset {
    /// How long the asset lasts; blocks.
    ///
    /// Indefinite if the file cannot be read, or does not tell.
    public var duration: CMTime { value(AssetProperties.all.duration) ?? .indefinite }

    /// Whether the duration is exact; blocks.
    ///
    /// False if the file cannot be read, as with the other questions here.
    public var providesPreciseDurationAndTiming: Bool {
        value(AssetProperties.all.providesPreciseDurationAndTiming) ?? false
    }

    /// The speed to play at that the movie header asks for, where 1 is the media's own; blocks.
    public var preferredRate: Float { value(AssetProperties.all.preferredRate) ?? 1 }

    /// The volume that the movie header asks for, where 1 is the media's own; blocks.
    public var preferredVolume: Float { value(AssetProperties.all.preferredVolume) ?? 1 }

    /// The movie's own transform, the identity; blocks.
    ///
    /// - Note: AVFoundation's is the matrix of the movie header.
    public var preferredTransform: CGAffineTransform { value(AssetProperties.all.preferredTransform) ?? .identity }

    /// The tracks of which one is to be played, where a movie or MP4 file groups them; blocks.
    ///
    /// Empty if there are none, or the file cannot be read.
    public var trackGroups: [AVAssetTrackGroup] { value(AssetProperties.all.trackGroups) ?? [] }

    /// Invalid: files are not live.
    ///
    /// - Note: AVFoundation's is numeric for live streams.
    public var minimumTimeOffsetFromLive: CMTime { value(AssetProperties.all.minimumTimeOffsetFromLive) ?? .invalid }

    /// Whether the movie header allows fragments; blocks.
    public var canContainFragments: Bool { value(AssetProperties.all.canContainFragments) ?? false }

    /// Whether the movie is in fragments, at least in part; blocks.
    public var containsFragments: Bool { value(AssetProperties.all.containsFragments) ?? false }

    /// How long the fragments last in all, as the movie header announced it; blocks.
    ///
    /// Invalid if it does not tell, or the file cannot be read.
    public var overallDurationHint: CMTime { value(AssetProperties.all.overallDurationHint) ?? .invalid }

    /// Whether samples are encrypted; blocks.
    public var hasProtectedContent: Bool { value(AssetProperties.all.hasProtectedContent) ?? false }

    /// Whether there is a video or an audio track, and nothing is encrypted; blocks.
    public var isPlayable: Bool { value(AssetProperties.all.isPlayable) ?? false }

    /// Whether an export session can take the asset: as `isPlayable`; blocks.
    public var isExportable: Bool { value(AssetProperties.all.isExportable) ?? false }

    /// Whether the asset has tracks that compositions can take pieces of: as `isPlayable`; blocks.
    public var isComposable: Bool { value(AssetProperties.all.isComposable) ?? false }

    /// Whether samples can be read: always, unless protected; blocks.
    public var isReadable: Bool { value(AssetProperties.all.isReadable) ?? false }

    /// Everything that there is to forbid: references to other files are never followed.
    ///
    /// - Note: AVFoundation's is what the asset was made with.
    public var referenceRestrictions: AVAssetReferenceRestrictions { .forbidAll }

    /// A number that no track has, the lowest above zero; blocks.
    public func unusedTrackID() -> CMPersistentTrackID { tracks.unusedID }
}

// As in AVAsset.swift: a composition has these with narrower types.

extension AVAsynchronousKeyValueLoading where Self: AVAsset {
    /// The tracks in container order; blocks.
    ///
    /// Empty if the file cannot be read.
    public var tracks: [AVAssetTrack] { value(AssetProperties.all.tracks) ?? [] }

    /// The size of the video track that stills are made of, in pixels as coded; blocks.
    ///
    /// Zero without video, or if the file cannot be read. As in AVFoundation, `load(_:)` does not know it.
    public var naturalSize: CGSize {
        let size = try? source.describe().videoTrack?.video?.naturalSize
        return CGSize(width: size?.width ?? 0, height: size?.height ?? 0)
    }

    /// The track with a number, `nil` if there is none or the file cannot be read; blocks.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    /// The tracks of one kind, in container order; blocks.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in container order; blocks.
    public func tracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(characteristic) }
    }
}

// The asynchronous functions for code that does not await. Each calls its handler once, from any thread: with the
// value, or without it and with the error that the asynchronous form throws.

extension AVAsset {
    /// Finds the track with a number, then calls the handler: with `nil` twice if there is none.
    public func loadTrack(
        withTrackID trackID: CMPersistentTrackID,
        completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? nil, $1)
        } find: {
            try await self.loadTrack(withTrackID: trackID)
        }
    }

    /// Finds the tracks of one kind, in container order, then calls the handler.
    public func loadTracks(
        withMediaType mediaType: AVMediaType,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadTracks(withMediaType: mediaType) }
    }

    /// Finds the tracks whose media have a characteristic, in container order, then calls the handler.
    public func loadTracks(
        withMediaCharacteristic characteristic: AVMediaCharacteristic,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) {
            try await self.loadTracks(withMediaCharacteristic: characteristic)
        }
    }

    /// Finds a number that no track has, then calls the handler: with 0 if the file cannot be read.
    public func findUnusedTrackID(
        completionHandler: @escaping @Sendable (CMPersistentTrackID, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? 0, $1)
        } find: {
            try await self.findUnusedTrackID()
        }
    }

    /// Finds the items of one format, in file order, then calls the handler.
    public func loadMetadata(
        for format: AVMetadataFormat,
        completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadMetadata(for: format) }
    }

    /// Finds the chapters with titles in one language, then calls the handler.
    ///
    /// - Parameters:
    ///   - commonKeys: As in `loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)`.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = [],
        completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) {
            try await self.loadChapterMetadataGroups(
                withTitleLocale: locale, containingItemsWithCommonKeys: commonKeys)
        }
    }

    /// Finds the chapters with titles in the first of several languages that there is, then calls the handler.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String],
        completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) {
            try await self.loadChapterMetadataGroups(bestMatchingPreferredLanguages: languages)
        }
    }
}

/// The properties of an asset, and what finds their values.
struct AssetProperties: Sendable {
    typealias Property<Value> = MediaProperty<AVAsset, Value>

    static let all = AssetProperties()
    static let registry = PropertyRegistry<AVAsset>(all)

    let duration = Property("duration") { try $0.source.describe().duration }
    let providesPreciseDurationAndTiming = Property("providesPreciseDurationAndTiming") {
        try !$0.source.describe().durationIsEstimate
    }
    let preferredRate = Property("preferredRate") { try $0.source.describe().preferredRate }
    let preferredVolume = Property("preferredVolume") { try $0.source.describe().preferredVolume }
    let preferredTransform = Property("preferredTransform") { asset in
        _ = try asset.source.describe()
        return CGAffineTransform.identity
    }
    let tracks = Property("tracks") { try $0.makeTracks() }
    let trackGroups = Property("trackGroups") { try $0.source.describe().trackGroups }
    let minimumTimeOffsetFromLive = Property("minimumTimeOffsetFromLive") { asset in
        _ = try asset.source.describe()
        return CMTime.invalid
    }
    let canContainFragments = Property("canContainFragments") { try $0.source.describe().canContainFragments }
    let containsFragments = Property("containsFragments") { try $0.source.describe().containsFragments }
    let overallDurationHint = Property("overallDurationHint") { try $0.source.describe().overallDurationHint }
    let hasProtectedContent = Property("hasProtectedContent") { try $0.source.describe().hasProtectedContent }
    let isPlayable = Property("isPlayable", keyValueName: "playable") { try $0.source.describe().isPlayable }
    let isExportable = Property("isExportable", keyValueName: "exportable") { try $0.source.describe().isPlayable }
    let isComposable = Property("isComposable", keyValueName: "composable") { try $0.source.describe().isPlayable }
    let isReadable = Property("isReadable", keyValueName: "readable") {
        try !$0.source.describe().hasProtectedContent
    }

    let availableMediaCharacteristicsWithMediaSelectionOptions = Property(
        "availableMediaCharacteristicsWithMediaSelectionOptions"
    ) { try $0.source.mediaSelectionGroups().map(\.characteristic) }
    let preferredMediaSelection = Property("preferredMediaSelection") {
        AVMediaSelection(of: $0, choosing: try $0.source.mediaSelectionGroups().map { ($0, $0.defaultOption) })
    }
    let allMediaSelections = Property("allMediaSelections") { asset in
        try asset.source.mediaSelectionGroups().combinations.map { AVMediaSelection(of: asset, choosing: $0) }
    }

    let metadata = Property("metadata") { try $0.source.metadataItems() }
    let commonMetadata = Property("commonMetadata") { try $0.source.metadataItems().common }
    let availableMetadataFormats = Property("availableMetadataFormats") { try $0.source.metadataItems().formats }
    let creationDate = Property("creationDate") { try $0.source.creationDate() }
    let lyrics = Property("lyrics") { try $0.source.metadata().entries.lyrics }
    let availableChapterLocales = Property("availableChapterLocales") { try $0.source.chapterMetadata().locales }
}

extension AssetSource {
    /// The tracks in container order.
    func makeTracks(of asset: AVAsset?) throws -> [AVAssetTrack] {
        try describe().tracks.map { AVAssetTrack(source: self, track: $0, of: asset) }
    }
}

extension AVAsset: PropertyOwner {
    /// The property that key-value loading knows by a key.
    package func property(forKey key: String) -> KeyedProperty? {
        AssetProperties.registry.property(forKey: key, of: self)
    }

    /// The blocking form of a property; `nil` if the file cannot be read.
    func value<Value>(_ property: AssetProperties.Property<Value>) -> Value? { property.value(of: self) }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    /// The asynchronous form of a property.
    static func property<Value>(_ property: AssetProperties.Property<Value>) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(property) { $0 }
    }
}

extension AssetDescription {
    fileprivate var isPlayable: Bool {
        !hasProtectedContent && tracks.contains { $0.mediaType == .video || $0.mediaType == .audio }
    }
}
