internal import CImageCodecs
package import MediaCore

/// How a line of text is set.
package struct TextStyle: Sendable, Hashable {
    /// How heavy letters are.
    package enum Weight: Int, Sendable {
        case regular = 400
        case semibold = 600
        case bold = 700
    }

    /// Pixels to the em.
    package var fontSize: Double
    package var weight: Weight
    package var color: RGBColor
    /// Pixels, up to 32767; what is longer ends in an ellipsis.
    package var maximumWidth: Int
    /// Whether the line runs from left to right whatever its first letter, as
    /// file names should, whose ending comes last.
    package var isLeftToRight: Bool
    /// Characters that are set; the default is more than fits on any line that one can read.
    package var maximumLength: Int

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
