/// Says why a text is not a time, or why a time has no place in an asset.
///
/// `text` and `offendingPart` are kept as they were given and may hold anything;
/// `description` is one line that is safe to print.
public struct TimeExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole text, untrusted: of a list, all of it.
    public let text: String
    /// The smallest piece of the text that is wrong, untrusted.
    public let offendingPart: String
    /// What is wrong with that piece: a predicate, such as `must not be negative`.
    public let reason: String
    /// Which time of a list it is, counted from 1; nil if there is no list.
    public let position: Int?
    /// The grammar in one line; nil if the text was well formed, but could not
    /// be resolved.
    public let grammar: String?

    /// What the text was meant to be: a time, a range or a duration.
    let noun: String

    /// One line that names the text, the piece and what is wrong with it, and
    /// shows the grammar.
    ///
    /// Characters that are not printable are escaped, long texts cut.
    public var description: String {
        let subject = offendingPart == text ? "it" : printable(offendingPart)
        let place = position.map { "\(noun) \($0) in \(printable(text))" } ?? "\(noun) \(printable(text))"
        let ending = grammar.map { "; \($0)" } ?? ""
        return "invalid \(place): \(subject) \(reason)\(ending)"
    }
}

/// Quotes a text for a message: escapes what does not print and cuts the rest
/// after 60 characters.
func printable(_ text: some StringProtocol) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        if index == 60 { return "\"\(result)…\"" }
        result += isPrintable(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
    return "\"\(result)\""
}

/// Whether a character can neither move the cursor, nor turn the writing
/// direction, nor be taken for a quote of ours.
private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: scalar == " "
    default: scalar != "\"" && scalar != "\\"
    }
}
