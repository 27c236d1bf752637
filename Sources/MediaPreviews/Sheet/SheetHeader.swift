internal import MediaAsset
internal import MediaCore
internal import MediaImage

/// The lines above the stills, drawn and placed.
struct SheetHeader {
    private struct Line {
        let text: TextImage
        let x: Int
        let y: Int
    }

    private var lines: [Line] = []
    /// Rows that it takes up, its distance from the stills included.
    private(set) var height: Int
    private let margin: Int
    private let width: Int

    /// A sheet without a header begins with its margin.
    init(margin: Int) { (height, self.margin, width) = (margin, margin, 0) }

    /// Draws the lines.
    init(facts: FilmFacts, layout: SheetLayout, ink: SheetInk) throws {
        margin = layout.margin
        width = max(1, layout.width - 2 * margin)
        height = margin
        let fontSize = min(28, max(13, Double(layout.width) / 90))
        let leading = Int((fontSize * 0.3).rounded())
        let title = facts.title ?? facts.fileName
        try add(title, ink.bold(fontSize * 1.6, isLeftToRight: facts.title == nil), leading: leading)
        if facts.title != nil {
            try add(facts.fileName, ink.regular(fontSize, isLeftToRight: true), leading: leading)
        }
        height += leading
        let rows = facts.rows
        let names = try rows.map { try TextImage($0.name, style: ink.faint(fontSize, width: width)) }
        let indent = (names.map(\.width).max() ?? 0) + Int(fontSize)
        for (row, name) in zip(rows, names) {
            var style = ink.regular(fontSize)
            style.maximumWidth = max(1, width - indent)
            for (index, text) in try TextImage.lines(row.facts, separator: "  ·  ", style: style).enumerated() {
                if index == 0 { lines.append(Line(text: name, x: margin, y: height + text.baseline - name.baseline)) }
                lines.append(Line(text: text, x: margin + indent, y: height))
                height += text.height + leading
            }
        }
        height += max(layout.gap, 2 * leading)
    }

    private mutating func add(_ text: String, _ style: TextStyle, leading: Int) throws {
        var style = style
        style.maximumWidth = width
        let image = try TextImage(text, style: style)
        // What is read from the right begins on the right.
        let x = image.isRightToLeft ? margin + width - image.width : margin
        lines.append(Line(text: image, x: x, y: height))
        height += image.height + leading
    }

    /// Characters that are drawn as boxes.
    var missingCharacterCount: Int { lines.map(\.text.missingCharacterCount).reduce(0, +) }

    /// Draws the header at the top of a sheet.
    func draw(on canvas: inout ImageCanvas) {
        for line in lines { canvas.draw(line.text, x: line.x, y: line.y) }
    }
}

/// The colours and weights of a sheet's text.
struct SheetInk {
    /// Black or white, whatever stands out more from the background.
    let color: RGBColor
    private let background: RGBColor
    /// Characters of a line.
    private let maximumLength: Int

    init(background: RGBColor, maximumLength: Int) {
        (self.background, self.maximumLength) = (background, maximumLength)
        // Where the contrast with black equals that with white, by WCAG's formula.
        color = background.luminance > 0.179 ? .black : .white
    }

    /// What a still without a picture is painted with.
    var placeholder: RGBColor { background.mixed(with: color, 0.15) }

    func bold(_ fontSize: Double, isLeftToRight: Bool = false) -> TextStyle {
        TextStyle(
            fontSize: fontSize, weight: .bold, color: color, maximumWidth: Self.noLimit, isLeftToRight: isLeftToRight,
            maximumLength: maximumLength)
    }

    func regular(_ fontSize: Double, isLeftToRight: Bool = false) -> TextStyle {
        TextStyle(
            fontSize: fontSize, color: color.mixed(with: background, 0.1), maximumWidth: Self.noLimit,
            isLeftToRight: isLeftToRight, maximumLength: maximumLength)
    }

    func faint(_ fontSize: Double, width: Int) -> TextStyle {
        TextStyle(
            fontSize: fontSize, color: color.mixed(with: background, 0.4), maximumWidth: max(1, width),
            maximumLength: maximumLength)
    }

    /// The widest line that Pango can set, in pixels.
    private static let noLimit = 32767
}

extension TextImage {
    /// Some texts one after the other, on as few lines as hold them.
    ///
    /// A text that does not fit on a line of its own is cut short.
    static func lines(_ texts: [String], separator: String, style: TextStyle) throws -> [TextImage] {
        var lines: [TextImage] = []
        var (pending, drawn): (String, TextImage?) = ("", nil)
        for text in texts {
            let longer = pending.isEmpty ? text : pending + separator + text
            let image = try TextImage(longer, style: style)
            if image.isTruncated, let full = drawn {
                lines.append(full)
                (pending, drawn) = (text, try TextImage(text, style: style))
            } else {
                (pending, drawn) = (longer, image)
            }
        }
        if let drawn { lines.append(drawn) }
        return lines
    }
}
