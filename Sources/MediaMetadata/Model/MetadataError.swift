public import Foundation

/// Something that a format cannot hold.
public struct MetadataLoss: Hashable, Sendable {
    /// What is lost: an identifier, or `chapters`.
    public var item: String
    /// Why, in one line.
    public var reason: String
    /// Whether it is there in another form: rounded, flattened.
    public var isChange: Bool

    /// Makes a loss.
    public init(item: String, reason: String, isChange: Bool = false) {
        (self.item, self.reason, self.isChange) = (item, reason, isChange)
    }
}

/// Why metadata could not be read or written.
public struct MetadataError: Error, LocalizedError, Hashable, Sendable {
    /// The kind of failure.
    public enum Kind: Sendable {
        /// The file's structure is broken.
        case damaged
        /// The file is of a format, or has a feature, that cannot be written to.
        case unsupported
        /// There is more than is allowed to be read.
        case limit
    }

    /// The kind of failure.
    public let kind: Kind
    /// The cause, in one line.
    public let reason: String

    /// Makes an error.
    public init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    /// The cause.
    public var errorDescription: String? { reason }
}
