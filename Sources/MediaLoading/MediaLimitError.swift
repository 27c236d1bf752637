public import Foundation

/// A limit on time, memory or size was hit, before anything was lost: of pixels, streams, packets, the bytes of a
/// pipe, of a reader of metadata, or of an image.
///
/// Beside AVFoundation's errors, so that callers can tell a file that asks for
/// too much from a file that is damaged.
public struct MediaLimitError: Error, LocalizedError, Hashable, Sendable {
    /// Which limit, in one line.
    public let reason: String
    /// Which limit.
    public var errorDescription: String? { reason }

    /// Makes an error.
    public init(reason: String) { self.reason = reason }
}
