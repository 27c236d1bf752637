public import Foundation
public import MediaCore

/// A limit on time, memory or size was hit, before anything was lost: of pixels, streams, packets, the bytes of a
/// pipe, of a reader of metadata, or of an image.
///
/// What AVFoundation has too throws an `AVError` with this one under `NSUnderlyingErrorKey`, so that callers can tell
/// a file that asks for too much from a file that is damaged.
///
/// Beyond AVFoundation.
public struct MediaLimitError: BridgedError, LocalizedError, Hashable {
    /// Which limit, in one line.
    public let reason: String
    /// The limit's name, if it is one that can be set by ``MediaLimits``; `nil` for one that is fixed.
    public let limit: MediaLimits.Name?
    /// Which limit.
    public var errorDescription: String? { reason }

    /// Makes an error.
    public init(reason: String, limit: MediaLimits.Name? = nil) { (self.reason, self.limit) = (reason, limit) }
}

extension AVError {
    /// The error of an API of AVFoundation for a limit that was hit.
    package init(_ code: Code, _ limit: MediaLimitError) {
        self.init(code, reason: limit.reason, underlying: limit)
    }

    /// The error for an asset that asks for too much.
    package init(_ limit: MediaLimitError) { self.init(.operationNotSupportedForAsset, limit) }
}
