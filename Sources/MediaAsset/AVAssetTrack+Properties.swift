public import Foundation
public import MediaLoading
public import MediaTime

extension AVPartialAsyncProperty where Root == AVAssetTrack {
    /// How the samples are coded: one description for each sample entry.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        property("formatDescriptions") { [CMFormatDescription(track: $0)] }
    }
    /// Whether the file asks for the track to be played.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { property("isEnabled") { $0.isEnabled } }
    /// Whether all samples lie in the file itself: references to other files are never followed.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> { property("isSelfContained") { _ in true } }
    /// What the media are like.
    public static var mediaCharacteristics: AVAsyncProperty<Root, [AVMediaCharacteristic]> {
        property("mediaCharacteristics") { $0.characteristics }
    }
    /// Where on the asset's timeline the track lies; a start after zero is a gap.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { property("timeRange") { $0.timeRange } }
    /// Ticks in each second of the media.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        property("naturalTimeScale") { $0.timescale }
    }
    /// Bits for each second, 0 if unknown.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        property("estimatedDataRate") { Float($0.estimatedDataRate) }
    }
    /// ISO 639-2 code, `nil` if unknown.
    public static var languageCode: AVAsyncProperty<Root, String?> { property("languageCode") { $0.language } }
    /// BCP 47 tag, `nil` if the file has none.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        property("extendedLanguageTag") { $0.extendedLanguageTag }
    }
    /// Pixels of the coded picture, zero for tracks that show nothing.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> {
        property("naturalSize") { track in
            CGSize(width: track.video?.naturalSize.width ?? 0, height: track.video?.naturalSize.height ?? 0)
        }
    }
    /// Maps the coded picture to the upright one.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property("preferredTransform") { $0.video?.preferredTransform ?? .identity }
    }
    /// 1 for sound, 0 for anything else.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        property("preferredVolume") { $0.mediaType == .audio ? 1 : 0 }
    }
    /// Frames for each second on average, 0 if unknown.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        property("nominalFrameRate") { Float($0.video?.nominalFrameRate ?? 0) }
    }
    /// The shortest frame, invalid if unknown.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        property("minFrameDuration") { $0.video?.minFrameDuration ?? .invalid }
    }
    /// Whether presentation order differs from decoding order.
    public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
        property("requiresFrameReordering") { $0.video?.requiresFrameReordering ?? false }
    }
    /// The edit list; one segment over everything without one.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> { property("segments") { $0.segments } }

    fileprivate static func property<Value>(
        _ key: String, _ value: @escaping @Sendable (TrackDescription) -> Value
    ) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(key) { value($0.track) }
    }
}

extension AVAssetTrack {
    /// How the older key-value loading finds values.
    static let keyLoaders: [String: @Sendable (TrackDescription) -> any Sendable] = [
        "enabled": { $0.isEnabled },
        "timeRange": { $0.timeRange },
        "naturalTimeScale": { $0.timescale },
        "estimatedDataRate": { Float($0.estimatedDataRate) },
        "languageCode": { $0.language },
        "extendedLanguageTag": { $0.extendedLanguageTag },
        "naturalSize": { CGSize(width: $0.video?.naturalSize.width ?? 0, height: $0.video?.naturalSize.height ?? 0) },
        "preferredTransform": { $0.video?.preferredTransform ?? .identity },
        "nominalFrameRate": { Float($0.video?.nominalFrameRate ?? 0) },
        "minFrameDuration": { $0.video?.minFrameDuration ?? .invalid },
        "segments": { $0.segments },
    ]
}
