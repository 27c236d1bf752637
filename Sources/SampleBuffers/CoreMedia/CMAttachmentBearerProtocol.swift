public import Foundation
public import MediaCore
internal import Synchronization

/// An object that others can be attached to.
public protocol CMAttachmentBearerProtocol {
    /// What is attached to the object.
    var attachments: CMAttachmentBearerAttachments { get }
    /// Attaches to another object what is to go along.
    func propagateAttachments<T: CMAttachmentBearerProtocol>(to destination: T)
}

extension CMAttachmentBearerProtocol {
    /// Attaches to another object what is to go along.
    public func propagateAttachments<T: CMAttachmentBearerProtocol>(to destination: T) {
        attachments.bearer.propagate(to: destination.attachments.bearer)
    }
}

extension CMBlockBuffer: CMAttachmentBearerProtocol {
    /// What is attached to the buffer.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(bearer: self) }
}

extension CMSampleBuffer: CMAttachmentBearerProtocol {
    /// What is attached to the buffer, apart from what is attached to its samples.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(bearer: self) }
}

extension CVBuffer: CMAttachmentBearerProtocol {
    /// What is attached to the buffer.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(bearer: self) }
}

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

/// What is attached to an object: changes show, and are made, at the object.
public struct CMAttachmentBearerAttachments {
    let bearer: any AttachmentBearer

    /// Something that is attached, with its mode.
    public enum Value {
        /// It stays with the object.
        case shouldNotPropagate(Any)
        /// It goes along to objects made from this one.
        case shouldPropagate(Any)

        /// The object.
        public var value: Any {
            switch self {
            case .shouldNotPropagate(let value), .shouldPropagate(let value): value
            }
        }

        /// Whether it goes along.
        public var mode: Mode {
            switch self {
            case .shouldNotPropagate: .shouldNotPropagate
            case .shouldPropagate: .shouldPropagate
            }
        }
    }

    /// Whether what is attached goes along to objects made from this one.
    public enum Mode: CMAttachmentMode, Sendable {
        /// It stays with the object.
        case shouldNotPropagate = 0
        /// It goes along.
        case shouldPropagate = 1
    }

    /// What is attached by a key; setting nil lets go of it.
    public subscript(key: String) -> Value? {
        get {
            bearer.attachment(by: key).map { attachment in
                switch attachment.mode {
                case .shouldNotPropagate: .shouldNotPropagate(attachment.value)
                case .shouldPropagate: .shouldPropagate(attachment.value)
                }
            }
        }
        nonmutating set {
            bearer.attach(newValue.map { Attachment($0.value, $0.mode) }, by: key)
        }
    }

    /// What is attached by a key; setting nil lets go of it.
    public subscript(key: CMSampleBuffer.AttachmentKey) -> Value? {
        get { self[key.name] }
        nonmutating set { self[key.name] = newValue }
    }

    /// What goes along, by its keys.
    public var propagated: [String: Any] { objects(.shouldPropagate) }
    /// What stays, by its keys.
    public var nonPropagated: [String: Any] { objects(.shouldNotPropagate) }

    /// Lets go of everything.
    public func removeAll() { bearer.removeAttachments() }

    /// Attaches objects by their keys, in place of what was there.
    public func merge(_ attachments: [String: Any], mode: Mode) {
        for (key, value) in attachments { bearer.attach(Attachment(value, mode), by: key) }
    }

    private func objects(_ mode: CVAttachmentMode) -> [String: Any] {
        bearer.attachments(in: mode).mapValues { $0.value as Any }
    }
}

extension Attachment {
    /// A value that a client gives.
    fileprivate init(_ value: Any, _ mode: CMAttachmentBearerAttachments.Mode) {
        self.init(
            value: dictionaryObject(value), mode: mode == .shouldPropagate ? .shouldPropagate : .shouldNotPropagate)
    }
}

/// What objects that others can be attached to do, of Core Video and of Core Media alike.
protocol AttachmentBearer: AnyObject {
    /// What is attached by a key, `nil` if there is nothing.
    func attachment(by key: String) -> Attachment?
    /// Attaches an object by a key, in place of what was there; `nil` lets go of it.
    func attach(_ attachment: Attachment?, by key: String)
    /// What is attached in a mode.
    func attachments(in mode: CVAttachmentMode) -> [String: Attachment]
    /// Lets go of everything.
    func removeAttachments()
}

extension AttachmentBearer {
    /// Attaches to another object what is to go along.
    func propagate(to other: any AttachmentBearer) {
        for (key, attachment) in attachments(in: .shouldPropagate) { other.attach(attachment, by: key) }
    }
}

/// An object whose attachments are in a store of this module's.
protocol StoringBearer: AttachmentBearer {
    var attachmentStore: AttachmentStore { get }
}

extension StoringBearer {
    func attachment(by key: String) -> Attachment? { attachmentStore[key] }
    func attach(_ attachment: Attachment?, by key: String) { attachmentStore[key] = attachment }
    func attachments(in mode: CVAttachmentMode) -> [String: Attachment] { attachmentStore.all.filtered(mode) }
    func removeAttachments() { attachmentStore.removeAll() }
}

extension CMBlockBuffer: StoringBearer {}
extension CMSampleBuffer: StoringBearer {}

extension CVBuffer: AttachmentBearer {
    func attachment(by key: String) -> Attachment? {
        var mode = CVAttachmentMode.shouldNotPropagate
        guard let value = CVBufferCopyAttachment(self, NSString(string: key), &mode) else { return nil }
        return Attachment(value: value, mode: mode)
    }

    func attach(_ attachment: Attachment?, by key: String) {
        if let attachment {
            CVBufferSetAttachment(self, NSString(string: key), attachment.value, attachment.mode)
        } else {
            CVBufferRemoveAttachment(self, NSString(string: key))
        }
    }

    func attachments(in mode: CVAttachmentMode) -> [String: Attachment] { attachedByKey(mode) }

    func removeAttachments() { CVBufferRemoveAllAttachments(self) }
}

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
