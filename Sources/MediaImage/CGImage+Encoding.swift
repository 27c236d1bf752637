internal import CImageCodecs
public import Foundation
public import MediaCore

/// A picture could not be encoded.
public struct ImageEncodingError: BridgedError, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}

extension CGImage {
    /// The image as a PNG file of 8 or 16 bits, with its colour space: `sRGB`,
    /// or `cICP` and, for SDR, an ICC profile.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Parameters:
    ///   - compressionLevel: From 0 to 9; others are brought there. The default, 1, takes a twentieth of
    ///     the time of level 6, for files that are some percent larger.
    ///   - text: Keyword and text pairs written as `tEXt` chunks where the text is ASCII, else as `iTXt`; keywords of
    ///     more than 79 bytes are truncated.
    /// - Throws: `ImageEncodingError` if memory does not suffice, or libpng fails.
    /// - Complexity: One pass over the pixels.
    public func pngData(compressionLevel: Int = 1, text: [(keyword: String, text: String)] = []) throws -> Data {
        let keywords = text.map { Array($0.keyword.utf8.prefix(79).map { CChar(bitPattern: $0) }) + [0] }
        let texts = text.map { Array($0.text.utf8.filter { $0 != 0 }.map { CChar(bitPattern: $0) }) + [0] }
        var output: UnsafeMutablePointer<UInt8>?
        var size = 0
        var error = [CChar](repeating: 0, count: 128)
        let level = Int32(min(9, max(0, compressionLevel)))
        let result = withColor { color in
            withTextChunks(keywords, texts) { chunks in
                oav_png_encode(
                    pixels, UInt32(width), UInt32(height), packedBytesPerRow, hasAlpha ? 4 : 3, Int32(bitsPerComponent),
                    level, color, chunks, Int32(keywords.count), &output, &size, &error)
            }
        }
        guard result == 0, let output else { throw ImageEncodingError(reason: "PNG: " + String(cChars: error)) }
        return Data(bytesNoCopy: output, count: size, deallocator: .custom { bytes, _ in oav_png_free(bytes) })
    }

    /// Lends C the colour space for the length of one call.
    private func withColor(_ body: (UnsafePointer<oav_png_color>) -> Int32) -> Int32 {
        let profile = space.isSRGB ? [] : space.copyICCData().map { Array($0) } ?? []
        return profile.withUnsafeBufferPointer { profile in
            var color = oav_png_color()
            color.has_cicp = space.isSRGB ? 0 : 1
            color.cicp = (space.primariesCode, space.transferCode, 0, 1)
            color.profile = profile.baseAddress
            color.profile_size = profile.count
            return withUnsafePointer(to: color, body)
        }
    }
}

/// Lends C the keyword and text pairs for the length of one call.
private func withTextChunks(
    _ keywords: [[CChar]], _ texts: [[CChar]], _ body: (UnsafePointer<oav_png_text>?) -> Int32
) -> Int32 {
    func lend(_ index: Int, _ chunks: [oav_png_text]) -> Int32 {
        guard index < keywords.count else { return chunks.withUnsafeBufferPointer { body($0.baseAddress) } }
        return keywords[index].withUnsafeBufferPointer { keyword in
            texts[index].withUnsafeBufferPointer { text in
                lend(index + 1, chunks + [oav_png_text(keyword: keyword.baseAddress, text: text.baseAddress)])
            }
        }
    }
    return lend(0, [])
}

extension String {
    /// The characters up to the first NUL.
    init(cChars: [CChar]) {
        self.init(decoding: cChars.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

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
