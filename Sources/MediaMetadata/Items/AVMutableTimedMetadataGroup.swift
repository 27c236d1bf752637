public import MediaCore
internal import Synchronization

/// Items that hold for a range of time, both of which can be changed.
public final class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
    /// The items.
    public override var items: [AVMetadataItem] {
        get { super.items }
        set { setItems(newValue) }
    }

    /// When the items hold, on the asset's timeline.
    public override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { storedTimeRange.withLock { $0 = newValue } }
    }
}
