/// Says why a text is not a time, or why a time has no place in an asset.
///
/// `text` and `offendingPart` are kept as they were given and may hold anything;
/// `description` is one line that is safe to print.
public struct TimeExpressionError: BridgedError, Hashable, CustomStringConvertible {
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
    /// Characters that are not printable are escaped, long texts truncated.
    public var description: String {
        let subject = offendingPart == text ? "it" : offendingPart.quoted()
        let place = position.map { "\(noun) \($0) in \(text.quoted())" } ?? "\(noun) \(text.quoted())"
        let ending = grammar.map { "; \($0)" } ?? ""
        return "invalid \(place): \(subject) \(reason)\(ending)"
    }
}
