internal import Foundation
internal import MediaCore

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
