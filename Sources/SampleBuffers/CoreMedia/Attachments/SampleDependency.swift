internal import Foundation
internal import MediaCore

/// What a file says of a sample, from which its attachments follow.
package struct SampleDependency: Hashable, Sendable {
    /// Whether decoding can start with the sample.
    package var isSync = true
    /// Whether decoding can start with the sample but not show all that follows.
    package var isPartialSync = false
    /// Whether the sample needs others, `nil` if it is not known.
    package var dependsOnOthers: Bool?
    /// Whether others need the sample, `nil` if it is not known.
    package var isDependedOnByOthers: Bool?
    /// Whether the sample is coded more than once, `nil` if it is not known.
    package var hasRedundantCoding: Bool?
    /// Whether the sample is decoded and not shown.
    package var isHidden = false

    package init(
        isSync: Bool = true, isPartialSync: Bool = false, dependsOnOthers: Bool? = nil,
        isDependedOnByOthers: Bool? = nil, hasRedundantCoding: Bool? = nil, isHidden: Bool = false
    ) {
        (self.isSync, self.isPartialSync, self.dependsOnOthers) = (isSync, isPartialSync, dependsOnOthers)
        (self.isDependedOnByOthers, self.hasRedundantCoding) = (isDependedOnByOthers, hasRedundantCoding)
        self.isHidden = isHidden
    }

    /// What is attached to the sample: only what Core Media would not take to be so without it.
    var attachments: NSMutableDictionary {
        let dictionary = NSMutableDictionary()
        func attach(_ flag: Bool?, _ key: CFString) {
            if let flag { dictionary.setObject(NSNumber(value: flag), forKey: key) }
        }
        attach(isSync ? nil : true, kCMSampleAttachmentKey_NotSync)
        attach(isPartialSync ? true : nil, kCMSampleAttachmentKey_PartialSync)
        attach(dependsOnOthers, kCMSampleAttachmentKey_DependsOnOthers)
        attach(isDependedOnByOthers, kCMSampleAttachmentKey_IsDependedOnByOthers)
        attach(hasRedundantCoding, kCMSampleAttachmentKey_HasRedundantCoding)
        attach(isHidden ? true : nil, kCMSampleAttachmentKey_DoNotDisplay)
        return dictionary
    }
}
