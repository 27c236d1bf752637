public import MediaCore

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
