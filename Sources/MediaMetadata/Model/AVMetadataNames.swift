/// Where a key comes from: the set of names that it is one of.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
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

/// How a file stores metadata.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// The format's name.
    public let rawValue: String
    /// A format of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QuickTime user data.
    public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
    /// QuickTime metadata.
    public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
    /// User data of ISO base media files.
    public static let isoUserData = AVMetadataFormat(rawValue: "org.mp4ra")
    /// iTunes metadata.
    public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
    /// ID3 tags.
    public static let id3Metadata = AVMetadataFormat(rawValue: "org.id3")
    /// Metadata of HTTP Live Streaming.
    public static let hlsMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.HLS")
    /// Vorbis comments.
    ///
    /// Beyond AVFoundation.
    public static let vorbisComment = AVMetadataFormat(rawValue: "org.xiph.vorbis-comment")
    /// Tags of Matroska and WebM files.
    ///
    /// Beyond AVFoundation.
    public static let matroska = AVMetadataFormat(rawValue: "org.matroska")
    /// Anything else.
    public static let unknown = AVMetadataFormat(rawValue: "public.unknown")

    /// The format that stores keys of a key space.
    package init(_ keySpace: AVMetadataKeySpace) {
        switch keySpace {
        case .quickTimeUserData: self = .quickTimeUserData
        case .quickTimeMetadata: self = .quickTimeMetadata
        case .isoUserData: self = .isoUserData
        case .iTunes, .iTunesFreeForm: self = .iTunesMetadata
        case .id3: self = .id3Metadata
        case .hlsDateRange: self = .hlsMetadata
        case .vorbisComment: self = .vorbisComment
        case .matroska: self = .matroska
        default: self = .unknown
        }
    }
}

/// A key: of the common key space, or of another one as text.
///
/// Four-character keys have `@` where the file has the byte 0xA9 (`©`).
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The key's text.
    public let rawValue: String
    /// A key of its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A key with its key space: `itsk/%A9nam`.
///
/// The key's bytes other than letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// Key space and key.
    public let rawValue: String
    /// An identifier of its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A name for what belongs to an item beside its value.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    /// The attribute's name.
    public let rawValue: String
    /// An attribute of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Where the value can be found, for a value that is an address.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "URL")
    /// What a relative address refers to.
    public static let baseURI = AVMetadataExtraAttributeKey(rawValue: "baseURL")
    /// A description: that of an ID3 comment, of a picture.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
    /// What a picture shows: `Cover (front)`.
    ///
    /// AVFoundation has no constant for it.
    public static let pictureType = AVMetadataExtraAttributeKey(rawValue: "pictureType")
    /// The value's type as the file states it: a number, or a MIME type.
    ///
    /// AVFoundation has no constant for it.
    public static let dataType = AVMetadataExtraAttributeKey(rawValue: "dataType")
    /// Whose types `dataType` is one of.
    ///
    /// AVFoundation has no constant for it.
    public static let dataTypeNamespace = AVMetadataExtraAttributeKey(rawValue: "dataTypeNamespace")
}
