package import MediaCore

/// A picture that others are drawn into: opaque, 8 bits for each component.
///
/// What lies outside is cut off.
package struct ImageCanvas: Sendable {
    package let width: Int
    package private(set) var height: Int
    /// R, G and B.
    private var pixels: [UInt8]

    /// Makes a canvas of one colour.
    ///
    /// - Returns: `nil` if the sizes are not positive or too large to count.
    package init?(width: Int, height: Int, color: RGBColor) {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, area <= Int.max / 3 else { return nil }
        (self.width, self.height) = (width, height)
        pixels = [UInt8](unsafeUninitializedCapacity: area * 3) { buffer, count in
            for pixel in 0..<area {
                (buffer[3 * pixel], buffer[3 * pixel + 1], buffer[3 * pixel + 2]) = (color.red, color.green, color.blue)
            }
            count = area * 3
        }
    }

    /// The picture so far.
    ///
    /// - Parameter colorSpace: What the components mean, sRGB if `nil`.
    package consuming func image(colorSpace: CGColorSpace? = nil) -> CGImage? {
        CGImage(width: width, height: height, hasAlpha: false, pixels: pixels, colorSpace: colorSpace)
    }

    /// Takes rows off the lower end.
    package mutating func cut(height: Int) {
        guard height > 0, height < self.height else { return }
        pixels.removeLast((self.height - height) * width * 3)
        self.height = height
    }

    /// The part of a span that lies on an axis of a length.
    private func visible(_ start: Int, _ length: Int, of extent: Int) -> Range<Int> {
        let (end, overflow) = start.addingReportingOverflow(max(0, length))
        let first = min(max(0, start), extent)
        return first..<max(first, min(overflow ? extent : end, extent))
    }

    /// Paints a rectangle.
    ///
    /// - Parameter opacity: 0 leaves what is there, 255 covers it.
    package mutating func fill(x: Int, y: Int, width: Int, height: Int, color: RGBColor, opacity: UInt8 = 255) {
        let (columns, rows) = (visible(x, width, of: self.width), visible(y, height, of: self.height))
        let (share, rest) = (UInt32(opacity), 255 - UInt32(opacity))
        let parts = (UInt32(color.red) * share, UInt32(color.green) * share, UInt32(color.blue) * share)
        pixels.withUnsafeMutableBufferPointer { target in
            for row in rows {
                for column in columns {
                    let start = (row * self.width + column) * 3
                    target[start] = Self.divided(parts.0 + UInt32(target[start]) * rest)
                    target[start + 1] = Self.divided(parts.1 + UInt32(target[start + 1]) * rest)
                    target[start + 2] = Self.divided(parts.2 + UInt32(target[start + 2]) * rest)
                }
            }
        }
    }

    /// Draws a picture; what is transparent in it shows what is there.
    ///
    /// Its components are taken as they are, whatever its colour space.
    package mutating func draw(_ image: CGImage, x: Int, y: Int) {
        let source = image.hasAlpha ? image.bytes(withAlpha: true) : image.bytes(withAlpha: false)
        let (columns, rows) = (visible(x, image.width, of: width), visible(y, image.height, of: height))
        guard !columns.isEmpty else { return }
        let size = image.hasAlpha ? 4 : 3
        let width = width
        pixels.withUnsafeMutableBufferPointer { target in
            for row in rows {
                var from = ((row - y) * image.width + columns.lowerBound - x) * size
                var to = (row * width + columns.lowerBound) * 3
                if !image.hasAlpha {
                    for byte in 0..<(columns.count * 3) { target[to + byte] = source[from + byte] }
                    continue
                }
                for _ in columns {
                    let alpha = source[from + 3]
                    for component in 0..<3 {
                        target[to + component] = UInt8.mixed(
                            source[from + component], alpha: alpha, over: target[to + component])
                    }
                    from += 4
                    to += 3
                }
            }
        }
    }

    /// Draws a line of text, its upper left corner at a place.
    package mutating func draw(_ text: TextImage, x: Int, y: Int) {
        let (columns, rows) = (visible(x, text.width, of: width), visible(y, text.height, of: height))
        let width = width
        pixels.withUnsafeMutableBufferPointer { target in
            for row in rows {
                for column in columns {
                    let from = ((row - y) * text.width + column - x) * 4
                    let to = (row * width + column) * 3
                    let rest = 255 - UInt32(text.pixels[from + 3])
                    for component in 0..<3 {
                        let below = Self.divided(UInt32(target[to + component]) * rest)
                        target[to + component] = UInt8(clamping: Int(text.pixels[from + component]) + Int(below))
                    }
                }
            }
        }
    }

    /// A component times 255, back to the component, rounded.
    private static func divided(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: (value + 127) / 255) }
}
