internal import Foundation
package import MediaCore
internal import MediaMetadata

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
