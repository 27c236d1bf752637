internal import Foundation
package import MediaCore
internal import MediaMetadata
internal import SampleBuffers

/// The properties of a track, and what finds their values.
struct TrackProperties: Sendable {
    typealias Property<Value> = MediaProperty<AVAssetTrack, Value>

    static let all = TrackProperties()
    static let registry = PropertyRegistry<AVAssetTrack>(all)

    let formatDescriptions = Property("formatDescriptions") { track in
        track.track.codec.isEmpty && track.source.composition != nil ? [] : [CMFormatDescription(track: track.track)]
    }
    let isEnabled = Property("isEnabled", keyValueName: "enabled") { $0.track.isEnabled }
    let isPlayable = Property("isPlayable", keyValueName: "playable") { $0.source.canDecode($0.track) }
    let isDecodable = Property("isDecodable", keyValueName: "decodable") { $0.source.canDecode($0.track) }
    let isSelfContained = Property("isSelfContained", keyValueName: "selfContained") { _ in true }
    let totalSampleDataLength = Property("totalSampleDataLength") { try $0.source.sampleDataLength(of: $0.track) }
    let mediaCharacteristics = Property("mediaCharacteristics") { $0.track.characteristics }
    let timeRange = Property("timeRange") { $0.track.timeRange }
    let naturalTimeScale = Property("naturalTimeScale") { $0.track.timescale }
    let estimatedDataRate = Property("estimatedDataRate") { Float($0.track.estimatedDataRate) }
    let languageCode = Property("languageCode") { $0.track.language }
    let extendedLanguageTag = Property("extendedLanguageTag") { $0.track.extendedLanguageTag }
    let naturalSize = Property("naturalSize") { $0.track.video?.naturalSize ?? CGSize.zero }
    let preferredTransform = Property("preferredTransform") {
        $0.track.video?.preferredTransform ?? CGAffineTransform.identity
    }
    let preferredVolume = Property("preferredVolume") { Float($0.mediaType == .audio ? 1 : 0) }
    let nominalFrameRate = Property("nominalFrameRate") { Float($0.track.video?.nominalFrameRate ?? 0) }
    let minFrameDuration = Property("minFrameDuration") { $0.track.video?.minFrameDuration ?? CMTime.invalid }
    let requiresFrameReordering = Property("requiresFrameReordering") {
        $0.track.video?.requiresFrameReordering ?? false
    }
    let hasAudioSampleDependencies = Property("hasAudioSampleDependencies") { $0.track.hasAudioSampleDependencies }
    let canProvideSampleCursors = Property("canProvideSampleCursors") { $0.source.providesSamples }
    let availableTrackAssociationTypes = Property("availableTrackAssociationTypes") { $0.track.associationTypes }
    let segments = Property("segments") { $0.track.segments }

    let metadata = Property("metadata") { try $0.source.metadataItems(of: $0.track) }
    let commonMetadata = Property("commonMetadata") { try $0.source.metadataItems(of: $0.track).common }
    let availableMetadataFormats = Property("availableMetadataFormats") {
        try $0.source.metadataItems(of: $0.track).formats
    }
}

extension AVAssetTrack: PropertyOwner {
    /// The property that key-value loading knows by a key.
    package func property(forKey key: String) -> KeyedProperty? {
        TrackProperties.registry.property(forKey: key, of: self)
    }

    /// The blocking form of a property; `nil` if the file cannot be read.
    func value<Value>(_ property: TrackProperties.Property<Value>) -> Value? { property.value(of: self) }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The asynchronous form of a property.
    static func property<Value>(_ property: TrackProperties.Property<Value>) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(property) { $0 }
    }
}
