public import MediaCore

/// Where a key comes from: the set of names that it is one of.
public struct AVMetadataKeySpace: BridgedToNSString, Hashable, Sendable {
    /// The key space's name, as identifiers begin with it; `org.id3` begins them with `id3`,
    /// `comn` with `common`.
    public let rawValue: String
    /// A key space of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names that mean the same everywhere.
    public static let common = AVMetadataKeySpace(rawValue: "comn")
    /// QuickTime user data: four-character keys.
    public static let quickTimeUserData = AVMetadataKeySpace(rawValue: "udta")
    /// QuickTime metadata: keys in reverse domain order.
    public static let quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
    /// User data of ISO base media files, those of 3GPP among them: four-character keys.
    public static let isoUserData = AVMetadataKeySpace(rawValue: "uiso")
    /// iTunes metadata: four-character keys.
    public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
    /// Free-form iTunes metadata: `mean.name`.
    ///
    /// AVFoundation has no constant for it.
    public static let iTunesFreeForm = AVMetadataKeySpace(rawValue: "itlk")
    /// ID3 frames: four characters, or three after a zero byte for version 2.2.
    public static let id3 = AVMetadataKeySpace(rawValue: "org.id3")
    /// Titles and addresses within Internet radio.
    public static let icy = AVMetadataKeySpace(rawValue: "icy")
    /// Date ranges of HTTP Live Streaming.
    public static let hlsDateRange = AVMetadataKeySpace(rawValue: "lsdr")
    /// Properties of WAV, AIFF, AVI and CAF files.
    public static let audioFile = AVMetadataKeySpace(rawValue: "caaf")
    /// Vorbis comments of FLAC, Ogg and Opus files: field names.
    ///
    /// AVFoundation has no constant for it.
    public static let vorbisComment = AVMetadataKeySpace(rawValue: "vorb")
    /// Simple tags of Matroska and WebM files: tag names.
    ///
    /// Beyond AVFoundation.
    public static let matroska = AVMetadataKeySpace(rawValue: "mkv")

    /// Tags of any other container, by the names that FFmpeg gives them.
    ///
    /// Beyond AVFoundation.
    public static let libavformat = AVMetadataKeySpace(rawValue: "lavf")

    /// Whether keys are four bytes.
    package var hasCodes: Bool { [.iTunes, .quickTimeUserData, .isoUserData].contains(self) }

    /// What identifiers begin with.
    package var prefix: String {
        switch self {
        case .id3: "id3"
        case .common: "common"
        default: rawValue
        }
    }

    /// The key space of identifiers that begin with a prefix.
    package init(prefix: String) {
        switch prefix {
        case "id3": self = .id3
        case "common": self = .common
        default: self.init(rawValue: prefix)
        }
    }
}
