public import Foundation
public import MediaCore

/// An object that others can be attached to: a sample buffer, a block buffer or a pixel buffer.
public typealias CMAttachmentBearer = CFTypeRef
/// Whether what is attached goes along to objects made from this one.
public typealias CMAttachmentMode = UInt32

/// It stays with the object.
public var kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode { 0 }
/// It goes along.
public var kCMAttachmentMode_ShouldPropagate: CMAttachmentMode { 1 }

/// Attaches an object to another one.
///
/// - Parameters:
///   - target: A sample buffer, a block buffer or a pixel buffer; nothing happens to others.
///   - key: Says what it is; what it stood for before is replaced.
///   - value: Held until it is replaced or removed, or the target goes; nil to remove what is there.
///   - attachmentMode: Whether it goes along to objects made from this one.
public func CMSetAttachment(
    _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
    let mode = CVAttachmentMode(rawValue: attachmentMode) ?? .shouldNotPropagate
    let attachment = value.map { Attachment(value: $0, mode: mode) }
    (target as? any AttachmentBearer)?.attach(attachment, by: String(describing: key))
}

/// The object that is attached to another one by a key.
///
/// - Parameters:
///   - target: A sample buffer, a block buffer or a pixel buffer.
///   - attachmentModeOut: Is given the object's mode, nothing if there is none; may be nil.
/// - Returns: Nil if there is none.
@discardableResult
public func CMGetAttachment(
    _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = (target as? any AttachmentBearer)?.attachment(by: String(describing: key)) else {
        return nil
    }
    attachmentModeOut?.pointee = attachment.mode.rawValue
    return attachment.value
}

/// Lets go of the object that is attached to another one by a key; nothing happens if there is none.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
    (target as? any AttachmentBearer)?.attach(nil, by: String(describing: key))
}

/// Lets go of all objects that are attached to another one.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) {
    (target as? any AttachmentBearer)?.removeAttachments()
}

/// All objects that are attached to another one in a mode.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; it has no effect.
/// - Returns: A dictionary, nil if there are none.
@discardableResult
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    guard let mode = CVAttachmentMode(rawValue: attachmentMode),
        let found = (target as? any AttachmentBearer)?.attachments(in: mode), !found.isEmpty
    else { return nil }
    let dictionary = NSMutableDictionary()
    for (key, attachment) in found { dictionary.setObject(attachment.value, forKey: NSString(string: key)) }
    return dictionary
}

/// Attaches all objects of a dictionary to another object, by their keys.
///
/// - Parameters:
///   - target: A sample buffer, a block buffer or a pixel buffer; nothing happens to others.
///   - theAttachments: By keys that are text.
///   - attachmentMode: Whether they go along to objects made from this one.
public func CMSetAttachments(
    _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
    for (key, value) in theAttachments {
        CMSetAttachment(target, key: textKey(key), value: dictionaryObject(value), attachmentMode: attachmentMode)
    }
}

/// Attaches to an object what is attached to another one and is to go along.
///
/// - Parameters:
///   - source: What is attached to it with `kCMAttachmentMode_ShouldPropagate` counts.
///   - destination: Gets it in the same mode; what it has by other keys stays.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    guard let source = source as? any AttachmentBearer, let destination = destination as? any AttachmentBearer else {
        return
    }
    source.propagate(to: destination)
}
