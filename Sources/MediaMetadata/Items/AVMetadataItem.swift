public import Foundation
public import MediaCore
internal import Synchronization

/// One piece of metadata: a key in a key space, its value and what belongs to it.
///
/// Items are immutable; `AVMutableMetadataItem` is the kind that callers make. Values of files are in memory when the
/// item is, so that asking for one reads nothing.
open class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // @unchecked Sendable: all state is behind the lock in `state`.

    let state: Mutex<MetadataItemState>
    package let propertyStore = PropertyStore()

    init(state: MetadataItemState) {
        self.state = Mutex(state)
        super.init()
    }

    /// An item without a key and a value.
    public override convenience init() { self.init(state: MetadataItemState()) }

    /// An item of a file.
    package convenience init(_ entry: MetadataEntry) { self.init(state: MetadataItemState(entry)) }

    /// An item whose value is found when somebody asks for it.
    ///
    /// - Parameters:
    ///   - template: The item whose properties other than the value the new one has.
    ///   - handler: Answers a request for the value, on the thread that asks first or later on any other. Called once;
    ///     whoever asks waits for the answer.
    public convenience init(
        propertiesOf template: AVMetadataItem,
        valueLoadingHandler handler: @escaping @Sendable (AVMetadataItemValueRequest) -> Void
    ) {
        var state = template.state.withLock { $0 }
        state.value = nil
        state.valueLoader = handler
        self.init(state: state)
    }

    // MARK: Names

    /// Key space and key as one text; `nil` if they cannot form one.
    open var identifier: AVMetadataIdentifier? { state.withLock { $0.identifier } }
    /// The set of keys that `key` is one of; `nil` for an item without a key.
    open var keySpace: AVMetadataKeySpace? { state.withLock { $0.keySpace } }
    /// The key: a number for four-character keys, else text; `nil` for an item without one.
    open var key: (any NSCopying & NSObjectProtocol)? { state.withLock { $0.keyObject } }
    /// The key in the common key space that means the same; `nil` if there is none.
    ///
    /// - Note: Also for keys of FLAC, Ogg, Matroska and others, for which AVFoundation has none.
    open var commonKey: AVMetadataKey? { state.withLock { $0.commonKey } }
    /// The value's language as a BCP 47 tag; `nil` if none is named.
    open var extendedLanguageTag: String? { state.withLock { $0.languageTag } }
    /// The value's language; `nil` if none is named.
    open var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }

    // MARK: When

    /// When it begins to hold, on the asset's timeline; invalid if it holds for the whole asset or track.
    open var time: CMTime { state.withLock { $0.time } }
    /// How long it holds; invalid if it holds for the whole asset or track.
    open var duration: CMTime { state.withLock { $0.duration } }
    /// The date at which it begins to hold; `nil` if it is not bound to one.
    open var startDate: Date? { state.withLock { $0.startDate } }

    // MARK: The value

    /// The value's type: `com.apple.metadata.datatype.UTF-8` and so on; `nil`
    /// where the format has no types.
    open var dataType: String? { state.withLock { $0.dataType } }
    /// The value: text, a number, a date, or data.
    ///
    /// An `NSString`, `NSNumber`, `NSDate` or `NSData`; `nil` without one, and if it could not be found.
    ///
    /// Frames of ID3 that have a description give an `NSDictionary`, as AVFoundation documents it: `identifier` is the
    /// description, which is empty for a plain comment. With it come `text` and, where one is named, `language` of `COMM`,
    /// `TXXX` and `USLT`; `data`, `MIME` and `pictureType` of `APIC`; `data` of `PRIV`, whose `identifier` is its owner;
    /// `data`, `MIME` and `filename` of `GEOB`. Text and picture alone are in ``stringValue`` and ``dataValue``.
    ///
    /// - Note: For an item whose value is found on request, this waits for it, as the properties below do.
    open var value: (any NSCopying & NSObjectProtocol)? { try? loadValue() }
    /// The value as text; `nil` for data and dates.
    open var stringValue: String? { loadedState.stringValue }
    /// The value as a number; `nil` if it is none and does not read as one.
    open var numberValue: NSNumber? { loadedState.numberValue }
    /// The value as a date; `nil` if it is none and is not a complete ISO 8601 timestamp.
    open var dateValue: Date? { loadedState.dateValue }
    /// The value's bytes; text as UTF-8, numbers of the type's size with the high byte first; `nil` for dates.
    open var dataValue: Data? { loadedState.dataValue }
    /// What belongs to the value: the description of a comment, the kind of a picture; empty for nothing, never `nil`.
    ///
    /// Values are `String`, `Int`, `Double` or `Data`.
    open var extraAttributes: [AVMetadataExtraAttributeKey: any Sendable]? { state.withLock { $0.extraAttributes } }

    /// The item as writers take it, `nil` without a usable key or value.
    package var entry: MetadataEntry? { loadedState.entry }

    /// The properties, the value among them.
    private var loadedState: MetadataItemState {
        _ = try? loadValue()
        return state.withLock { $0 }
    }

    /// The value; asks for it if nobody did before.
    func loadValue() throws -> (any NSCopying & NSObjectProtocol)? {
        let loader = state.withLock { state in
            defer { state.valueLoader = nil }
            return state.valueLoader
        }
        if let loader {
            let request = AVMetadataItemValueRequest(item: self)
            loader(request)
            let answer = request.answer()
            state.withLock { $0.take(answer) }
        }
        return try state.withLock { state in
            if let error = state.valueError { throw error }
            return state.valueObject
        }
    }

    // MARK: Copies

    /// An immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(state: state.withLock { $0 }) }
    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(state: state.withLock { $0 }) }

    /// Identifier and value, for debugging.
    open override var description: String {
        "\(identifier?.rawValue ?? "(no identifier)") = \(stringValue ?? dataValue.map { "\($0.count) bytes" } ?? "nil")"
    }
}

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
        set {
            change { state in
                state.keySpace = newValue
                state.putDescribed()
            }
        }
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

/// Asks for the value of an item; any thread may answer, and the first answer counts.
public final class AVMetadataItemValueRequest: Sendable {
    private let answered = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<MetadataItemState.Value?, any Error>?>(nil)
    /// The item whose value is wanted; never `nil`.
    public let metadataItem: AVMetadataItem?

    init(item: AVMetadataItem) { metadataItem = item }

    /// Gives the value: an `NSString`, `NSNumber`, `NSDate` or `NSData`; all else counts as none.
    public func respond(value: (any NSCopying & NSObjectProtocol)?) {
        give(.success(value.flatMap(MetadataItemState.Value.init(object:))))
    }

    /// Says why there is no value: `load(_:)` throws this error, and the properties are `nil`.
    public func respond(error: any Error) { give(.failure(error)) }

    private func give(_ answer: Result<MetadataItemState.Value?, any Error>) {
        let isFirst = result.withLock { result in
            guard result == nil else { return false }
            result = answer
            return true
        }
        if isFirst { answered.signal() }
    }

    func answer() -> Result<MetadataItemState.Value?, any Error> {
        answered.wait()
        return result.withLock { $0 } ?? .success(nil)
    }
}

/// The properties of an item that may have to be waited for, and what finds their values.
struct MetadataItemProperties: Sendable {
    typealias Property<Value> = MediaProperty<AVMetadataItem, Value>

    static let all = MetadataItemProperties()
    static let registry = PropertyRegistry<AVMetadataItem>(all)

    let value = Property("value") { try $0.loadValue() }
    let stringValue = Self.afterValue("stringValue") { $0.stringValue }
    let numberValue = Self.afterValue("numberValue") { $0.numberValue }
    let dateValue = Self.afterValue("dateValue") { $0.dateValue }
    let dataValue = Self.afterValue("dataValue") { $0.dataValue }
    let extraAttributes = Self.afterValue("extraAttributes") { $0.extraAttributes }

    /// A property that fails if the value does.
    private static func afterValue<Value>(
        _ name: String, _ find: @escaping @Sendable (AVMetadataItem) -> Value
    ) -> Property<Value> {
        Property(name) { item in
            _ = try item.loadValue()
            return find(item)
        }
    }
}

extension AVMetadataItem: PropertyOwner {
    /// The property that key-value loading knows by a key.
    package func property(forKey key: String) -> KeyedProperty? {
        MetadataItemProperties.registry.property(forKey: key, of: self)
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// The value: text, a number, a date, or data; `nil` for an item without one.
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        property(MetadataItemProperties.all.value)
    }
    /// The value as text; `nil` as `AVMetadataItem.stringValue` is.
    public static var stringValue: AVAsyncProperty<Root, String?> { property(MetadataItemProperties.all.stringValue) }
    /// The value as a number; `nil` as `AVMetadataItem.numberValue` is.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> { property(MetadataItemProperties.all.numberValue) }
    /// The value as a date; `nil` as `AVMetadataItem.dateValue` is.
    public static var dateValue: AVAsyncProperty<Root, Date?> { property(MetadataItemProperties.all.dateValue) }
    /// The value's bytes; `nil` as `AVMetadataItem.dataValue` is.
    public static var dataValue: AVAsyncProperty<Root, Data?> { property(MetadataItemProperties.all.dataValue) }
    /// What belongs to the value, as `AVMetadataItem.extraAttributes`; never `nil`.
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: any Sendable]?> {
        property(MetadataItemProperties.all.extraAttributes)
    }

    private static func property<Value>(
        _ property: MetadataItemProperties.Property<Value>
    ) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(property) { $0 }
    }
}
