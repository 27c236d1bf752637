public import Foundation
internal import Synchronization

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
