import Foundation
import Synchronization
import Testing

@testable import MediaCore

@Suite struct `One cancellation` {
    private struct First: Error {}
    private struct Second: Error {}

    @Test func `A cancellation keeps its first reason, and ignores a mere stop`() throws {
        let cancellation = Cancellation()
        try cancellation.check()
        cancellation.cancel(because: WorkStopped())
        #expect(!cancellation.isCancelled)
        cancellation.cancel(because: First())
        cancellation.cancel(because: Second())
        cancellation.cancel()
        #expect(cancellation.reason is First)
        #expect(throws: First.self) { try cancellation.check() }
    }

    @Test func `A cancellation without a reason throws a CancellationError`() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: CancellationError.self) { try cancellation.check() }
    }

    @Test func `A cancellation calls each handler once, late ones at once`() {
        let cancellation = Cancellation()
        let calls = Atomic(0)
        for _ in 0..<3 { cancellation.onCancel { calls.add(1, ordering: .relaxed) } }
        #expect(calls.load(ordering: .relaxed) == 0)
        cancellation.cancel()
        cancellation.cancel(because: First())
        #expect(calls.load(ordering: .relaxed) == 3)
        cancellation.onCancel { calls.add(1, ordering: .relaxed) }
        #expect(calls.load(ordering: .relaxed) == 4)
    }

    @Test func `A cancellation calls no handler that was removed`() {
        final class Owner: Sendable {}
        let cancellation = Cancellation()
        let owners = [Owner(), Owner()]
        let calls = Mutex<[Int]>([])
        for (index, owner) in owners.enumerated() {
            cancellation.onCancel(of: owner) { [owner] in
                withExtendedLifetime(owner) { calls.withLock { $0.append(index) } }
            }
        }
        cancellation.forget(owners[0])
        cancellation.cancel()
        #expect(calls.withLock { $0 } == [1])

        let other = Cancellation()
        other.onCancel { calls.withLock { $0.append(2) } }
        other.forgetAll()
        other.cancel()
        #expect(calls.withLock { $0 } == [1])
    }

    @Test func `A cancellation releases the handlers that it called`() {
        final class Witness: Sendable {}
        let cancellation = Cancellation()
        weak var witness: Witness?
        do {
            let object = Witness()
            witness = object
            cancellation.onCancel { withExtendedLifetime(object) {} }
        }
        #expect(witness != nil)
        cancellation.cancel()
        #expect(witness == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Results put back into order` {
    @Test(arguments: [0, 3, 1000]) func `Results put back into order come one at a time in their order`(budget: Int) {
        let found = Mutex<[Int]>([])
        let delivery = OrderedDelivery<Int>(budget: budget, cost: { _ in 1 }) { value in
            found.withLock { $0.append(value) }
            return true
        }
        let next = Atomic(0)
        let workers = DispatchGroup()
        for _ in 0..<4 {
            workers.enter()
            Thread.detachNewThread {
                while case let position = next.add(1, ordering: .relaxed).oldValue, position < 500 {
                    _ = delivery.submit(position, at: position)
                }
                workers.leave()
            }
        }
        workers.wait()
        #expect(found.withLock { $0 } == Array(0..<500))
    }

    @Test func `Results put back into order stop when nobody listens`() {
        let delivery = OrderedDelivery<Int>(budget: 10, cost: { _ in 1 }) { $0 < 1 }
        #expect(delivery.submit(2, at: 2))
        #expect(delivery.submit(0, at: 0))
        #expect(!delivery.submit(1, at: 1))
        #expect(!delivery.submit(3, at: 3))
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Blocking work` {
    @Test func `Blocking work gives what it returned, and what it threw`() async throws {
        struct Fault: Error {}
        #expect(try await BlockingWork.run { 5 } == 5)
        await #expect(throws: Fault.self) { try await BlockingWork.run { throw Fault() } }
    }

    @Test func `Blocking work is not waited for when its task is cancelled`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let task = Task { try await BlockingWork.run { gate.wait() } }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.signal()
    }

    @Test func `Blocking work is told when its task is cancelled`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let task = Task {
            try await BlockingWork.run(cancel: { gate.signal() }) {
                gate.wait()
                return 7
            }
        }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        #expect(try await task.value == 7)
    }
}
