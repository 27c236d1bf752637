public import Foundation
public import MediaCore
internal import Synchronization

/// Something that is attached to a buffer.
///
/// `@unchecked Sendable`: what clients attach is theirs to share between threads, as in Core Video; they are to leave
/// it unchanged.
package struct Attachment: @unchecked Sendable {
    /// What is attached.
    let value: AnyObject
    /// Whether it goes along to buffers made from this one.
    let mode: CVAttachmentMode

    init(value: AnyObject, mode: CVAttachmentMode) { (self.value, self.mode) = (value, mode) }
}

/// All that is attached to a buffer: by a key, in one mode at a time.
struct Attachments: Sendable {
    private var byKey: [String: Attachment] = [:]

    init() {}

    /// What is attached by a key, `nil` if there is nothing.
    subscript(key: String) -> Attachment? {
        get { byKey[key] }
        set { byKey[key] = newValue }
    }

    /// What there is in a mode.
    func filtered(_ mode: CVAttachmentMode) -> [String: Attachment] { byKey.filter { $0.value.mode == mode } }

    /// Adds what is not there and replaces what is.
    mutating func merge(_ other: [String: Attachment]) { byKey.merge(other) { _, new in new } }

    /// Lets go of everything.
    mutating func removeAll() { byKey = [:] }
}

extension CVBuffer {
    /// What is attached by a key.
    func attachment(_ key: CFString) -> Attachment? {
        let key = String(describing: key)
        return attached.withLock { $0[key] }
    }

    /// What is attached in a mode, by its keys.
    func attachedByKey(_ mode: CVAttachmentMode) -> [String: Attachment] {
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

/// Attaches an object to a buffer.
///
/// - Parameters:
///   - key: Says what it is, as `kCVImageBufferYCbCrMatrixKey` does; what it stood for before is replaced.
///   - value: Held until it is replaced or removed, or the buffer goes.
///   - attachmentMode: Whether it goes along to buffers made from this one.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
    let (key, attachment) = (String(describing: key), Attachment(value: value, mode: attachmentMode))
    // The old object goes after the lock: its end may be anybody's code.
    let old = buffer.attached.withLock { attachments in
        let old = attachments[key]
        attachments[key] = attachment
        return old
    }
    withExtendedLifetime(old) {}
}

/// Attaches all objects of a dictionary to a buffer, by their keys.
///
/// - Parameters:
///   - theAttachments: By keys that are text.
///   - attachmentMode: Whether they go along to buffers made from this one.
public func CVBufferSetAttachments(
    _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
    for (key, value) in theAttachments {
        CVBufferSetAttachment(buffer, textKey(key), dictionaryObject(value), attachmentMode)
    }
}

/// The object that is attached to a buffer by a key.
///
/// - Parameter attachmentMode: Is given the object's mode, nothing if there is none; may be nil.
/// - Returns: An object that lasts as long as it is attached: `takeUnretainedValue()`. Nil if there is none.
@discardableResult
public func CVBufferGetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<CFTypeRef>? {
    CVBufferCopyAttachment(buffer, key, attachmentMode).map { Unmanaged.passUnretained($0) }
}

/// The object that is attached to a buffer by a key.
///
/// - Parameter attachmentMode: Is given the object's mode, nothing if there is none; may be nil.
/// - Returns: Nil if there is none.
@discardableResult
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = buffer.attachment(key) else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// All objects that are attached to a buffer in a mode.
///
/// - Returns: A dictionary, empty if there are none; never `nil`.
/// - Note: Unlike Core Video's: it does not change with the buffer.
@discardableResult
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    buffer.attachedObjects(attachmentMode)
}

/// All objects that are attached to a buffer in a mode.
///
/// - Returns: A dictionary, nil if there are none.
@discardableResult
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    let objects = buffer.attachedObjects(attachmentMode)
    return objects.count == 0 ? nil : objects
}

/// Whether an object is attached to a buffer by a key.
@discardableResult
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool { buffer.attachment(key) != nil }

/// Lets go of the object that is attached to a buffer by a key; nothing happens if there is none.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
    let key = String(describing: key)
    let old = buffer.attached.withLock { attachments in
        let old = attachments[key]
        attachments[key] = nil
        return old
    }
    withExtendedLifetime(old) {}
}

/// Lets go of all objects that are attached to a buffer.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) {
    let old = buffer.attached.withLock { attachments in
        let old = attachments
        attachments.removeAll()
        return old
    }
    withExtendedLifetime(old) {}
}

/// Attaches to a buffer what is attached to another one and is to go along.
///
/// - Parameters:
///   - sourceBuffer: What is attached to it with `.shouldPropagate` counts.
///   - destinationBuffer: Gets it in the same mode; what it has by other keys stays.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    let propagated = sourceBuffer.attached.withLock { $0.filtered(.shouldPropagate) }
    let old = destinationBuffer.attached.withLock { attachments in
        let old = attachments
        attachments.merge(propagated)
        return old
    }
    withExtendedLifetime(old) {}
}
