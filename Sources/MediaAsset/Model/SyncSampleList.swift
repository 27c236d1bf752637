public import MediaTime

/// The sync samples of a video track.
///
/// Beyond AVFoundation.
public struct SyncSampleList: Sendable, Hashable {
    /// The times of those that are there, in ascending order.
    public let times: [CMTime]
    /// The times of those that the container's index lists and a file that is cut short does not hold.
    public let missingTimes: [CMTime]
    /// The time of the last frame that is there, `nil` if there is none.
    public let lastFrameTime: CMTime?
    /// Why there should be more than is there, `nil` if nothing tells that there should.
    public let truncation: String?
}
