/// A value of JSON5, and where it stands.
struct JSON5Value {
    /// What a value is.
    enum Content {
        case null
        case bool(Bool)
        /// The digits as they are written, so that nothing is lost.
        case number(Substring)
        case string(String)
        case array([JSON5Value])
        case object([String: JSON5Value])
    }

    let line: Int
    let content: Content

    /// A member of an object; `nil` if there is none, or if it is null.
    subscript(_ key: String) -> JSON5Value? {
        guard case .object(let members) = content, let member = members[key] else { return nil }
        if case .null = member.content { return nil }
        return member
    }
}
