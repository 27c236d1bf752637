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
