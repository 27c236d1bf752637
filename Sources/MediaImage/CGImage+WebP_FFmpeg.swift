internal import FFmpegKit
public import Foundation

extension CGImage {
    /// The image as a WebP file, alpha kept.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Parameter quality: From 1 to 100; others are brought there.
    /// - Throws: `ImageEncodingError` above 16383 pixels in a row or column,
    ///   for HDR, which WebP cannot hold, or without libwebp in FFmpeg.
    public func webPData(quality: Int = 85) throws -> Data {
        guard width <= 16383, height <= 16383 else {
            throw ImageEncodingError(reason: "WebP holds at most 16383 pixels in a row or column")
        }
        guard !space.usesITUR_2100TF else { throw ImageEncodingError(reason: "WebP cannot hold HDR; take PNG or AVIF") }
        let file = try encoded { picture throws(FFmpegError) in
            try PictureEncoder.webP(picture, quality: min(100, max(1, quality)))
        }
        guard !space.isSRGB, let profile = space.copyICCData() else { return Data(file) }
        return try Data(Self.webP(file, adding: Array(profile), width: width, height: height, hasAlpha: hasAlpha))
    }

    /// The image as an AVIF file, alpha kept; of 10 bits where the image has 16.
    ///
    /// Beyond Core Graphics.
    ///
    /// - Parameter quality: From 1 to 100; others are brought there. From 90 on, chroma is kept at full
    ///   resolution.
    /// - Throws: `ImageEncodingError` above 65535 pixels in a row or column, or without libaom in FFmpeg.
    public func avifData(quality: Int = 85) throws -> Data {
        guard width <= 65535, height <= 65535 else {
            throw ImageEncodingError(reason: "AVIF holds at most 65535 pixels in a row or column")
        }
        return try Data(
            encoded { picture throws(FFmpegError) in
                try PictureEncoder.avif(picture, quality: min(100, max(1, quality)))
            })
    }

    private func encoded(
        _ encode: (PictureEncoder.Picture) throws(FFmpegError) -> [UInt8]
    ) throws -> [UInt8] {
        do {
            return try encode(
                PictureEncoder.Picture(
                    width: width, height: height, hasAlpha: hasAlpha, bitsPerComponent: bitsPerComponent,
                    pixels: pixels, primaries: space.primariesCode, transfer: space.transferCode))
        } catch {
            throw ImageEncodingError(reason: error.reason)
        }
    }

    /// Puts a simple WebP file's image into an extended one with a colour profile.
    private static func webP(
        _ file: [UInt8], adding profile: [UInt8], width: Int, height: Int, hasAlpha: Bool
    ) throws -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(data.count, 4) + data + [UInt8](repeating: 0, count: data.count % 2)
        }
        guard file.count > 20, file.starts(with: Array("RIFF".utf8)) else {
            throw ImageEncodingError(reason: "WebP: the encoder's output is no WebP file")
        }
        var image = Array(file[12...])
        // What the encoder made extended already begins with a header like the one below.
        if image.starts(with: Array("VP8X".utf8)) { image.removeFirst(18) }
        let header = [0x20 | (hasAlpha ? 0x10 : 0), 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
        let body = Array("WEBP".utf8) + chunk("VP8X", header) + chunk("ICCP", profile) + image
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }
}
