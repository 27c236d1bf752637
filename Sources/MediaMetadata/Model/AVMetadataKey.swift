public import MediaCore

/// A key: of the common key space, or of another one as text.
///
/// Four-character keys have `@` where the file has the byte 0xA9 (`©`).
public struct AVMetadataKey: BridgedToNSString, Hashable, Sendable {
    /// The key's text.
    public let rawValue: String
    /// A key of its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
