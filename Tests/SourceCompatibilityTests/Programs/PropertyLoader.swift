// Loads properties of whatever has them, with time limits; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct TimedOut: Error {}

extension AVAsynchronousKeyValueLoading where Self: Sendable {
    /// The value, or a fallback where it cannot be loaded.
    func value<Value: Sendable>(of property: AVAsyncProperty<Self, Value>, default fallback: Value) async -> Value {
        (try? await load(property)) ?? fallback
    }

    func isLoaded<Value>(_ property: AVAsyncProperty<Self, Value>) -> Bool {
        if case .loaded = status(of: property) { return true }
        return false
    }

    func stateName<Value>(of property: AVAsyncProperty<Self, Value>) -> String {
        switch status(of: property) {
        case .notYetLoaded: return "not yet"
        case .loading: return "loading"
        case .loaded: return "loaded"
        case .failed(let error): return "failed \(error.code)"
        @unknown default: return "?"
        }
    }
}

/// The same property of many, in their order.
func loadAll<Root: AVAsynchronousKeyValueLoading & Sendable, Value: Sendable>(
    _ objects: [Root], _ property: @escaping @Sendable (Root) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for (index, object) in objects.enumerated() {
            group.addTask { (index, try await property(object)) }
        }
        var values: [Int: Value] = [:]
        for try await (index, value) in group { values[index] = value }
        return objects.indices.compactMap { values[$0] }
    }
}

/// Work that must not take longer.
func withTimeout<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw TimedOut() }
        return first
    }
}
