internal import CImageCodecs
public import Foundation

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
