public import Foundation
internal import Synchronization

/// A property of one kind of media object with a value of one type.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    /// How far loading has come; a load that was cancelled counts as not begun.
    public enum Status {
        /// Nobody asked for it yet.
        case notYetLoaded
        /// Under way.
        case loading
        /// There, for good: it is not loaded again.
        case loaded(Value)
        /// Failed, for good: loading again gives the same error.
        case failed(NSError)
    }

    /// Finds the value; may block.
    let find: @Sendable (Root) throws -> Value
    /// Where an object keeps the value.
    let store: @Sendable (Root) -> PropertyStore

    /// The asynchronous form of a property of the registry, for the class that has it or one that inherits from it.
    package init<Base: PropertyOwner>(
        _ property: MediaProperty<Base, Value>, of base: @escaping @Sendable (Root) -> Base
    ) {
        find = { try property.find(base($0)) }
        store = { base($0).propertyStore }
        super.init(key: property.name)
    }
}

extension AVAsyncProperty.Status: CustomStringConvertible {
    /// The state's name, and the value or the error.
    public var description: String {
        switch self {
        case .notYetLoaded: "notYetLoaded"
        case .loading: "loading"
        case .loaded(let value): "loaded(\(value))"
        case .failed(let error): "failed(\(error.localizedDescription))"
        }
    }
}

extension AVAsyncProperty.Status: Equatable where Value: Equatable {}
extension AVAsyncProperty.Status: Sendable where Value: Sendable {}

/// A property of a media object that is loaded when asked for.
public class AVAnyAsyncProperty: CustomStringConvertible, @unchecked Sendable {
    // @unchecked Sendable: the class and its subclasses hold immutable values only.

    /// The property's name.
    let key: String
    /// The property's name.
    public var description: String { key }

    init(key: String) { self.key = key }
}

/// A property of one kind of media object, whatever its value's type.
public class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {}

/// A property of a kind of media object, from which all its forms come: `load(_:)`, the blocking one and the key.
package struct MediaProperty<Root: PropertyOwner, Value>: Sendable {
    /// The name in Swift.
    let name: String
    /// The name in key-value loading, which drops the `is` of questions.
    let keyValueName: String
    /// Finds the value; may block.
    let find: @Sendable (Root) throws -> Value

    package init(_ name: String, keyValueName: String? = nil, find: @escaping @Sendable (Root) throws -> Value) {
        self.name = name
        self.keyValueName = keyValueName ?? name
        self.find = find
    }

    /// The blocking form: the value that was loaded, else loads it on this thread; `nil` if it cannot be had.
    package func value(of root: Root) -> Value? { try? loaded(by: root) }

    /// The value that was loaded, else loads it on this thread.
    ///
    /// - Throws: Why it cannot be had.
    package func loaded(by root: Root) throws -> Value {
        switch root.propertyStore.state(of: name) {
        case .loaded(let loaded as LoadedValue<Value>): return loaded.value
        case .failed(let error): throw error
        case .none, .loading, .loaded, .cancelled: break
        }
        let outcome = Result { LoadedValue(value: try find(root)) }
        root.propertyStore.finish(name, with: outcome.map { $0 as any Sendable })
        return try outcome.get().value
    }
}

/// A property of one object, as key-value loading needs it.
package struct KeyedProperty: Sendable {
    /// The name in Swift, under which the value is kept.
    let name: String
    /// Finds the value; may block.
    let load: @Sendable () throws -> any Sendable
}

/// The properties of a kind of media object, by their keys.
package struct PropertyRegistry<Root: PropertyOwner>: Sendable {
    /// Every property's name in Swift, in the order of declaration.
    package let names: [String]
    private let properties: [String: @Sendable (Root) -> KeyedProperty]

    /// Takes each stored property of `list` that is a `MediaProperty`.
    ///
    /// By reflection, so that no second list of them can lack one.
    package init(_ list: some Sendable) {
        let all = Mirror(reflecting: list).children.compactMap { $0.value as? any AnyMediaProperty<Root> }
        names = all.map(\.name)
        properties = Dictionary(
            all.flatMap { property in [property.name, property.keyValueName].map { ($0, property.keyed) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The property of an object that has a key, which is either of the property's names; `nil` if there is none.
    package func property(forKey key: String, of root: Root) -> KeyedProperty? { properties[key].map { $0(root) } }
}

/// A property whatever its value's type.
private protocol AnyMediaProperty<Root>: Sendable {
    associatedtype Root
    var name: String { get }
    var keyValueName: String { get }
    var keyed: @Sendable (Root) -> KeyedProperty { get }
}

extension MediaProperty: AnyMediaProperty {
    fileprivate var keyed: @Sendable (Root) -> KeyedProperty {
        { root in KeyedProperty(name: name) { LoadedValue(value: try find(root)) } }
    }
}

/// How far the properties of one media object have come, and the values that are loaded.
package final class PropertyStore: Sendable {
    enum State: Sendable {
        case loading
        case loaded(any Sendable)
        case failed(any Error)
        case cancelled
    }

    /// Which loading it is that is under way: it changes when one is cancelled.
    struct Loading: Hashable, Sendable { fileprivate var number = 0 }

    private struct Record {
        var states: [String: State] = [:]
        var loading = Loading()
        /// Ends what waits for its turn.
        var cancellation = Cancellation()
    }

    private let record = Mutex(Record())
    private let takesTurns: @Sendable () -> Bool

    /// - Parameter takesTurns: Whether finding values waits while many others find theirs, since nobody keeps it waiting.
    package init(takesTurns: @escaping @Sendable () -> Bool = { false }) { self.takesTurns = takesTurns }

    /// Finds values on another thread.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard takesTurns() else { return try await BlockingWork.run(body) }
        let cancellation = record.withLock { $0.cancellation }
        let ticket = try await WorkAdmission.loads.turn(cancellation)
        // Who no longer waits leaves work behind that goes on.
        return try await BlockingWork.run {
            defer { ticket.end() }
            return try body()
        }
    }

    func state(of name: String) -> State? { record.withLock { $0.states[name] } }

    func begin(_ names: [String]) -> Loading {
        record.withLock { record in
            for name in names {
                switch record.states[name] {
                case .none, .cancelled: record.states[name] = .loading
                default: break
                }
            }
            return record.loading
        }
    }

    func isGoingOn(_ loading: Loading) -> Bool { record.withLock { $0.loading == loading } }

    /// Notes what came out.
    ///
    /// - Parameter loading: What it belongs to: if that was cancelled, the value counts as not loaded.
    func finish(_ name: String, with outcome: Result<any Sendable, any Error>, of loading: Loading? = nil) {
        record.withLock { record in
            if let loading, loading != record.loading { return }
            switch outcome {
            case .success(let value): record.states[name] = .loaded(value)
            case .failure(let error):
                if case .loaded = record.states[name] { return }
                record.states[name] = error is CancellationError ? .cancelled : .failed(error)
            }
        }
    }

    /// Ends what is being loaded: what has not come yet is cancelled, whatever comes of it.
    package func cancel() {
        let cancellation = record.withLock { record in
            record.loading.number += 1
            record.states = record.states.mapValues { if case .loading = $0 { .cancelled } else { $0 } }
            defer { record.cancellation = Cancellation() }
            return record.cancellation
        }
        cancellation.cancel()
    }

    /// Forgets all values, because what they come from has changed.
    package func forget() {
        record.withLock { record in
            record.states = [:]
            // What is under way comes from what was there before.
            record.loading.number += 1
        }
    }
}

/// A value that was loaded.
///
/// `@unchecked Sendable`: properties give immutable values only; some of those,
/// such as `NSString`, are not marked so.
struct LoadedValue<Value>: @unchecked Sendable { let value: Value }

/// An object whose properties stand in a registry.
package protocol PropertyOwner: AVAsynchronousKeyValueLoading {
    /// How far each property has come.
    var propertyStore: PropertyStore { get }
    /// The property that key-value loading knows by a key; `nil` if there is none.
    func property(forKey key: String) -> KeyedProperty?
}

extension PropertyOwner {
    /// Loads the values of several keys, then calls the handler once: at once
    /// if nothing needs loading, else from another thread.
    public func loadValuesAsynchronously(forKeys keys: [String], completionHandler: (@Sendable () -> Void)?) {
        let missing = keys.compactMap(property(forKey:)).filter { property in
            switch propertyStore.state(of: property.name) {
            case .none, .cancelled, .loading: true
            case .loaded, .failed: false
            }
        }
        guard !missing.isEmpty else {
            completionHandler?()
            return
        }
        let loading = propertyStore.begin(missing.map(\.name))
        Task {
            for property in missing where propertyStore.isGoingOn(loading) {
                do {
                    let value = try await propertyStore.run(property.load)
                    propertyStore.finish(property.name, with: .success(value), of: loading)
                } catch {
                    propertyStore.finish(property.name, with: .failure(error), of: loading)
                }
            }
            completionHandler?()
        }
    }

    /// How far the value of a key has come, and why it failed if it did.
    public func statusOfValue(forKey key: String, error: NSErrorPointer) -> AVKeyValueStatus {
        guard let property = property(forKey: key) else {
            error?.pointee = AVError(.operationNotAllowed, reason: "there is no key named \(key)") as NSError
            return .failed
        }
        switch propertyStore.state(of: property.name) {
        case .none: return .unknown
        case .loading: return .loading
        case .loaded: return .loaded
        case .cancelled:
            error?.pointee = AVError(.operationCancelled, reason: "loading was cancelled") as NSError
            return .cancelled
        case .failed(let failure):
            error?.pointee = failure as NSError
            return .failed
        }
    }
}
