public import Foundation
public import MediaTime

/// Items that belong together.
open class AVMetadataGroup: @unchecked Sendable {
    // @unchecked Sendable: immutable; subclasses that can be changed lock their state.

    private let ownItems: [AVMetadataItem]

    init(items: [AVMetadataItem]) { ownItems = items }

    /// The items.
    open var items: [AVMetadataItem] { ownItems }
    /// What kind of group it is; `nil` for those of files.
    open var classifyingLabel: String? { nil }
    /// What tells it from others of its kind; `nil` for those of files.
    open var uniqueID: String? { nil }
}

/// Items that hold for a range of time.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    private let ownTimeRange: CMTimeRange

    /// Makes a group.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        ownTimeRange = timeRange
        super.init(items: items)
    }

    /// When the items hold.
    open var timeRange: CMTimeRange { ownTimeRange }

    /// A copy that can be changed.
    public func mutableCopy() -> AVMutableTimedMetadataGroup {
        AVMutableTimedMetadataGroup(items: items, timeRange: timeRange)
    }
}

/// Items that hold for a range of time, both of which can be changed.
public final class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
    private let lock = NSLock()
    private var changedItems: [AVMetadataItem]?
    private var changedTimeRange: CMTimeRange?

    /// The items.
    public override var items: [AVMetadataItem] {
        get { lock.withLock { changedItems } ?? super.items }
        set { lock.withLock { changedItems = newValue } }
    }

    /// When the items hold.
    public override var timeRange: CMTimeRange {
        get { lock.withLock { changedTimeRange } ?? super.timeRange }
        set { lock.withLock { changedTimeRange = newValue } }
    }
}

/// Items that hold from one date to another.
open class AVDateRangeMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    private let ownStartDate: Date
    private let ownEndDate: Date?

    /// Makes a group; without an end it holds on.
    public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) {
        (ownStartDate, ownEndDate) = (startDate, endDate)
        super.init(items: items)
    }

    /// When the items begin to hold.
    open var startDate: Date { ownStartDate }
    /// When they cease to hold; `nil` if that is not known.
    open var endDate: Date? { ownEndDate }
}

/// Items that hold from one date to another, all of which can be changed.
public final class AVMutableDateRangeMetadataGroup: AVDateRangeMetadataGroup, @unchecked Sendable {
    private let lock = NSLock()
    private var changedItems: [AVMetadataItem]?
    private var changedStartDate: Date?
    private var changedEndDate: Date??

    /// The items.
    public override var items: [AVMetadataItem] {
        get { lock.withLock { changedItems } ?? super.items }
        set { lock.withLock { changedItems = newValue } }
    }
    /// When the items begin to hold.
    public override var startDate: Date {
        get { lock.withLock { changedStartDate } ?? super.startDate }
        set { lock.withLock { changedStartDate = newValue } }
    }
    /// When they cease to hold.
    public override var endDate: Date? {
        get { lock.withLock { changedEndDate } ?? super.endDate }
        set { lock.withLock { changedEndDate = .some(newValue) } }
    }
}
