/// Text that may come from strangers, such as a file's own words, made fit for
/// a place where people read it.
///
/// What the three forms here have in common is the rule of what is dangerous:
/// control characters and separators of lines and paragraphs, which steer a
/// terminal or break the line, and invisible format characters, which turn the
/// direction of the writing.
extension StringProtocol {
    /// The text with what is dangerous as `\u{1b}`, for a line of output.
    ///
    /// - Parameter limit: Characters that stay at the most; an ellipsis stands
    ///   for the others.
    package func printable(limit: Int = .max) -> String { escaped(limit: limit) { !$0.isDangerous } }

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
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether the character can move the cursor, break the line or turn the
    /// writing direction.
    fileprivate var isDangerous: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

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
    fileprivate var isHarmlessFormat: Bool {
        switch value {
        case 0x200C, 0x200D, 0x600...0x605, 0x6DD, 0x70F, 0x8E2, 0x110BD, 0xE0020...0xE007F: true
        default: false
        }
    }
}
