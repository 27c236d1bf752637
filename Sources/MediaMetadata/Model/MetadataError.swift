public import Foundation
public import MediaErrors

/// Why metadata could not be read or written; beyond AVFoundation.
public struct MetadataError: BridgedError, LocalizedError, Hashable {
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
