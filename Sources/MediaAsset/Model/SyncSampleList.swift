public import MediaCore

/// The sync samples of a video track, on the asset's timeline; those before its zero do not count.
///
/// Beyond AVFoundation.
public struct SyncSampleList: Sendable, Hashable {
    /// The times of those that are there, in ascending order.
    public let times: [CMTime]
    /// The times of those that the container's index lists and a truncated file does not hold, in ascending order.
    public let missingTimes: [CMTime]
    /// The time of the last frame that is there, `nil` if there is none.
    public let lastFrameTime: CMTime?
    /// Why there should be more than is there, in one line; `nil` if nothing tells that there should.
    public let truncation: String?
}
