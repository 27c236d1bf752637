public import Foundation
public import MediaCore

/// Why a name or a value that somebody typed means nothing.
public struct MetadataNameError: BridgedError, LocalizedError, Hashable {
    /// The cause and what to write instead, in one line.
    public let reason: String

    package init(_ reason: String) { self.reason = reason }

    /// The cause.
    public var errorDescription: String? { reason }
}
