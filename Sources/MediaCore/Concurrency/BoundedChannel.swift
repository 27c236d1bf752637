/// Hands values from threads that may block to a thread or a task, a few at a
/// time: senders wait while there are too many of them or too many bytes.
package final class BoundedChannel<Element: Sendable>: Sendable {
    private let state = WaitingLock(ChannelState<Element>())
    private let capacity: Int
    private let byteCapacity: Int

    /// Makes a channel; one value is always taken, however large it is.
    package init(capacity: Int, byteCapacity: Int = .max) {
        (self.capacity, self.byteCapacity) = (max(1, capacity), byteCapacity)
    }

    /// Waits for room and sends.
    ///
    /// - Returns: Whether anybody still wants values.
    /// - Throws: If everything stops.
    package func send(_ element: Element, bytes: Int = 0) throws(WorkStopped) -> Bool {
        try state.wait { state throws(WorkStopped) -> Bool? in
            if state.isStopped { throw WorkStopped() }
            if state.isClosed { return false }
            if let receiver = state.receiver {
                state.receiver = nil
                receiver.resume(returning: element)
                return true
            }
            let fits = state.count < capacity && bytes <= byteCapacity - state.bytes
            guard fits || state.count == 0 else { return nil }
            state.append(element, bytes: bytes)
            return true
        }
    }

    /// Ends the sequence after what was sent.
    package func finish() {
        state.change { state in
            state.isFinished = true
            state.release()
        }
    }

    /// The receiver wants no more: what is there is dropped, senders are told.
    package func close() {
        state.change { state in
            (state.isClosed, state.isFinished) = (true, true)
            state.drop()
        }
    }

    /// Whether the receiver wants no more.
    package var isClosed: Bool { state.look(\.isClosed) }

    /// Whether a value of no size would be taken without waiting.
    package var hasRoom: Bool { state.look { $0.count < capacity || $0.isClosed || $0.isStopped } }

    /// Makes senders and the thread that receives throw.
    package func stop() {
        state.change { state in
            state.isStopped = true
            state.drop()
        }
    }

    /// The next value, `nil` after the last one; blocks until it is there.
    ///
    /// - Throws: If everything stops.
    package func receive() throws(WorkStopped) -> Element? {
        // A value, or the end: both are answers.
        let answer = try state.wait { state throws(WorkStopped) -> Element?? in
            if state.isStopped { throw WorkStopped() }
            if let element = state.removeFirst() { return .some(element) }
            return state.isFinished ? .some(nil) : nil
        }
        return answer
    }

    /// The next value, `nil` after the last one and when everything stops.
    package func next() async -> Element? {
        await withCheckedContinuation { continuation in
            state.change { state in
                if let element = state.removeFirst() {
                    continuation.resume(returning: element)
                } else if state.isFinished || state.isStopped {
                    continuation.resume(returning: nil)
                } else {
                    state.receiver = continuation
                }
            }
        }
    }
}

/// What a channel holds, and who waits for it.
private struct ChannelState<Element: Sendable> {
    /// What was sent; what was received of it is gone before `head`.
    private var buffer: [(element: Element, bytes: Int)?] = []
    private var head = 0
    private(set) var bytes = 0
    var isFinished = false
    var isClosed = false
    var isStopped = false
    /// The task that waits for a value.
    var receiver: CheckedContinuation<Element?, Never>?

    var count: Int { buffer.count - head }

    mutating func append(_ element: Element, bytes size: Int) {
        buffer.append((element, size))
        bytes += size
    }

    mutating func removeFirst() -> Element? {
        guard count > 0, let (element, size) = buffer[head] else { return nil }
        buffer[head] = nil
        head += 1
        bytes -= size
        if head == buffer.count || head > 64 {
            buffer.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func drop() {
        buffer.removeAll()
        (head, bytes) = (0, 0)
        release()
    }

    /// Tells the task that waits that there is nothing more.
    mutating func release() {
        receiver?.resume(returning: nil)
        receiver = nil
    }
}
