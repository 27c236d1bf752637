internal import Synchronization

/// What is attached to an object, for several threads.
///
/// Old objects go after the lock: their end may be anybody's code.
final class AttachmentStore: Sendable {
    private let entries: Mutex<Attachments>

    init(_ attachments: Attachments = Attachments()) { entries = Mutex(attachments) }

    /// All as it is now.
    var all: Attachments { entries.withLock { $0 } }

    /// What is attached by a key; setting `nil` lets go of it.
    subscript(key: String) -> Attachment? {
        get { entries.withLock { $0[key] } }
        set {
            let old = entries.withLock { entries in
                let old = entries[key]
                entries[key] = newValue
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Lets go of everything.
    func removeAll() {
        let old = entries.withLock { entries in
            let old = entries
            entries.removeAll()
            return old
        }
        withExtendedLifetime(old) {}
    }
}
