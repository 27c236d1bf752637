internal import FFmpegKit
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
