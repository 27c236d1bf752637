internal import Dispatch
internal import Synchronization

/// Hands values from a thread that may block to a task that may not, a few at
/// a time: the sender waits while the buffer is full.
final class BoundedChannel<Element: Sendable>: Sendable {
    private struct State {
        var buffer: [Element] = []
        var isFinished = false
        var isCancelled = false
        var waiter: (@Sendable (Element?) -> Void)?
    }

    private let state = Mutex(State())
    private let space: DispatchSemaphore

    init(capacity: Int) { space = DispatchSemaphore(value: capacity) }

    /// Waits for space and sends.
    ///
    /// - Returns: Whether anybody still listens.
    func send(_ element: Element) -> Bool {
        space.wait()
        return state.withLock { state in
            if state.isCancelled { return false }
            if let waiter = state.waiter {
                state.waiter = nil
                waiter(element)
                space.signal()
            } else {
                state.buffer.append(element)
            }
            return true
        }
    }

    /// Ends the sequence after what was sent.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            state.waiter?(nil)
            state.waiter = nil
        }
    }

    /// Stops listening: the sender is told, what is buffered is dropped.
    func cancel() {
        let dropped = state.withLock { state in
            state.isCancelled = true
            state.waiter?(nil)
            state.waiter = nil
            defer { state.buffer.removeAll() }
            return state.buffer.count
        }
        // One more than was dropped, for a sender that waits.
        for _ in 0...dropped { space.signal() }
    }

    /// The next value, `nil` after the last one; blocks until it is there.
    func receive() -> Element? {
        let arrived = DispatchSemaphore(value: 0)
        let box = Mutex<Element?>(nil)
        take { element in
            box.withLock { $0 = element }
            arrived.signal()
        }
        arrived.wait()
        return box.withLock { $0 }
    }

    /// The next value, `nil` after the last one.
    func next() async -> Element? {
        await withCheckedContinuation { continuation in take { continuation.resume(returning: $0) } }
    }

    /// Calls `receiver` once with the next value, now or when it is there.
    private func take(_ receiver: @escaping @Sendable (Element?) -> Void) {
        state.withLock { state in
            if !state.buffer.isEmpty {
                receiver(state.buffer.removeFirst())
                space.signal()
            } else if state.isFinished || state.isCancelled {
                receiver(nil)
            } else {
                state.waiter = receiver
            }
        }
    }
}
