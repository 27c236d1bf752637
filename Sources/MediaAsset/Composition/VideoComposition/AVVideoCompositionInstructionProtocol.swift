public import Foundation
public import MediaCore

/// What is to be composed during a range of time.
///
/// ``AVVideoCompositionInstruction`` is the kind that is carried out here.
public protocol AVVideoCompositionInstructionProtocol: NSObjectProtocol, Sendable {
    /// When the instruction holds, on the asset's timeline.
    var timeRange: CMTimeRange { get }
    /// Whether layers of Core Animation are drawn over the pictures; there are none here.
    var enablePostProcessing: Bool { get }
    /// Whether one picture of the sources may give different composed ones at different times of the range.
    var containsTweening: Bool { get }
    /// The numbers of the tracks whose pictures are needed, as `NSNumber`s; `nil` for all of them.
    var requiredSourceTrackIDs: [NSValue]? { get }
    /// The number of the track whose pictures are the composed ones; ``kCMPersistentTrackID_Invalid`` if there is none.
    var passthroughTrackID: CMPersistentTrackID { get }
    /// The numbers of the tracks whose data, other than pictures, are needed.
    var requiredSourceSampleDataTrackIDs: [NSNumber] { get }
}

extension AVVideoCompositionInstructionProtocol {
    /// None.
    public var requiredSourceSampleDataTrackIDs: [NSNumber] { [] }
}
