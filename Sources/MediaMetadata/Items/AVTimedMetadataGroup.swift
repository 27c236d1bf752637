public import MediaCore
internal import Synchronization

/// Items that hold for a range of time.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    let storedTimeRange: Mutex<CMTimeRange>

    /// Makes a group of items that hold for a range of the asset's timeline.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        storedTimeRange = Mutex(timeRange)
        super.init(items: items)
    }

    /// When the items hold, on the asset's timeline.
    open var timeRange: CMTimeRange { storedTimeRange.withLock { $0 } }

    /// A copy that can be changed.
    public func mutableCopy() -> AVMutableTimedMetadataGroup {
        AVMutableTimedMetadataGroup(items: items, timeRange: timeRange)
    }
}
