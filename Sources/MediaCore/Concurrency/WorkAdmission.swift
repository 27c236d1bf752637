internal import Synchronization

/// How much of this process's memory may be taken by stills that are made at a time.
///
/// A server asks for hundreds at once. As many stills run as there are processors and as this memory holds, and as many
/// exports as there are processors; the others wait in the order in which they were asked for, take no thread while they
/// wait, and can be cancelled. What comes from pipes and servers, or runs code of the caller's, does not wait. Beyond
/// AVFoundation.
public enum ConcurrentWork {
    /// The bytes that the frames of requests under way may take together, 256 MiB at first.
    ///
    /// Not a hard limit: one request always runs, however large its frames are, and requests whose results nobody takes
    /// let others run meanwhile.
    public static var maximumByteCount: Int {
        get { WorkAdmission.stills.maximumByteCount }
        set { WorkAdmission.stills.maximumByteCount = newValue }
    }
}

/// Lets work that decodes media begin in the order in which it was asked for, as processors and memory allow.
package final class WorkAdmission: Sendable {
    /// The process's requests for stills.
    package static let stills = WorkAdmission()
    /// The process's exports, which do not wait for stills: code of the caller's may ask for those meanwhile.
    package static let exports = WorkAdmission()

    /// Properties that are found, each on a thread.
    package static let loads = WorkAdmission { max(16, 2 * ProcessorShare.count) }

    private struct State {
        var maximumByteCount = 256 << 20
        /// What waits, from `head` on, and what was cancelled meanwhile.
        var waiting: [Ticket?] = []
        var head = 0
        /// How many run, without those whose results wait to be received.
        var runningCount = 0
        /// What those that have begun hold.
        var byteCount = 0

        /// Takes out what may begin now, if anything may.
        mutating func next(_ slots: Int) -> Ticket? {
            let isFree = runningCount < slots && byteCount < maximumByteCount || runningCount == 0
            while isFree, head < waiting.count {
                let ticket = waiting[head]
                // Who has begun is held by its work alone, and may go any time.
                waiting[head] = nil
                head += 1
                if head == waiting.count || head > 1 << 10 {
                    waiting.removeFirst(head)
                    head = 0
                }
                guard let ticket, ticket.move(.waiting, to: .begun) else { continue }
                runningCount += 1
                return ticket
            }
            return nil
        }
    }

    /// One piece of work that waits, runs or has ended.
    package final class Ticket: Sendable {
        private let admission: WorkAdmission
        /// What begins the work; gone once that is done, or will never be.
        private let begin: Mutex<(@Sendable (Ticket) -> Void)?>
        private let byteCount = Atomic<Int>(0)
        private let phase = Atomic<Phase>(.waiting)

        fileprivate enum Phase: UInt8, AtomicRepresentable {
            case waiting
            case begun
            case ended
            case cancelled
        }

        fileprivate init(_ admission: WorkAdmission, _ begin: @escaping @Sendable (Ticket) -> Void) {
            self.admission = admission
            self.begin = Mutex(begin)
        }

        // Work that was dropped before it could say so has ended.
        deinit { end() }

        /// Takes work back that has not begun.
        ///
        /// - Returns: Whether it will never begin.
        package func cancel() -> Bool {
            guard move(.waiting, to: .cancelled) else { return false }
            _ = takeBegin()
            return true
        }

        fileprivate func move(_ old: Phase, to new: Phase) -> Bool {
            phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
        }

        fileprivate func takeBegin() -> (@Sendable (Ticket) -> Void)? {
            begin.withLock { begin in
                defer { begin = nil }
                return begin
            }
        }

        /// Says how many bytes the work holds until it ends.
        package func hold(_ count: Int) {
            let old = byteCount.exchange(count, ordering: .relaxed)
            admission.change { $0.byteCount += count - old }
        }

        /// Does what waits for others, so that what those wait for can run meanwhile.
        package func idle<T>(_ body: () throws -> T) rethrows -> T {
            admission.change { $0.runningCount -= 1 }
            defer { admission.change { $0.runningCount += 1 } }
            return try body()
        }

        /// The work has ended; of no effect the second time.
        package func end() {
            guard move(.begun, to: .ended) else { return }
            let held = byteCount.exchange(0, ordering: .relaxed)
            admission.change { state in
                state.runningCount -= 1
                state.byteCount -= held
            }
        }
    }

    private let state = Mutex(State())
    private let slots: @Sendable () -> Int

    /// Makes a queue.
    ///
    /// - Parameter slots: The number that run at a time, asked for at each change.
    package init(slots: @escaping @Sendable () -> Int = { ProcessorShare.count }) { self.slots = slots }

    var maximumByteCount: Int {
        get { state.withLock { $0.maximumByteCount } }
        set { change { $0.maximumByteCount = max(0, newValue) } }
    }

    /// Asks for work to begin.
    ///
    /// - Parameter begin: Called once, from any thread, unless the ticket was cancelled before. It must not block; the
    ///   work says on the ticket when it has ended.
    package func enqueue(_ begin: @escaping @Sendable (Ticket) -> Void) -> Ticket {
        let ticket = Ticket(self, begin)
        change { $0.waiting.append(ticket) }
        return ticket
    }

    /// Waits for a turn, without blocking meanwhile.
    ///
    /// - Parameter cancellation: Ends the waiting too, as the task's own does.
    /// - Returns: The ticket of work that has begun.
    /// - Throws: Why the waiting ended.
    package func turn(_ cancellation: Cancellation) async throws -> Ticket {
        let turn = BoundedChannel<Void>(capacity: 1)
        let ticket = enqueue { _ in
            _ = try? turn.send(())
            turn.finish()
        }
        cancellation.onCancel(of: turn) { if ticket.cancel() { turn.finish() } }
        defer { cancellation.forget(turn) }
        let isBegun = await withTaskCancellationHandler {
            await turn.next() != nil
        } onCancel: {
            if ticket.cancel() { turn.finish() }
        }
        guard isBegun else { throw cancellation.reason ?? CancellationError() }
        return ticket
    }

    private func change(_ body: (inout State) -> Void) {
        let slots = max(1, slots())
        state.withLock { body(&$0) }
        while let ticket = state.withLock({ $0.next(slots) }) { ticket.takeBegin()?(ticket) }
    }
}
