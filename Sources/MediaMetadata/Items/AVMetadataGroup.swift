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
