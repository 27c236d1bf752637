internal import Foundation
internal import MediaCore

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
