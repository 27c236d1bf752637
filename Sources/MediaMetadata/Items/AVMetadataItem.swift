public import Foundation
public import MediaLoading
public import MediaTime
internal import Synchronization

/// One piece of metadata: a key in a key space, its value and what belongs to it.
///
/// Items are immutable; `AVMutableMetadataItem` is the kind that callers make.
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
    ///   - handler: Answers a request for the value, on any thread. Called once.
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
    /// The set of keys that `key` is one of.
    open var keySpace: AVMetadataKeySpace? { state.withLock { $0.keySpace } }
    /// The key: a number for four-character keys, else text.
    open var key: (any NSCopying & NSObjectProtocol)? { state.withLock { $0.keyObject } }
    /// The key in the common key space that means the same; `nil` if there is none.
    open var commonKey: AVMetadataKey? { state.withLock { $0.commonKey } }
    /// The value's language as a BCP 47 tag; `nil` if none is named.
    open var extendedLanguageTag: String? { state.withLock { $0.languageTag } }
    /// The value's language; `nil` if none is named.
    open var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }

    // MARK: When

    /// When it holds; invalid if it holds for the whole asset or track.
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
    /// - Note: For an item whose value is found on request, this waits for it.
    open var value: (any NSCopying & NSObjectProtocol)? { try? loadValue() }
    /// The value as text; `nil` for data and dates.
    open var stringValue: String? { loadedState.stringValue }
    /// The value as a number; `nil` if it is none and does not read as one.
    open var numberValue: NSNumber? { loadedState.numberValue }
    /// The value as a date; `nil` if it is none and is not a complete ISO 8601 timestamp.
    open var dateValue: Date? { loadedState.dateValue }
    /// The value's bytes as the file has them; text as UTF-8.
    open var dataValue: Data? { loadedState.dataValue }
    /// What belongs to the value: the description of a comment, the kind of a picture.
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
/// Setting the identifier sets key and key space, and the other way round.
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
    /// When it holds.
    open override var time: CMTime {
        get { super.time }
        set { change { $0.time = newValue } }
    }
    /// How long it holds.
    open override var duration: CMTime {
        get { super.duration }
        set { change { $0.duration = newValue } }
    }
    /// The date at which it begins to hold.
    open override var startDate: Date? {
        get { super.startDate }
        set { change { $0.startDate = newValue } }
    }
    /// The value's type.
    open override var dataType: String? {
        get { super.dataType }
        set { change { $0.dataType = newValue } }
    }
    /// The value: an `NSString`, `NSNumber`, `NSDate` or `NSData`.
    open override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set { change { $0.setValue(newValue) } }
    }
    /// What belongs to the value.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: any Sendable]? {
        get { super.extraAttributes }
        set { change { $0.extraAttributes = newValue } }
    }
}

/// Asks for the value of an item.
public final class AVMetadataItemValueRequest: Sendable {
    private let answered = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<MetadataItemState.Value?, any Error>?>(nil)
    /// The item whose value is wanted.
    public let metadataItem: AVMetadataItem?

    init(item: AVMetadataItem) { metadataItem = item }

    /// Gives the value.
    public func respond(value: (any NSCopying & NSObjectProtocol)?) {
        give(.success(value.flatMap(MetadataItemState.Value.init(object:))))
    }

    /// Says why there is no value.
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
