internal import CImageCodecs
package import MediaCore

/// A picture that others are drawn into: opaque, 8 bits for each component.
///
/// What lies outside is cut off.
package struct ImageCanvas: Sendable {
    let width: Int
    private(set) var height: Int
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

/// How a line of text is set.
package struct TextStyle: Sendable, Hashable {
    /// How heavy letters are.
    package enum Weight: Int, Sendable {
        case regular = 400
        case semibold = 600
        case bold = 700
    }

    /// Pixels to the em.
    var fontSize: Double
    package var weight: Weight
    var color: RGBColor
    /// Pixels, up to 32767; what is longer ends in an ellipsis.
    package var maximumWidth: Int
    /// Whether the line runs from left to right whatever its first letter, as
    /// file names should, whose ending comes last.
    var isLeftToRight: Bool
    /// Characters that are set; the default is more than fits on any line that one can read.
    var maximumLength: Int

    package init(
        fontSize: Double, weight: Weight = .regular, color: RGBColor, maximumWidth: Int, isLeftToRight: Bool = false,
        maximumLength: Int = 2000
    ) {
        self.maximumLength = maximumLength
        self.fontSize = fontSize
        self.weight = weight
        self.color = color
        self.maximumWidth = maximumWidth
        self.isLeftToRight = isLeftToRight
    }
}

/// A line of text as pixels, set by Pango: any script, either direction, with
/// colour emoji.
///
/// The text is taken literally. Whatever would break the line or turn the
/// direction of what follows is left out, and texts of any length cost the
/// same as one of a thousand characters. Safe to make on any thread; lines of
/// several threads are set one after the other.
package struct TextImage: Sendable {
    package let width: Int
    package let height: Int
    /// R, G, B and A of 8 bits, premultiplied.
    let pixels: [UInt8]
    /// Rows from the top to where letters stand.
    package let baseline: Int
    /// Whether the line begins on the right.
    package let isRightToLeft: Bool
    /// Whether its end is left out.
    package let isTruncated: Bool
    /// How many characters are drawn as boxes because no installed font has them.
    package let missingCharacterCount: Int

    /// Draws a line.
    ///
    /// - Throws: `ImageEncodingError` if memory runs out or the style is out of range.
    package init(_ text: String, style: TextStyle) throws {
        let (line, isCut) = text.singleLine(limit: style.maximumLength)
        var settings = oav_text_style()
        settings.font_size = style.fontSize
        settings.weight = Int32(style.weight.rawValue)
        settings.maximum_width = Int32(clamping: style.maximumWidth)
        settings.forces_left_to_right = style.isLeftToRight ? 1 : 0
        (settings.red, settings.green, settings.blue) = (style.color.red, style.color.green, style.color.blue)
        var image = oav_text_image()
        var reason = [CChar](repeating: 0, count: 128)
        let bytes = Array(line.utf8CString)
        let status = "sans-serif".withCString { family in
            settings.family = family
            return oav_text_draw(bytes, bytes.count - 1, &settings, &image, &reason)
        }
        guard status == 0 else {
            throw ImageEncodingError(
                reason: "text cannot be drawn: "
                    + String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        defer { oav_text_free(&image) }
        let byteCount = Int(image.width) * Int(image.height) * 4
        (width, height) = (Int(image.width), Int(image.height))
        pixels = image.pixels.map { Array(UnsafeBufferPointer(start: $0, count: byteCount)) } ?? []
        baseline = Int(image.baseline)
        isRightToLeft = image.is_right_to_left != 0
        isTruncated = isCut || image.is_ellipsized != 0
        missingCharacterCount = Int(image.unknown_glyphs)
    }
}
