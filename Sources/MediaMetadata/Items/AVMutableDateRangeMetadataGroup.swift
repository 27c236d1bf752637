public import Foundation
internal import Synchronization

/// Items that hold from one date to another, all of which can be changed.
public final class AVMutableDateRangeMetadataGroup: AVDateRangeMetadataGroup, @unchecked Sendable {
    /// The items.
    public override var items: [AVMetadataItem] {
        get { super.items }
        set { setItems(newValue) }
    }
    /// When the items begin to hold.
    public override var startDate: Date {
        get { super.startDate }
        set { storedDates.withLock { $0.start = newValue } }
    }
    /// When they cease to hold; `nil` if that is not known.
    public override var endDate: Date? {
        get { super.endDate }
        set { storedDates.withLock { $0.end = newValue } }
    }
}
