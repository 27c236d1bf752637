/// What is wrong with settings for samples.
package struct PCMSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key of the value.
    package let key: String
    /// The value in words, `nil` if it is missing.
    package let value: String?
    /// What would do.
    package let expected: String

    /// A value that makes no sense.
    init(_ key: String, _ value: Any, expected: String) {
        // A value may be anything, of any length.
        (self.key, self.value, self.expected) = (key, String(String(describing: value).prefix(100)), expected)
    }

    /// A value that has to be there.
    init(missing key: String) { (self.key, value, expected) = (key, nil, "a value") }

    /// The key, its value, and what would do.
    package var description: String {
        guard let value else { return "\(key) is missing." }
        return "\(key) cannot be \(value): it has to be \(expected)."
    }
}
