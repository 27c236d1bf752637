public import Foundation
public import MediaCore
internal import Synchronization

/// A piece of metadata that can be changed.
///
/// Setting the identifier sets key and key space, and the other way round. `nil` takes a property away.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    private func change(_ body: (inout MetadataItemState) -> Void) {
        state.withLock { body(&$0) }
        propertyStore.forget()
    }

    /// Key space and key as one text.
    open override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set { change { $0.identifier = newValue } }
    }
    /// The set of keys that `key` is one of.
    open override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { change { $0.keySpace = newValue } }
    }
    /// The key: a number or text of four characters for four-character keys, else text.
    open override var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set { change { $0.setKey(newValue) } }
    }
    /// The value's language as a BCP 47 tag.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { change { $0.languageTag = newValue } }
    }
    /// The value's language.
    open override var locale: Locale? {
        get { super.locale }
        set { change { $0.languageTag = newValue?.identifier.replacingOccurrences(of: "_", with: "-") } }
    }
    /// When it begins to hold, on the asset's timeline; invalid for the whole asset or track, as by default.
    open override var time: CMTime {
        get { super.time }
        set { change { $0.time = newValue } }
    }
    /// How long it holds; invalid for the whole asset or track, as by default.
    open override var duration: CMTime {
        get { super.duration }
        set { change { $0.duration = newValue } }
    }
    /// The date at which it begins to hold.
    open override var startDate: Date? {
        get { super.startDate }
        set { change { $0.startDate = newValue } }
    }
    /// The value's type, such as `kCMMetadataBaseDataType_UTF8`; `nil` for none.
    open override var dataType: String? {
        get { super.dataType }
        set { change { $0.dataType = newValue } }
    }
    /// The value: an `NSString`, `NSNumber`, `NSDate` or `NSData`, or an `NSDictionary` with one of these under `data` or
    /// `text`; all else counts as none.
    ///
    /// A picture is written with the type that its bytes have, where `dataType` is that of another kind of picture.
    open override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set { change { $0.setValue(newValue) } }
    }
    /// What belongs to the value: `String`, `Int`, `Double` and `Data`; all else is dropped.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: any Sendable]? {
        get { super.extraAttributes }
        set { change { $0.extraAttributes = newValue } }
    }
}
