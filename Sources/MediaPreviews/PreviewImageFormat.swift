public import Foundation
public import MediaImage

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

    /// An image as a file of this format.
    ///
    /// - Parameters:
    ///   - quality: From 1 to 100; without meaning for PNG.
    ///   - background: What shows through clear parts where the format has none, which is JPEG.
    /// - Throws: `ImageEncodingError` above `maximumDimension`, for HDR in JPEG and WebP, and where FFmpeg lacks the
    ///   encoder of WebP or AVIF.
    /// - Complexity: Encodes on the calling thread; the file is held in memory.
    public func data(of image: CGImage, quality: Int, background: RGBColor = .black) throws -> Data {
        switch self {
        case .jpeg: try image.jpegData(quality: quality, background: background)
        case .png: try image.pngData()
        case .webp: try image.webPData(quality: quality)
        case .avif: try image.avifData(quality: quality)
        }
    }
}
