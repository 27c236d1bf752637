import Foundation
import MediaCore
import Synchronization
import Testing

/// Begins work on demand and notes its order.
private final class Log: Sendable {
    private let names = Mutex<[Int]>([])

    var all: [Int] { names.withLock { $0 } }

    func enqueue(_ name: Int, in admission: WorkAdmission) -> WorkAdmission.Ticket {
        admission.enqueue { [self] _ in names.withLock { $0.append(name) } }
    }
}

@Suite struct `The queue of work that decodes` {
    @Test func `Work begins in order, as many at a time as there are slots`() {
        let (admission, log) = (WorkAdmission { 2 }, Log())
        let tickets = (0..<6).map { log.enqueue($0, in: admission) }
        #expect(log.all == [0, 1])
        tickets[1].end()
        #expect(log.all == [0, 1, 2])
        tickets[0].end()
        tickets[2].end()
        #expect(log.all == [0, 1, 2, 3, 4])
        tickets[3].end()
        #expect(log.all == Array(0..<6))
    }

    @Test func `Work that was cancelled never begins, and work that has begun is not cancelled`() {
        let (admission, log) = (WorkAdmission { 1 }, Log())
        let tickets = (0..<4).map { log.enqueue($0, in: admission) }
        #expect(tickets[1].cancel())
        #expect(!tickets[0].cancel())
        #expect(!tickets[1].cancel())
        tickets[0].end()
        #expect(log.all == [0, 2])
    }

    @Test func `Held memory keeps others waiting, but never all`() {
        let (admission, log) = (WorkAdmission { 8 }, Log())
        let first = log.enqueue(0, in: admission)
        first.hold(1 << 30)
        let second = log.enqueue(1, in: admission)
        #expect(log.all == [0])
        first.hold(1 << 20)
        #expect(log.all == [0, 1])
        second.hold(1 << 30)
        _ = log.enqueue(2, in: admission)
        #expect(log.all == [0, 1])
        first.end()
        #expect(log.all == [0, 1])
        second.end()
        #expect(log.all == [0, 1, 2])
    }

    @Test func `What waits for others lets them run, however much it holds`() {
        let (admission, log) = (WorkAdmission { 1 }, Log())
        let first = log.enqueue(0, in: admission)
        first.hold(1 << 40)
        let second = log.enqueue(1, in: admission)
        first.idle { #expect(log.all == [0, 1]) }
        second.end()
        first.end()
    }

    @Test func `A waiting task that is cancelled leaves the queue`() async throws {
        let admission = WorkAdmission { 1 }
        let first = admission.enqueue { _ in }
        let (cancellation, own) = (Cancellation(), Cancellation())
        let task = Task { try await admission.turn(cancellation) }
        let other = Task { try await admission.turn(own) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        own.cancel()
        await #expect(throws: CancellationError.self) { _ = try await other.value }
        let last = Task { try await admission.turn(Cancellation()) }
        first.end()
        try await last.value.end()
        // Of a ticket that was dropped the work has ended.
        do { _ = try await admission.turn(Cancellation()) }
        try await admission.turn(Cancellation()).end()
    }

    @Test func `Thousands of requests begin in order`() {
        let (admission, log) = (WorkAdmission { 3 }, Log())
        let tickets = (0..<20_000).map { log.enqueue($0, in: admission) }
        for ticket in tickets { ticket.end() }
        #expect(log.all == Array(0..<20_000))
    }
}
