internal import Foundation

/// An object whose properties are loaded when asked for, each one once.
public protocol AVAsynchronousKeyValueLoading: Sendable {
    /// Loads the values of several keys, then calls the handler once: at once
    /// if nothing needs loading, else from another thread.
    ///
    /// - Parameter keys: Names of properties, with or without the `is` of questions; unknown ones are passed over.
    func loadValuesAsynchronously(forKeys keys: [String], completionHandler: (@Sendable () -> Void)?)

    /// How far the value of a key has come, and why it failed if it did; loads nothing.
    ///
    /// A key that the object does not have has failed, with `AVError.operationNotAllowed`.
    func statusOfValue(forKey key: String, error: NSErrorPointer) -> AVKeyValueStatus
}

extension AVAsynchronousKeyValueLoading {
    /// The value of a property; loads it if nobody did before.
    ///
    /// The work runs on a thread of its own. A finished load is remembered,
    /// failed ones too. A cancelled task no longer waits, and the work goes on for others.
    ///
    /// - Throws: Why the property cannot be had, as the object's type tells; `CancellationError` if the
    ///   task is cancelled, `AVError.operationCancelled` if the load is.
    /// - Complexity: What finding the value takes, the first time; nothing later.
    public func load<Value>(_ property: AVAsyncProperty<Self, Value>) async throws -> sending Value {
        let store = property.store(self)
        switch store.state(of: property.key) {
        case .loaded(let loaded as LoadedValue<Value>):
            nonisolated(unsafe) let shared = loaded.value
            return shared
        case .failed(let error): throw error
        case .none, .loading, .loaded, .cancelled: break
        }
        let loading = store.begin([property.key])
        let outcome: Result<LoadedValue<Value>, any Error>
        do {
            outcome = .success(try await store.run { LoadedValue(value: try property.find(self)) })
        } catch {
            outcome = .failure(error)
        }
        store.finish(property.key, with: outcome.map { $0 as any Sendable }, of: loading)
        // Of the two ways to cancel, only the task's own is the caller's.
        if case .failure(let error) = outcome, error is CancellationError, !Task.isCancelled {
            throw AVError(.operationCancelled, reason: "loading was cancelled")
        }
        nonisolated(unsafe) let value = try outcome.get().value
        return value
    }

    /// The values of two properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
    public func load<A, B>(_ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>) async throws -> sending (A, B)
    {
        (try await load(a), try await load(b))
    }

    /// The values of three properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
    public func load<A, B, C>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>
    ) async throws -> sending (A, B, C) {
        (try await load(a), try await load(b), try await load(c))
    }

    /// The values of four properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
    public func load<A, B, C, D>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
        _ d: AVAsyncProperty<Self, D>
    ) async throws -> sending (A, B, C, D) {
        (try await load(a), try await load(b), try await load(c), try await load(d))
    }

    /// The values of five properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
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

    /// The values of six properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
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

    /// The values of seven properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
    public func load<A, B, C, D, E, F, G>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>,
        _ c: AVAsyncProperty<Self, C>, _ d: AVAsyncProperty<Self, D>,
        _ e: AVAsyncProperty<Self, E>, _ f: AVAsyncProperty<Self, F>,
        _ g: AVAsyncProperty<Self, G>
    ) async throws -> sending (A, B, C, D, E, F, G) {
        (
            try await load(a), try await load(b), try await load(c), try await load(d),
            try await load(e), try await load(f), try await load(g)
        )
    }

    /// The values of eight properties, loaded one after the other.
    ///
    /// - Throws: Why the first of them that fails cannot be had.
    public func load<A, B, C, D, E, F, G, H>(
        _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>,
        _ c: AVAsyncProperty<Self, C>, _ d: AVAsyncProperty<Self, D>,
        _ e: AVAsyncProperty<Self, E>, _ f: AVAsyncProperty<Self, F>,
        _ g: AVAsyncProperty<Self, G>, _ h: AVAsyncProperty<Self, H>
    ) async throws -> sending (A, B, C, D, E, F, G, H) {
        (
            try await load(a), try await load(b), try await load(c), try await load(d),
            try await load(e), try await load(f), try await load(g), try await load(h)
        )
    }

    /// How far a property has come; loads nothing.
    public func status<Value>(of property: AVAsyncProperty<Self, Value>) -> AVAsyncProperty<Self, Value>.Status {
        switch property.store(self).state(of: property.key) {
        case .loading: .loading
        case .loaded(let loaded as LoadedValue<Value>): .loaded(loaded.value)
        case .failed(let error): .failed(error as NSError)
        case .none, .loaded, .cancelled: .notYetLoaded
        }
    }

    /// Loads the values of several keys and does not wait for them.
    public func loadValuesAsynchronously(forKeys keys: [String]) {
        loadValuesAsynchronously(forKeys: keys, completionHandler: nil)
    }
}

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
