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
