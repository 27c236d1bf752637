internal import FFmpegKit
public import Foundation
package import MediaCore

extension CGImage {
    /// A part of the image.
    ///
    /// - Returns: `nil` if it does not lie inside.
    package func part(x: Int, y: Int, width: Int, height: Int) -> CGImage? {
        guard x >= 0, y >= 0, width > 0, height > 0, width <= self.width - x, height <= self.height - y else {
            return nil
        }
        if width == self.width, height == self.height { return self }
        let size = packedBytesPerPixel
        var part: [UInt8] = []
        part.reserveCapacity(width * height * size)
        for row in y..<(y + height) {
            let start = row * packedBytesPerRow + x * size
            part += pixels[start..<(start + width * size)]
        }
        return CGImage(width: width, height: height, pixels: part, format: format, colorSpace: colorSpace)
    }

    /// The image in the middle of a larger one of a colour.
    ///
    /// Where the image has alpha, the colour around it is opaque.
    package func padded(width: Int, height: Int, color: RGBColor) -> CGImage? {
        guard width >= self.width, height >= self.height else { return nil }
        if width == self.width, height == self.height { return self }
        let (size, sample) = (packedBytesPerPixel, bitsPerComponent / 8)
        let components = color.components + (hasAlpha ? [255] : [])
        // Both bytes of a code of 16 bits are the one of 8.
        let bar = components.flatMap { [UInt8](repeating: $0, count: sample) }
        let line = (0..<width).flatMap { _ in bar }
        let (left, top) = ((width - self.width) / 2, (height - self.height) / 2)
        var result: [UInt8] = []
        result.reserveCapacity(width * height * size)
        for row in 0..<height {
            guard row >= top, row < top + self.height else {
                result += line
                continue
            }
            let start = (row - top) * packedBytesPerRow
            result += line[..<(left * size)]
            result += pixels[start..<(start + packedBytesPerRow)]
            result += line[((left + self.width) * size)...]
        }
        return CGImage(
            width: width, height: height, hasAlpha: hasAlpha, pixels: result, bitsPerComponent: bitsPerComponent,
            colorSpace: colorSpace)
    }

    /// The image with other numbers of pixels, each component scaled by itself.
    ///
    /// - Throws: ``ImageEncodingError`` if memory runs out.
    package func scaled(width: Int, height: Int) throws -> CGImage {
        guard width != self.width || height != self.height else { return self }
        do {
            let scaled = try PlaneScaler.scaled(
                pixels, from: (self.width, self.height), to: (width, height), components: hasAlpha ? 4 : 3,
                bytesPerComponent: bitsPerComponent / 8)
            return CGImage(
                width: width, height: height, hasAlpha: hasAlpha, pixels: scaled, bitsPerComponent: bitsPerComponent,
                colorSpace: colorSpace) ?? self
        } catch {
            throw ImageEncodingError(reason: error.reason)
        }
    }

    /// The image with the alpha of another picture: one grey sample of 8 bits for each pixel.
    ///
    /// - Returns: `nil` if there are not as many samples as pixels, or if the image has alpha already.
    package func with(alpha: [UInt8]) -> CGImage? {
        guard !hasAlpha, alpha.count == width * height else { return nil }
        let bytes = 3 * bitsPerComponent / 8
        var joined: [UInt8] = []
        joined.reserveCapacity(alpha.count * (bytes + bitsPerComponent / 8))
        for (pixel, value) in alpha.enumerated() {
            joined += pixels[(pixel * bytes)..<((pixel + 1) * bytes)]
            joined.append(value)
            if bitsPerComponent > 8 { joined.append(value) }
        }
        return CGImage(
            width: width, height: height, hasAlpha: true, pixels: joined, bitsPerComponent: bitsPerComponent,
            colorSpace: colorSpace)
    }
}

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
