public import Foundation
internal import MediaConcurrency
internal import Synchronization

/// How far the value of a key has come.
public enum AVKeyValueStatus: Int, Sendable {
    /// Nobody asked for it yet.
    case unknown = 0
    /// Under way.
    case loading = 1
    /// There.
    case loaded = 2
    /// Failed.
    case failed = 3
    /// Cancelled before it was there.
    case cancelled = 4
}

/// An object whose properties are loaded when asked for, each one once.
public protocol AVAsynchronousKeyValueLoading: Sendable {
    /// Where loaded values are kept. Not for callers.
    var propertyStore: AVPropertyStore { get }
}

extension AVAsynchronousKeyValueLoading {
    /// The value of a property; loads it if nobody did before.
    ///
    /// The work runs on a thread of its own. A finished load is remembered,
    /// failed ones too.
    ///
    /// - Throws: Why the property cannot be had; `CancellationError` if the
    ///   task is cancelled.
    public func load<Value>(_ property: AVAsyncProperty<Self, Value>) async throws -> sending Value {
        switch status(of: property) {
        case .loaded(let value):
            nonisolated(unsafe) let shared = value
            return shared
        case .failed(let error): throw propertyStore.failure(of: property.key) ?? error
        case .notYetLoaded, .loading: break
        }
        propertyStore.begin(property.key)
        let outcome: Result<LoadedValue<Value>, any Error>
        do {
            outcome = .success(try await BlockingWork.run { LoadedValue(value: try property.compute(self)) })
        } catch {
            outcome = .failure(error)
        }
        propertyStore.finish(property.key, with: outcome.map { $0 as any Sendable })
        nonisolated(unsafe) let value = try outcome.get().value
        return value
    }

    /// The values of two properties.
    public func load<A, B>(_ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>) async throws -> sending (A, B)
    {
        (try await load(a), try await load(b))
    }

    /// The values of three properties.
    public func load<A, B, C>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>
    ) async throws -> sending (A, B, C) {
        (try await load(a), try await load(b), try await load(c))
    }

    /// The values of four properties.
    public func load<A, B, C, D>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
        _ d: AVAsyncProperty<Self, D>
    ) async throws -> sending (A, B, C, D) {
        (try await load(a), try await load(b), try await load(c), try await load(d))
    }

    /// The values of five properties.
    public func load<A, B, C, D, E>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>,
        _ c: AVAsyncProperty<Self, C>, _ d: AVAsyncProperty<Self, D>,
        _ e: AVAsyncProperty<Self, E>
    ) async throws -> sending (A, B, C, D, E) {
        (
            try await load(a), try await load(b), try await load(c),
            try await load(d), try await load(e)
        )
    }

    /// The values of six properties.
    public func load<A, B, C, D, E, F>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>,
        _ c: AVAsyncProperty<Self, C>, _ d: AVAsyncProperty<Self, D>,
        _ e: AVAsyncProperty<Self, E>, _ f: AVAsyncProperty<Self, F>
    ) async throws -> sending (A, B, C, D, E, F) {
        (
            try await load(a), try await load(b), try await load(c),
            try await load(d), try await load(e), try await load(f)
        )
    }

    /// How far a property has come; loads nothing.
    public func status<Value>(of property: AVAsyncProperty<Self, Value>) -> AVAsyncProperty<Self, Value>.Status {
        switch propertyStore.state(of: property.key) {
        case .none, .cancelled: return .notYetLoaded
        case .loading: return .loading
        case .loaded(let loaded):
            let value = (loaded as? LoadedValue<Value>)?.value ?? (loaded as? Value)
            return value.map { .loaded($0) } ?? .notYetLoaded
        case .failed(let failure): return .failed(failure.error as NSError)
        }
    }

    /// Loads the values of several keys, then calls the handler once: at once
    /// if nothing needs loading, else from another thread.
    public func loadValuesAsynchronously(forKeys keys: [String], completionHandler: (@Sendable () -> Void)? = nil) {
        let missing = keys.filter { key in
            switch propertyStore.state(of: key) {
            case .none, .cancelled, .loading: true
            case .loaded, .failed: false
            }
        }
        guard !missing.isEmpty else {
            completionHandler?()
            return
        }
        missing.forEach(propertyStore.begin)
        Task {
            for key in missing {
                do {
                    let load = try propertyStore.loader(forKey: key)
                    let value = try await BlockingWork.run(load)
                    propertyStore.finish(key, with: .success(value))
                } catch {
                    propertyStore.finish(key, with: .failure(error))
                }
            }
            completionHandler?()
        }
    }

    /// How far the value of a key has come, and why it failed if it did.
    public func statusOfValue(forKey key: String, error: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        switch propertyStore.state(of: key) {
        case .none: return .unknown
        case .loading: return .loading
        case .loaded: return .loaded
        case .cancelled:
            error?.pointee = AVError(.operationCancelled, reason: "loading was cancelled") as NSError
            return .cancelled
        case .failed(let failure):
            error?.pointee = failure.error as NSError
            return .failed
        }
    }
}

/// A value that was loaded.
///
/// `@unchecked Sendable`: properties give immutable values only; some of those,
/// such as `NSString`, are not marked so.
private struct LoadedValue<Value>: @unchecked Sendable { let value: Value }

/// The loaded values of one media object.
public final class AVPropertyStore: Sendable {
    struct Failure: Sendable { let error: any Error }

    enum State: Sendable {
        case loading
        case loaded(any Sendable)
        case failed(Failure)
        case cancelled
    }

    private let states = Mutex<[String: State]>([:])
    private let loaders: @Sendable (String) -> (@Sendable () throws -> any Sendable)?

    package init(loaders: @escaping @Sendable (String) -> (@Sendable () throws -> any Sendable)?) {
        self.loaders = loaders
    }

    func state(of key: String) -> State? { states.withLock { $0[key] } }

    func failure(of key: String) -> (any Error)? {
        if case .failed(let failure) = state(of: key) { return failure.error }
        return nil
    }

    func begin(_ key: String) {
        states.withLock { states in
            switch states[key] {
            case .none, .cancelled: states[key] = .loading
            default: break
            }
        }
    }

    func finish(_ key: String, with outcome: Result<any Sendable, any Error>) {
        states.withLock { states in
            switch outcome {
            case .success(let value): states[key] = .loaded(value)
            case .failure(let error):
                if case .loaded = states[key] { return }
                states[key] = error is CancellationError ? .cancelled : .failed(Failure(error: error))
            }
        }
    }

    /// Forgets all values, because what they come from has changed.
    package func forget() { states.withLock { $0 = [:] } }

    func loader(forKey key: String) throws -> @Sendable () throws -> any Sendable {
        guard let loader = loaders(key) else {
            throw AVError(.operationNotAllowed, reason: "there is no key named \(key)")
        }
        return loader
    }
}
