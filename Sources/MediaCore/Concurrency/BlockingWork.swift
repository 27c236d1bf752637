internal import Foundation
internal import Synchronization

/// Runs blocking work on threads of its own, away from the cooperative pool.
package enum BlockingWork {
    /// Runs `body` on another thread and waits for it without blocking this one.
    ///
    /// - Parameter cancel: Called from any thread when the task is cancelled; it
    ///   should make `body` return soon. Without it, a cancelled task no longer
    ///   waits, and `body` goes on for whoever else needs what it finds.
    package static func run<T: Sendable>(
        cancel: (@Sendable () -> Void)? = nil, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        let answer = SingleAnswer<T>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.expect(continuation)
                WorkThread.start { answer.give(Result(catching: body)) }
            }
        } onCancel: {
            if let cancel { cancel() } else { answer.give(.failure(CancellationError())) }
        }
    }
}

/// Answers a continuation once, whoever comes first.
private final class SingleAnswer<T: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<T, any Error>?
        var early: Result<T, any Error>?
        var isGiven = false
    }

    private let state = Mutex(State())

    func expect(_ continuation: CheckedContinuation<T, any Error>) {
        let early = state.withLock { state -> Result<T, any Error>? in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(with: early) }
    }

    func give(_ result: Result<T, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<T, any Error>? in
            guard !state.isGiven else { return nil }
            state.isGiven = true
            if state.continuation == nil { state.early = result }
            defer { state.continuation = nil }
            return state.continuation
        }
        waiting?.resume(with: result)
    }
}
