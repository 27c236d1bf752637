internal import Foundation

/// Hands values from one thread to another, a few at a time: the sender waits
/// while there are too many of them or too many bytes.
///
/// `@unchecked Sendable`: all state is used under the condition's lock.
final class StageQueue<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let maximumCount: Int
    private let maximumBytes: Int
    /// What was sent; what was received of it is gone before `head`.
    private var buffer: [(element: Element, bytes: Int)?] = []
    private var head = 0
    private var bytes = 0
    private var isFinished = false
    private var isClosed = false
    private var isStopped = false

    /// One value is always taken, however large it is.
    init(maximumCount: Int, maximumBytes: Int) {
        (self.maximumCount, self.maximumBytes) = (max(1, maximumCount), maximumBytes)
    }

    private var count: Int { buffer.count - head }

    /// Waits for room and sends.
    ///
    /// - Returns: Whether the receiver still wants values.
    func send(_ element: Element, bytes size: Int = 0) throws(PipelineStopped) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while count > 0, count >= maximumCount || bytes + size > maximumBytes, !isClosed, !isStopped {
            condition.wait()
        }
        if isStopped { throw PipelineStopped() }
        if isClosed { return false }
        buffer.append((element, size))
        bytes += size
        condition.broadcast()
        return true
    }

    /// Ends the sequence after what was sent.
    func finish() {
        condition.withLock { isFinished = true }
        condition.broadcast()
    }

    /// Waits for the next value.
    ///
    /// - Returns: `nil` after the last one.
    func receive() throws(PipelineStopped) -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while count == 0, !isFinished, !isStopped { condition.wait() }
        if isStopped { throw PipelineStopped() }
        guard count > 0, let (element, size) = buffer[head] else { return nil }
        buffer[head] = nil
        head += 1
        bytes -= size
        if head == buffer.count || head > 64 {
            buffer.removeFirst(head)
            head = 0
        }
        condition.broadcast()
        return element
    }

    /// The receiver wants no more: what is there is dropped, senders are told.
    func close() {
        condition.withLock {
            isClosed = true
            isFinished = true
            drop()
        }
        condition.broadcast()
    }

    /// Whether the receiver wants no more.
    var isComplete: Bool { condition.withLock { isClosed } }

    /// Makes sender and receiver throw.
    func stop() {
        condition.withLock {
            isStopped = true
            drop()
        }
        condition.broadcast()
    }

    private func drop() {
        buffer.removeAll()
        (head, bytes) = (0, 0)
    }
}

/// Work was given up because of what happened elsewhere.
struct PipelineStopped: Error {}
