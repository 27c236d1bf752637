public import MediaCore

/// A key with its key space: `itsk/%A9nam`.
///
/// The key's bytes other than letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
public struct AVMetadataIdentifier: BridgedToNSString, Hashable, Sendable {
    /// Key space and key.
    public let rawValue: String
    /// An identifier of its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension AVMetadataIdentifier {
    /// The identifier of a key in a key space.
    package init(_ key: MetadataKey, keySpace: AVMetadataKeySpace) {
        var text = keySpace.prefix + "/"
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array(text.utf8)
        for byte in key.bytes {
            if Self.isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
        self.init(rawValue: text)
    }

    /// The key space that the identifier begins with, `nil` if it names none.
    package var keySpace: AVMetadataKeySpace? {
        guard let slash = rawValue.firstIndex(of: "/"), slash != rawValue.startIndex else { return nil }
        return AVMetadataKeySpace(prefix: String(rawValue[..<slash]))
    }

    /// The key as its key space stores it, `nil` if it cannot be one.
    package var key: MetadataKey? {
        guard let keySpace, let bytes = keyBytes, !bytes.isEmpty else { return nil }
        let isCode = bytes.count == 4 && (keySpace.hasCodes || (keySpace == .id3 && bytes[0] == 0))
        if isCode { return .code(bytes.reduce(0) { $0 << 8 | UInt32($1) }) }
        guard !keySpace.hasCodes else { return nil }
        return String(validating: bytes, as: UTF8.self).map { .text($0) }
    }

    /// The bytes after the slash, `nil` if an escape is not complete.
    package var keyBytes: [UInt8]? {
        guard let slash = rawValue.firstIndex(of: "/") else { return nil }
        var bytes: [UInt8] = []
        var rest = rawValue[rawValue.index(after: slash)...].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Array("-._~".utf8).contains(byte)
        }
    }
}

/// A key: of the common key space, or of another one as text.
///
/// Four-character keys have `@` where the file has the byte 0xA9 (`©`).
public struct AVMetadataKey: BridgedToNSString, Hashable, Sendable {
    /// The key's text.
    public let rawValue: String
    /// A key of its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

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
    var prefix: String {
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
public struct AVMetadataFormat: BridgedToNSString, Hashable, Sendable {
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
