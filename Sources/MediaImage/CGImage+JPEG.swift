internal import CLibJPEG
public import Foundation

extension CGImage {
    /// The image as a JPEG file; alpha is left out.
    ///
    /// - Parameter quality: From 1 to 100. From 90 on, chroma is kept at full
    ///   resolution.
    public func jpegData(quality: Int = 85) throws -> Data {
        let quality = min(100, max(1, quality))
        var output: UnsafeMutablePointer<UInt8>?
        var size = 0
        var error = [CChar](repeating: 0, count: 200)
        guard width <= 65500, height <= 65500 else {
            throw ImageEncodingError(reason: "JPEG holds at most 65500 pixels in a row or column")
        }
        let result = oav_jpeg_encode(
            opaquePixels, UInt32(width), UInt32(height), width * 3, 3, Int32(quality), quality >= 90 ? 1 : 0,
            &output, &size, &error)
        guard result == 0, let output else { throw ImageEncodingError(reason: "JPEG: " + String(cChars: error)) }
        return Data(bytesNoCopy: output, count: size, deallocator: .custom { bytes, _ in oav_jpeg_free(bytes) })
    }

    /// The pixels without their alpha component.
    private var opaquePixels: [UInt8] {
        guard hasAlpha else { return pixels }
        return [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            for pixel in 0..<(width * height) {
                for component in 0..<3 { buffer[pixel * 3 + component] = pixels[pixel * 4 + component] }
            }
            count = width * height * 3
        }
    }
}
