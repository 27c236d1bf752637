/// Text that may come from strangers, such as a file's own words, made fit for
/// a place where people read it.
///
/// What the forms here have in common is the rule of what is dangerous:
/// control characters and separators of lines and paragraphs, which steer a
/// terminal or break the line, and invisible format characters, which turn the
/// direction of the writing.
extension StringProtocol {
    /// The text with what is dangerous as `\u{1b}`, for a line of output.
    ///
    /// - Parameter limit: Characters that stay at the most; an ellipsis stands
    ///   for the others.
    package func printable(limit: Int = .max) -> String { escaped(limit: limit) { !$0.isDangerous } }

    /// The text with what is dangerous as `\u{1b}`, but for tabs and the ends of
    /// its lines: a document that somebody looks at.
    package var printableLines: String {
        let scalars = Array(unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isEnd = scalar == "\n" || scalar == "\r" && scalars[(index + 1)...].first == "\n"
            if isEnd || scalar == "\t" || !scalar.isDangerous {
                result.append(scalar)
            } else {
                result.append(contentsOf: scalar.visible.unicodeScalars)
            }
        }
        return String(result)
    }

    /// A document of JSON with what is dangerous in its texts as `\u009b`, which
    /// means the same.
    ///
    /// Outside of its texts JSON has no such characters but the ends of lines
    /// and tabs, which texts have as escapes already.
    package var printableJSON: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if !scalar.isDangerous || "\n\r\t".unicodeScalars.contains(scalar) {
                result.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result.append(
                        contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
                }
            }
        }
        return String(result)
    }

    /// The text between quotation marks, for a message about the text itself.
    ///
    /// Besides what is dangerous, escapes what could be taken for something
    /// else: quotation marks and backslashes, spaces that are none of ASCII's,
    /// characters that no font has to show.
    ///
    /// - Parameter limit: Characters that stay at the most.
    package func quoted(limit: Int = 60) -> String { "\"\(escaped(limit: limit, unless: \.isUnmistakable))\"" }

    /// The text as one line in its own direction, to be drawn: spaces for line
    /// breaks and other control characters, nothing for invisible ones that
    /// reorder text.
    ///
    /// - Returns: The line, and whether text beyond `limit` scalars was left out.
    package func singleLine(limit: Int) -> (text: String, isCut: Bool) {
        var line = String.UnicodeScalarView()
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < limit else {
                line.append("…")
                return (String(line), true)
            }
            if !scalar.isDangerous || scalar.isHarmlessFormat {
                line.append(scalar)
            } else if scalar.properties.generalCategory != .format, line.last != " " {
                line.append(" ")
            }
        }
        return (String(line), false)
    }

    private func escaped(limit: Int, unless isPlain: (Unicode.Scalar) -> Bool) -> String {
        var result = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count >= limit { return result + "…" }
            if isPlain(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += scalar.visible
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether the character can move the cursor, break the line or turn the
    /// writing direction.
    var isDangerous: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The character as people can see it: `\u{1b}`.
    fileprivate var visible: String { "\\u{\(String(value, radix: 16))}" }

    /// Whether the character is seen as what it is, and not taken for a quote of ours.
    fileprivate var isUnmistakable: Bool {
        switch properties.generalCategory {
        case .surrogate, .privateUse, .unassigned: false
        case .spaceSeparator: self == " "
        default: !isDangerous && self != "\"" && self != "\\"
        }
    }

    /// Whether an invisible character only shapes its neighbours: joiners, signs
    /// before numbers, the tags of flags.
    var isHarmlessFormat: Bool {
        switch value {
        case 0x200C, 0x200D, 0x600...0x605, 0x6DD, 0x70F, 0x8E2, 0x110BD, 0xE0020...0xE007F: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// What stands for a character that markup would read as its own; `nil` for others.
    package var markupEntity: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: nil
        }
    }

    /// Whether this is one of the code points that are never characters.
    fileprivate var isNoncharacter: Bool { properties.isNoncharacterCodePoint }
}

extension String {
    /// The text as HTML, for elements and quoted attributes.
    ///
    /// Control characters, which HTML has no way to write, are replaced, and what would turn the direction of the
    /// writing is left out.
    package var htmlEscaped: String {
        var html = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\t", "\n", "\u{2028}", "\u{2029}": html += " "
            case _ where scalar.properties.generalCategory == .format && !scalar.isHarmlessFormat: break
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.isNoncharacter:
                html += "\u{FFFD}"
            default: html += scalar.markupEntity ?? String(scalar)
            }
        }
        return html
    }
}

extension BinaryInteger {
    /// The number with zeros before it, as wide as asked for or wider: `007`.
    ///
    /// - Parameter digits: Digits at the least; a sign is none.
    package func zeroPadded(to digits: Int, radix: Int = 10) -> String {
        let text = String(magnitude, radix: radix)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }

    /// The number of tenths, hundredths and so on as a decimal number: `8.340`.
    ///
    /// - Parameter decimals: Digits after the point.
    package func fixedPointText(decimals: Int) -> String {
        let digits = magnitude.zeroPadded(to: decimals + 1)
        let point = decimals > 0 ? "." : ""
        return "\(self < 0 ? "-" : "")\(digits.dropLast(decimals))\(point)\(digits.suffix(decimals))"
    }

    /// The same without needless zeros: `8.34`, `10`.
    package func decimalText(decimals: Int) -> String {
        var text = Substring(fixedPointText(decimals: decimals))
        guard decimals > 0 else { return String(text) }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return String(text)
    }
}

/// Spaces and tabs, which text that programs write has between and around what it says.
extension Substring {
    /// Without spaces and tabs around it.
    package var withoutSpaces: Substring {
        // Bytes rather than characters: a mark that combines with a space must not hide that.
        let utf8 = utf8
        guard let first = utf8.firstIndex(where: { !$0.isSpace }), let last = utf8.lastIndex(where: { !$0.isSpace })
        else { return "" }
        return Substring(utf8[first...last])
    }
}

extension UInt8 {
    /// Whether it is a space or a tab.
    package var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
