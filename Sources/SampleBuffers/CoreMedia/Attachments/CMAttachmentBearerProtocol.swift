internal import Foundation
internal import MediaCore

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
