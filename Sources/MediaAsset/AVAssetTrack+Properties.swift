public import Foundation
public import MediaCore
public import MediaMetadata
public import SampleBuffers

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// How the samples are coded: one description.
    ///
    /// - Note: AVFoundation's has one for each sample entry.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        property(TrackProperties.all.formatDescriptions)
    }
    /// Whether the file asks for the track to be played; true where the container cannot say.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { property(TrackProperties.all.isEnabled) }
    /// Whether the track can be played: as `isDecodable`, since no speed is asked for.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { property(TrackProperties.all.isPlayable) }
    /// Whether there is a decoder for the pictures, sound or text, and the samples are not encrypted; false for other
    /// kinds of tracks.
    public static var isDecodable: AVAsyncProperty<Root, Bool> { property(TrackProperties.all.isDecodable) }
    /// Whether all samples lie in the file itself: references to other files are never followed.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> { property(TrackProperties.all.isSelfContained) }
    /// How many bytes all samples have; 0 for a pipe that is not read to its end.
    ///
    /// Movies without fragments tell it; in other files all packets are read for it, undecoded.
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
        property(TrackProperties.all.totalSampleDataLength)
    }
    /// What the media are like, by kind, colour tags and alpha; then what the file says they are for.
    public static var mediaCharacteristics: AVAsyncProperty<Root, [AVMediaCharacteristic]> {
        property(TrackProperties.all.mediaCharacteristics)
    }
    /// Where on the asset's timeline the track lies; a start after zero is a gap.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { property(TrackProperties.all.timeRange) }
    /// Ticks in each second of the media.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        property(TrackProperties.all.naturalTimeScale)
    }
    /// Bits for each second on average, 0 if unknown.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        property(TrackProperties.all.estimatedDataRate)
    }
    /// ISO 639-2 code, `nil` if unknown.
    public static var languageCode: AVAsyncProperty<Root, String?> { property(TrackProperties.all.languageCode) }
    /// BCP 47 tag, `nil` if the file has none.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        property(TrackProperties.all.extendedLanguageTag)
    }
    /// The size in pixels that the track says it has, before it is turned; zero for tracks that show nothing.
    ///
    /// - Note: AVFoundation's is the track header's whatever it is; here one that cannot be meant counts for nothing, and
    ///   the clean aperture with square pixels stands for it.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> { property(TrackProperties.all.naturalSize) }
    /// Maps the coded picture to the upright one, in pixels from the top left; the movie's own matrix is part of it.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property(TrackProperties.all.preferredTransform)
    }
    /// 1 for sound, 0 for anything else, whatever the file says.
    ///
    /// - Note: AVFoundation's is the volume of the track header.
    public static var preferredVolume: AVAsyncProperty<Root, Float> { property(TrackProperties.all.preferredVolume) }
    /// Frames for each second on average, 0 if unknown.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> { property(TrackProperties.all.nominalFrameRate) }
    /// How long the shortest frame lasts, by the container's rates; invalid if unknown.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> { property(TrackProperties.all.minFrameDuration) }
    /// Whether presentation order differs from decoding order.
    public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
        property(TrackProperties.all.requiresFrameReordering)
    }
    /// Whether some samples of sound cannot be decoded without those before; false for other media, and where the
    /// container does not list those that can.
    public static var hasAudioSampleDependencies: AVAsyncProperty<Root, Bool> {
        property(TrackProperties.all.hasAudioSampleDependencies)
    }
    /// Whether there are sample cursors: for files, and pipes that are read to their end.
    public static var canProvideSampleCursors: AVAsyncProperty<Root, Bool> {
        property(TrackProperties.all.canProvideSampleCursors)
    }
    /// In which ways the track refers to others, each once, in file order; movies and MP4 files have such references.
    public static var availableTrackAssociationTypes: AVAsyncProperty<Root, [AVAssetTrack.AssociationType]> {
        property(TrackProperties.all.availableTrackAssociationTypes)
    }
    /// The edit list, in ascending order of the asset's time; one segment over everything without one.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> { property(TrackProperties.all.segments) }
}

// Properties that block until they are loaded, which for a track they are, but for `totalSampleDataLength`.
// AVFoundation deprecates them in favour of `load(_:)`; they are here for code that has not moved on.

extension AVAssetTrack {
    /// How the samples are coded: one `CMFormatDescription`, untyped as in AVFoundation, whose list has one for each
    /// sample entry.
    public var formatDescriptions: [Any] { value(TrackProperties.all.formatDescriptions) ?? [] }
    /// Whether the track can be played: as `isDecodable`, since no speed is asked for.
    public var isPlayable: Bool { value(TrackProperties.all.isPlayable) ?? false }
    /// Whether there is a decoder for the pictures, sound or text, and the samples are not encrypted; false for other
    /// kinds of tracks.
    public var isDecodable: Bool { value(TrackProperties.all.isDecodable) ?? false }
    /// How many bytes all samples have; blocks.
    ///
    /// 0 for a pipe that is not read to its end, and where reading fails. Movies without fragments tell it; in other
    /// files all packets are read for it, undecoded.
    public var totalSampleDataLength: Int64 { value(TrackProperties.all.totalSampleDataLength) ?? 0 }
    /// Whether all samples lie in the file itself.
    public var isSelfContained: Bool { value(TrackProperties.all.isSelfContained) ?? false }
    /// Where on the asset's timeline the track lies; a start after zero is a gap.
    public var timeRange: CMTimeRange { value(TrackProperties.all.timeRange) ?? .invalid }
    /// Bits for each second on average, 0 if unknown.
    public var estimatedDataRate: Float { value(TrackProperties.all.estimatedDataRate) ?? 0 }
    /// The size in pixels that the track says it has, before it is turned; zero for tracks that show nothing.
    ///
    /// - Note: AVFoundation's is the track header's whatever it is; here one that cannot be meant counts for nothing, and
    ///   the clean aperture with square pixels stands for it.
    public var naturalSize: CGSize { value(TrackProperties.all.naturalSize) ?? .zero }
    /// Frames for each second on average, 0 if unknown.
    public var nominalFrameRate: Float { value(TrackProperties.all.nominalFrameRate) ?? 0 }
    /// How long the shortest frame lasts, by the container's rates; invalid if unknown.
    public var minFrameDuration: CMTime { value(TrackProperties.all.minFrameDuration) ?? .invalid }
    /// Whether presentation order differs from decoding order.
    public var requiresFrameReordering: Bool { value(TrackProperties.all.requiresFrameReordering) ?? false }
    /// Whether some samples of sound cannot be decoded without those before; false for other media, and where the
    /// container does not list those that can.
    public var hasAudioSampleDependencies: Bool { value(TrackProperties.all.hasAudioSampleDependencies) ?? false }
    /// Whether there are sample cursors: for files, and pipes that are read to their end.
    public var canProvideSampleCursors: Bool { value(TrackProperties.all.canProvideSampleCursors) ?? false }
    /// In which ways the track refers to others, each once, in file order; movies and MP4 files have such references.
    public var availableTrackAssociationTypes: [AssociationType] {
        value(TrackProperties.all.availableTrackAssociationTypes) ?? []
    }

    /// The media time that is shown at a time of the asset's timeline, by the edit list; invalid where the track is
    /// empty, and outside all segments.
    public func samplePresentationTime(forTrackTime time: CMTime) -> CMTime {
        segment(forTrackTime: time)?.mediaTime(at: time) ?? .invalid
    }

    /// The tracks that this one refers to in one way, in the order of its references; empty if there are none.
    public func associatedTracks(ofType type: AssociationType) -> [AVAssetTrack] {
        (try? findAssociatedTracks(ofType: type)) ?? []
    }

    /// Whether the media have a characteristic.
    public func hasMediaCharacteristic(_ characteristic: AVMediaCharacteristic) -> Bool {
        track.characteristics.contains(characteristic)
    }
}

// As in AVAsset.swift: a composition's track has these with narrower types, or lets them be set.

extension AVAsynchronousKeyValueLoading where Self: AVAssetTrack {
    /// Whether the file asks for the track to be played; true where the container cannot say.
    public var isEnabled: Bool { value(TrackProperties.all.isEnabled) ?? false }
    /// Ticks in each second of the media.
    public var naturalTimeScale: CMTimeScale { value(TrackProperties.all.naturalTimeScale) ?? 0 }
    /// ISO 639-2 code, `nil` if unknown.
    public var languageCode: String? { value(TrackProperties.all.languageCode) ?? nil }
    /// BCP 47 tag, `nil` if the file has none.
    public var extendedLanguageTag: String? { value(TrackProperties.all.extendedLanguageTag) ?? nil }
    /// Maps the coded picture to the upright one, in pixels from the top left; the movie's own matrix is part of it.
    public var preferredTransform: CGAffineTransform { value(TrackProperties.all.preferredTransform) ?? .identity }
    /// 1 for sound, 0 for anything else, whatever the file says.
    ///
    /// - Note: AVFoundation's is the volume of the track header.
    public var preferredVolume: Float { value(TrackProperties.all.preferredVolume) ?? 0 }
    /// The edit list, in ascending order of the asset's time; one segment over everything without one.
    public var segments: [AVAssetTrackSegment] { value(TrackProperties.all.segments) ?? [] }

    /// The segment at a time of the asset's timeline, the closest one if the time lies outside all of them; never `nil`.
    public func segment(forTrackTime time: CMTime) -> AVAssetTrackSegment? {
        let segments = track.segments
        return segments.first { $0.timeMapping.target.containsTime(time) }
            ?? (time < .zero ? segments.first : segments.last)
    }
}

// As those of AVAsset.

extension AVAssetTrack {
    /// Finds the segment at a time of the asset's timeline, then calls the handler.
    public func loadSegment(
        forTrackTime time: CMTime, completionHandler: @escaping @Sendable (AVAssetTrackSegment?, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? nil, $1)
        } find: {
            try await self.loadSegment(forTrackTime: time)
        }
    }

    /// Finds the media time that is shown at a time of the asset's timeline, then calls the handler.
    public func loadSamplePresentationTime(
        forTrackTime time: CMTime, completionHandler: @escaping @Sendable (CMTime, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? .invalid, $1)
        } find: {
            try await self.loadSamplePresentationTime(forTrackTime: time)
        }
    }

    /// Finds the track's items of one format, in file order, then calls the handler.
    public func loadMetadata(
        for format: AVMetadataFormat,
        completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadMetadata(for: format) }
    }

    /// Finds the tracks that this one refers to in one way, then calls the handler.
    public func loadAssociatedTracks(
        ofType type: AssociationType,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadAssociatedTracks(ofType: type) }
    }
}

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
