internal import CImageCodecs
public import Foundation
public import MediaCore

extension CGImage {
    /// The image as a JPEG file; where it has alpha, laid over a colour.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Parameters:
    ///   - quality: From 1 to 100; others are brought there. From 90 on, chroma is kept at full resolution.
    ///   - background: What shows through clear parts.
    /// - Throws: `ImageEncodingError` above 65500 pixels in a row or column, for HDR, which JPEG cannot hold, and if
    ///   libjpeg fails.
    /// - Complexity: One pass over the pixels.
    public func jpegData(quality: Int = 85, background: RGBColor = .black) throws -> Data {
        let quality = min(100, max(1, quality))
        var output: UnsafeMutablePointer<UInt8>?
        var size = 0
        var error = [CChar](repeating: 0, count: 200)
        guard width <= 65500, height <= 65500 else {
            throw ImageEncodingError(reason: "JPEG holds at most 65500 pixels in a row or column")
        }
        guard !space.usesITUR_2100TF else { throw ImageEncodingError(reason: "JPEG cannot hold HDR; take PNG or AVIF") }
        // What is not tagged is sRGB.
        let profile = space.isSRGB ? [] : space.copyICCData().map { Array($0) } ?? []
        let result = oav_jpeg_encode(
            composited(over: background).bytes(withAlpha: false), UInt32(width), UInt32(height), width * 3, 3,
            Int32(quality),
            quality >= 90 ? 1 : 0, profile, profile.count, &output, &size, &error)
        guard result == 0, let output else { throw ImageEncodingError(reason: "JPEG: " + String(cChars: error)) }
        return Data(bytesNoCopy: output, count: size, deallocator: .custom { bytes, _ in oav_jpeg_free(bytes) })
    }
}
