public import Foundation
public import MediaCore
public import MediaIO

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
    /// Which limit was hit; `nil` if none was, or one that cannot be set.
    public let limit: MediaLimits.Name?

    /// Makes an error.
    public init(_ kind: Kind, _ reason: String, limit: MediaLimits.Name? = nil) {
        (self.kind, self.reason, self.limit) = (kind, reason, limit)
    }

    /// The cause.
    public var errorDescription: String? { reason }
}
