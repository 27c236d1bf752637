internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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

/// Threads for work that blocks.
///
/// Foundation's `Thread` says nothing where the system has no thread to give, and its work is never done: whoever
/// waits for that waits for ever.
package enum WorkThread {
    /// Runs `body` on a thread of its own, soon.
    ///
    /// Where the system has no more threads for a moment, it is asked again; after that, `body` takes the place of
    /// other work on one of those that are there.
    ///
    /// - Parameters:
    ///   - name: What debuggers call it.
    ///   - stackByteCount: The size of its stack; `nil` for the system's own.
    package static func start(
        name: String? = nil, stackByteCount: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) {
        let work = Work(name, body)
        for pause: UInt32 in [0, 1_000, 10_000, 100_000] {
            usleep(pause)
            if create(stackByteCount, work) { return }
        }
        DispatchQueue.global().async { body() }
    }

    fileprivate final class Work: Sendable {
        let name: String?
        let body: @Sendable () -> Void

        init(_ name: String?, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// Whether there is a thread that does the work.
    private static func create(_ stackByteCount: Int?, _ work: Work) -> Bool {
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
            guard let attributes = buffer.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            if let stackByteCount { pthread_attr_setstacksize(attributes, stackByteCount) }
            var thread: pthread_t = 0
            let context = Unmanaged.passRetained(work)
            let code = pthread_create(&thread, attributes, run, context.toOpaque())
            if code != 0 { context.release() }
            return code == 0
        }
    }
}

/// What a new thread begins with: it takes over the work that it is given.
private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let work = Unmanaged<WorkThread.Work>.fromOpaque(context).takeRetainedValue()
    if let name = work.name { Thread.current.name = name }
    work.body()
    return nil
}

/// Functions that call back with what functions that are awaited give.
package enum CompletionHandler {
    /// Finds a value, then calls the handler once, from any thread: with the value, or with `nil` and the error.
    package static func call<Value: Sendable>(
        _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        find: @escaping @Sendable () async throws -> Value
    ) {
        Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await find())
            } catch {
                outcome = .failure(error)
            }
            switch outcome {
            case .success(let value): handler(value, nil)
            case .failure(let error): handler(nil, error)
            }
        }
    }
}

/// How many threads this process divides work among that can be divided: all processors, or its share of them where other
/// processes do the same work on other files.
package enum ProcessorShare {
    private static let share = Atomic<Int>(0)

    /// At least 1.
    package static var count: Int {
        let share = share.load(ordering: .relaxed)
        return share > 0 ? share : max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Says how many it may have; from any thread, before the work begins.
    package static func limit(to count: Int) { share.store(max(1, count), ordering: .relaxed) }
}
