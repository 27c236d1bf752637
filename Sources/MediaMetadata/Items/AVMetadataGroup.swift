public import Foundation
public import MediaCore
internal import Synchronization

/// Items that belong together.
open class AVMetadataGroup: @unchecked Sendable {
    // @unchecked Sendable: the only state is behind a lock; subclasses keep theirs behind one too.

    private let storedItems: Mutex<[AVMetadataItem]>

    init(items: [AVMetadataItem]) { storedItems = Mutex(items) }

    /// The items, in the order in which they were given.
    open var items: [AVMetadataItem] { storedItems.withLock { $0 } }
    /// What kind of group it is; `nil` for those of files.
    open var classifyingLabel: String? { nil }
    /// What tells it from others of its kind; `nil` for those of files.
    open var uniqueID: String? { nil }

    /// Changes the items, for groups that allow it.
    func setItems(_ items: [AVMetadataItem]) { storedItems.withLock { $0 = items } }
}

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

/// Items that hold from one date to another.
open class AVDateRangeMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    let storedDates: Mutex<(start: Date, end: Date?)>

    /// Makes a group; without an end it holds on.
    public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) {
        storedDates = Mutex((startDate, endDate))
        super.init(items: items)
    }

    /// When the items begin to hold.
    open var startDate: Date { storedDates.withLock { $0.start } }
    /// When they cease to hold; `nil` if that is not known.
    open var endDate: Date? { storedDates.withLock { $0.end } }
}

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
