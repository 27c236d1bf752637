internal import Foundation
internal import MediaCore
internal import Synchronization

/// Something that is attached to a buffer.
///
/// `@unchecked Sendable`: what clients attach is theirs to share between threads, as in Core Video; they are to leave
/// it unchanged.
package struct Attachment: @unchecked Sendable {
    /// What is attached.
    package let value: AnyObject
    /// Whether it goes along to buffers made from this one.
    package let mode: CVAttachmentMode

    package init(value: AnyObject, mode: CVAttachmentMode) { (self.value, self.mode) = (value, mode) }
}

/// All that is attached to a buffer: by a key, in one mode at a time.
package struct Attachments: Sendable {
    private var byKey: [String: Attachment] = [:]

    package init() {}

    /// What is attached by a key, `nil` if there is nothing.
    package subscript(key: String) -> Attachment? {
        get { byKey[key] }
        set { byKey[key] = newValue }
    }

    /// What there is in a mode.
    package func filtered(_ mode: CVAttachmentMode) -> [String: Attachment] { byKey.filter { $0.value.mode == mode } }

    /// Adds what is not there and replaces what is.
    package mutating func merge(_ other: [String: Attachment]) { byKey.merge(other) { _, new in new } }

    /// Lets go of everything.
    package mutating func removeAll() { byKey = [:] }
}

extension CVBuffer {
    /// What is attached by a key.
    func attachment(_ key: CFString) -> Attachment? {
        let key = String(describing: key)
        return attached.withLock { $0[key] }
    }

    /// What is attached in a mode, by its keys.
    package func attachedByKey(_ mode: CVAttachmentMode) -> [String: Attachment] {
        attached.withLock { $0.filtered(mode) }
    }

    /// What is attached in a mode, as a dictionary.
    func attachedObjects(_ mode: CVAttachmentMode) -> NSMutableDictionary {
        let dictionary = NSMutableDictionary()
        for (key, attachment) in attachedByKey(mode) {
            dictionary.setObject(attachment.value, forKey: NSString(string: key))
        }
        return dictionary
    }
}
