public import MediaCore

/// A picture could not be encoded.
public struct ImageEncodingError: BridgedError, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}
