public import Foundation
public import MediaCore
public import MediaImage

extension PreviewImageFormat {
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
