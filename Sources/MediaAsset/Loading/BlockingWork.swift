internal import Dispatch

/// Runs blocking work on threads of its own, away from the cooperative pool.
package enum BlockingWork {
    private static let queue = DispatchQueue(label: "OpenAVFoundation.blocking", attributes: .concurrent)

    /// Runs `body` on another thread and waits for it without blocking this one.
    ///
    /// - Parameter cancel: Called from any thread when the task is cancelled; it
    ///   should make `body` return soon.
    package static func run<T: Sendable>(
        cancel: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result(catching: body)) }
            }
        } onCancel: {
            cancel()
        }
    }
}
