public import MediaCore

/// A key with its key space: `itsk/%A9nam`.
///
/// The key's bytes other than letters, digits, `-`, `.`, `_` and `~` are percent-encoded.
public struct AVMetadataIdentifier: BridgedToNSString, Hashable, Sendable {
    /// Key space and key.
    public let rawValue: String
    /// An identifier of its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
