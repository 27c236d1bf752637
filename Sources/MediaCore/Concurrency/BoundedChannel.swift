internal import Foundation
internal import Synchronization

/// Hands values from threads that may block to a thread or a task, a few at a
/// time: senders wait while there are too many of them or too many bytes.
///
/// A thread that receives takes what is there in one go, up to a quarter of what may wait, and where many may wait, it
/// sleeps for a moment rather than being woken for each.
///
/// `@unchecked Sendable`: what was taken in one go is used by the thread that receives alone, of which there is one.
package final class BoundedChannel<Element: Sendable>: @unchecked Sendable {
    private let state = WaitingLock(ChannelState<Element>())
    private let capacity: Int
    private let byteCapacity: Int
    /// What the receiving thread has taken, the next one last.
    private var taken: [Element] = []
    /// Set when what was sent is not wanted any more.
    private let isDropped = SharedFlag()

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
        isDropped.set()
        state.change { state in
            (state.isClosed, state.isFinished) = (true, true)
            state.drop()
        }
    }

    /// Whether the receiver wants no more.
    package var isClosed: Bool { state.look(\.isClosed) }

    /// Whether a value of no size would be taken without waiting.
    package var hasRoom: Bool { hasRoom(forBytes: 0) }

    /// Whether a value of a size would be taken without waiting.
    package func hasRoom(forBytes size: Int) -> Bool {
        state.look { state in
            let fits = state.count < capacity && size <= byteCapacity - state.bytes
            return fits || state.count == 0 || state.isClosed || state.isStopped
        }
    }

    /// Makes senders and the thread that receives throw.
    package func stop() {
        isDropped.set()
        state.change { state in
            state.isStopped = true
            state.drop()
        }
    }

    /// The next value, `nil` after the last one; blocks until it is there.
    ///
    /// - Throws: If everything stops.
    package func receive() throws(WorkStopped) -> Element? {
        if isDropped.isSet { taken.removeAll() }
        if let element = taken.popLast() { return element }
        taken = try takeSome()
        return taken.popLast()
    }

    /// Some of what is there, the first one last; nothing at the end.
    private func takeSome() throws(WorkStopped) -> [Element] {
        var hasWaited = false
        let (count, size) = (max(1, capacity / 4), byteCapacity / 4)
        while true {
            // Values, the end, or a pause: all are answers.
            let some = try state.wait { state throws(WorkStopped) -> [Element]?? in
                if state.isStopped { throw WorkStopped() }
                let isPausing = hasWaited && capacity >= Self.manyValues && state.count < count && !state.isFinished
                hasWaited = hasWaited || state.count == 0
                if isPausing, state.count > 0 {
                    hasWaited = false
                    return .some(nil)
                }
                if state.count > 0 { return .some(state.remove(upTo: count, bytes: size)) }
                return state.isFinished ? .some([]) : nil
            }
            if let some { return some }
            usleep(Self.pause)
        }
    }

    /// From how many values on that may wait a moment's sleep is shorter than what they last for.
    private static var manyValues: Int { 64 }
    /// How long that is, in microseconds.
    private static var pause: UInt32 { 200 }

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

/// Something that one thread tells others once.
private final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
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

    /// The first values, the very first one last: one, and more as long as they are few and small.
    mutating func remove(upTo limit: Int, bytes size: Int) -> [Element] {
        var some: [Element] = []
        let left = bytes - size
        while some.count < limit, some.isEmpty || bytes > left, let element = removeFirst() { some.append(element) }
        some.reverse()
        return some
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

/// State behind a lock, on whose changes threads can wait.
///
/// What ``Mutex`` cannot do: wait until what it guards has changed.
///
/// `@unchecked Sendable`: the state is used under the condition's lock only.
package final class WaitingLock<State>: @unchecked Sendable {
    private let condition = NSCondition()
    private var state: State

    package init(_ state: State) { self.state = state }

    /// Looks at the state.
    package func look<Answer>(_ body: (State) -> Answer) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        return body(state)
    }

    /// Changes the state and wakes everyone who waits for a change.
    package func change<Answer>(_ body: (inout State) -> Answer) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.broadcast() }
        return body(&state)
    }

    /// Asks `body` again after each change until it has an answer.
    ///
    /// - Parameter body: Changes nothing as long as it answers `nil`.
    package func wait<Answer, Failure: Error>(
        for body: (inout State) throws(Failure) -> Answer?
    ) throws(Failure) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let answer = try body(&state) {
                condition.broadcast()
                return answer
            }
            condition.wait()
        }
    }
}

/// Puts the results of several workers back into the order of the plan.
///
/// What waits for earlier results is bounded by its cost, such as its bytes: a
/// worker that is too far ahead is held back, the one whose turn it is never is.
package final class OrderedDelivery<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Int: (element: Element, cost: Int)] = [:]
        var waitingCost = 0
        var next = 0
        var isDelivering = false
        var isStopped = false

        /// Takes out the result whose turn it is, or notes that nobody delivers.
        mutating func takeNext() -> Element? {
            guard !isStopped, let (element, cost) = waiting.removeValue(forKey: next) else {
                isDelivering = false
                return nil
            }
            waitingCost -= cost
            return element
        }
    }

    private let state = WaitingLock(State())
    private let budget: Int
    private let cost: @Sendable (Element) -> Int
    private let deliver: @Sendable (Element) -> Bool

    /// Makes a delivery.
    ///
    /// - Parameters:
    ///   - budget: What may wait for an earlier result, one result at the least.
    ///   - cost: What one result counts for.
    ///   - deliver: Called with one result at a time; may block; returns whether
    ///     anybody still listens.
    package init(
        budget: Int, cost: @escaping @Sendable (Element) -> Int, deliver: @escaping @Sendable (Element) -> Bool
    ) {
        self.budget = budget
        self.cost = cost
        self.deliver = deliver
    }

    /// Hands over the result at a position, counted from 0.
    ///
    /// - Returns: Whether anybody still listens.
    package func submit(_ element: Element, at position: Int) -> Bool {
        let own = cost(element)
        let delivers = state.wait { state -> Bool? in
            if state.isStopped { return false }
            let fits = own <= budget - state.waitingCost || state.waiting.isEmpty
            guard fits || position == state.next else { return nil }
            state.waiting[position] = (element, own)
            state.waitingCost += own
            guard position == state.next, !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        if delivers { deliverReady() }
        return state.change { !$0.isStopped }
    }

    private func deliverReady() {
        while let element = state.change({ $0.takeNext() }) {
            let isWanted = deliver(element)
            state.change { state in
                state.next += 1
                if !isWanted { state.isStopped = true }
            }
        }
    }
}
