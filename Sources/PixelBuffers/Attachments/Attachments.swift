internal import CoreFoundationNames
internal import Foundation
internal import Synchronization

/// Something that is attached to a buffer.
///
/// `@unchecked Sendable`: what clients attach is theirs to share between threads, as in Core Video; they are to leave
/// it unchanged.
struct Attachment: @unchecked Sendable {
    let value: AnyObject
    let mode: CVAttachmentMode
}

/// All that is attached to a buffer: by a key, in one mode at a time.
struct Attachments: Sendable {
    private var byKey: [String: Attachment] = [:]

    subscript(key: String) -> Attachment? {
        get { byKey[key] }
        set { byKey[key] = newValue }
    }

    /// What there is in a mode.
    func filtered(_ mode: CVAttachmentMode) -> [String: Attachment] { byKey.filter { $0.value.mode == mode } }

    /// Adds what is not there and replaces what is.
    mutating func merge(_ other: [String: Attachment]) { byKey.merge(other) { _, new in new } }

    mutating func removeAll() { byKey = [:] }
}

extension CVBuffer {
    /// What is attached by a key.
    func attachment(_ key: CFString) -> Attachment? {
        let key = String(describing: key)
        return attachments.withLock { $0[key] }
    }

    /// What is attached in a mode, as a dictionary.
    func attachedObjects(_ mode: CVAttachmentMode) -> NSMutableDictionary {
        let dictionary = NSMutableDictionary()
        for (key, attachment) in attachments.withLock({ $0.filtered(mode) }) {
            dictionary.setObject(attachment.value, forKey: NSString(string: key))
        }
        return dictionary
    }
}
