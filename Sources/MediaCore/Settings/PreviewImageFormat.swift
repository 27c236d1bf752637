/// How sheets of pictures are encoded.
public enum PreviewImageFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// JPEG, which every player reads.
    case jpeg
    /// PNG, without losses.
    case png
    /// WebP.
    case webp
    /// AVIF.
    case avif

    /// The filename extension, without its dot.
    public var filenameExtension: String { self == .jpeg ? "jpg" : rawValue }
    /// The media type, such as `image/jpeg`.
    public var mimeType: String { "image/" + rawValue }
    /// The most pixels that a row or column can hold.
    public var maximumDimension: Int {
        switch self {
        case .jpeg: 65500
        case .png: 65535
        case .webp: 16383
        case .avif: 65535
        }
    }
}
