public import FormatDescriptions
public import Foundation
public import MediaLoading
public import MediaTime

extension AVPartialAsyncProperty where Root == AVAssetTrack {
    /// How the samples are coded: one description.
    ///
    /// - Note: AVFoundation's has one for each sample entry.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        property(TrackProperties.all.formatDescriptions)
    }
    /// Whether the file asks for the track to be played; true where the container cannot say.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { property(TrackProperties.all.isEnabled) }
    /// Whether all samples lie in the file itself: references to other files are never followed.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> { property(TrackProperties.all.isSelfContained) }
    /// What the media are like: by kind, colour tags and alpha.
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
    /// The edit list, in ascending order of the asset's time; one segment over everything without one.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> { property(TrackProperties.all.segments) }
}

// Properties that block until they are loaded. AVFoundation deprecates them in
// favour of `load(_:)`; they are here for code that has not moved on.

extension AVAssetTrack {
    /// How the samples are coded: one `CMFormatDescription`, untyped as in AVFoundation, whose list has one for each
    /// sample entry.
    public var formatDescriptions: [Any] { value(TrackProperties.all.formatDescriptions) ?? [] }
    /// Whether the file asks for the track to be played; true where the container cannot say.
    public var isEnabled: Bool { value(TrackProperties.all.isEnabled) ?? false }
    /// Whether all samples lie in the file itself.
    public var isSelfContained: Bool { value(TrackProperties.all.isSelfContained) ?? false }
    /// Where on the asset's timeline the track lies; a start after zero is a gap.
    public var timeRange: CMTimeRange { value(TrackProperties.all.timeRange) ?? .invalid }
    /// Ticks in each second of the media.
    public var naturalTimeScale: CMTimeScale { value(TrackProperties.all.naturalTimeScale) ?? 0 }
    /// Bits for each second on average, 0 if unknown.
    public var estimatedDataRate: Float { value(TrackProperties.all.estimatedDataRate) ?? 0 }
    /// ISO 639-2 code, `nil` if unknown.
    public var languageCode: String? { value(TrackProperties.all.languageCode) ?? nil }
    /// BCP 47 tag, `nil` if the file has none.
    public var extendedLanguageTag: String? { value(TrackProperties.all.extendedLanguageTag) ?? nil }
    /// The size in pixels that the track says it has, before it is turned; zero for tracks that show nothing.
    ///
    /// - Note: AVFoundation's is the track header's whatever it is; here one that cannot be meant counts for nothing, and
    ///   the clean aperture with square pixels stands for it.
    public var naturalSize: CGSize { value(TrackProperties.all.naturalSize) ?? .zero }
    /// Maps the coded picture to the upright one, in pixels from the top left; the movie's own matrix is part of it.
    public var preferredTransform: CGAffineTransform { value(TrackProperties.all.preferredTransform) ?? .identity }
    /// 1 for sound, 0 for anything else, whatever the file says.
    ///
    /// - Note: AVFoundation's is the volume of the track header.
    public var preferredVolume: Float { value(TrackProperties.all.preferredVolume) ?? 0 }
    /// Frames for each second on average, 0 if unknown.
    public var nominalFrameRate: Float { value(TrackProperties.all.nominalFrameRate) ?? 0 }
    /// How long the shortest frame lasts, by the container's rates; invalid if unknown.
    public var minFrameDuration: CMTime { value(TrackProperties.all.minFrameDuration) ?? .invalid }
    /// Whether presentation order differs from decoding order.
    public var requiresFrameReordering: Bool { value(TrackProperties.all.requiresFrameReordering) ?? false }
    /// The edit list, in ascending order of the asset's time; one segment over everything without one.
    public var segments: [AVAssetTrackSegment] { value(TrackProperties.all.segments) ?? [] }

    /// Whether the media have a characteristic.
    public func hasMediaCharacteristic(_ characteristic: AVMediaCharacteristic) -> Bool {
        track.characteristics.contains(characteristic)
    }
}
