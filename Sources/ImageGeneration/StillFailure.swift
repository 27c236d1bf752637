public import Foundation
public import MediaCore

/// A still that could not be had.
///
/// Beyond AVFoundation.
public struct StillFailure: BridgedError, LocalizedError {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for, on the asset's timeline.
    public let requestedTime: CMTime
    /// Why: an error of those that `AVAssetImageGenerator.image(at:)` throws, or what `process` threw.
    public let error: any Error

    /// What the cause says.
    public var errorDescription: String? { error.localizedDescription }

    /// Makes a failure.
    package init(index: Int, requestedTime: CMTime, error: any Error) {
        (self.index, self.requestedTime, self.error) = (index, requestedTime, error)
    }
}
