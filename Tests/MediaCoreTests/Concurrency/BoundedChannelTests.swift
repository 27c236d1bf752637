import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

/// Sends numbers from a thread of its own and counts how far it got.
private final class Producer: Sendable {
    let sent = Atomic(0)
    let isDone = Atomic(false)
    let lastAnswer = Atomic(true)

    func start(_ count: Int, on channel: BoundedChannel<Int>) {
        Thread.detachNewThread { [self] in
            for value in 0..<count {
                let isHeard = (try? channel.send(value)) ?? false
                lastAnswer.store(isHeard, ordering: .sequentiallyConsistent)
                guard isHeard else { break }
                sent.add(1, ordering: .sequentiallyConsistent)
            }
            isDone.store(true, ordering: .sequentiallyConsistent)
            channel.finish()
        }
    }

    /// What the last send said.
    var isHeard: Bool { lastAnswer.load(ordering: .sequentiallyConsistent) }
    var count: Int { sent.load(ordering: .sequentiallyConsistent) }

    /// Waits for the thread to end.
    func ends(within limit: Duration) async -> Bool {
        await eventually(within: limit) { self.isDone.load(ordering: .sequentiallyConsistent) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A channel between a thread and a task` {
    @Test func `Values of a channel come out in order and then the end`() async {
        let channel = BoundedChannel<Int>(capacity: 3)
        Producer().start(1000, on: channel)
        var values: [Int] = []
        while let value = await channel.next() { values.append(value) }
        #expect(values == Array(0..<1000))
        #expect(await channel.next() == nil)
    }

    @Test(arguments: [1, 2, 5])
    func `The sender of a channel is never more than the capacity ahead`(_ capacity: Int) async throws {
        let channel = BoundedChannel<Int>(capacity: capacity)
        let producer = Producer()
        producer.start(40, on: channel)
        #expect(await eventually(within: .seconds(20)) { producer.count == capacity })
        try await Task.sleep(for: .milliseconds(30))
        #expect(producer.count == capacity)
        for received in 1...20 {
            #expect(await channel.next() == received - 1)
            #expect(await eventually(within: .seconds(20)) { producer.count >= received + capacity })
            #expect(producer.count <= received + capacity)
        }
        channel.close()
        #expect(await producer.ends(within: .seconds(20)))
    }

    @Test func `Closing a channel releases a sender that waits`() async {
        let channel = BoundedChannel<Int>(capacity: 2)
        let producer = Producer()
        producer.start(10, on: channel)
        #expect(await eventually(within: .seconds(20)) { producer.count == 2 })
        channel.close()
        #expect(await producer.ends(within: .seconds(20)))
        #expect(!producer.isHeard)
        #expect(producer.count == 2)
        #expect(await channel.next() == nil)
    }

    @Test func `Closing a channel releases a reader that waits`() async {
        let channel = BoundedChannel<Int>(capacity: 2)
        let reader = Task { await channel.next() }
        try? await Task.sleep(for: .milliseconds(20))
        channel.close()
        #expect(await reader.value == nil)
    }

    @Test func `Finishing a channel releases a reader that waits`() async {
        let channel = BoundedChannel<Int>(capacity: 2)
        let reader = Task { await channel.next() }
        try? await Task.sleep(for: .milliseconds(20))
        channel.finish()
        #expect(await reader.value == nil)
    }

    @Test func `A waiting reader of a channel gets the next value`() async {
        let channel = BoundedChannel<Int>(capacity: 1)
        let reader = Task { await channel.next() }
        try? await Task.sleep(for: .milliseconds(20))
        let producer = Producer()
        producer.start(1, on: channel)
        #expect(await reader.value == 0)
    }

    @Test func `Values sent before a channel is finished are still delivered`() async throws {
        let channel = BoundedChannel<Int>(capacity: 4)
        #expect(try channel.send(1) && channel.send(2))
        channel.finish()
        #expect(await channel.next() == 1)
        #expect(await channel.next() == 2)
        #expect(await channel.next() == nil)
    }

    @Test func `Sending to a closed channel returns that nobody listens`() throws {
        let channel = BoundedChannel<Int>(capacity: 1)
        channel.close()
        #expect(try !channel.send(1))
    }

    @Test func `Closing a channel twice is harmless`() async throws {
        let channel = BoundedChannel<Int>(capacity: 1)
        #expect(try channel.send(1))
        channel.close()
        channel.close()
        #expect(await channel.next() == nil)
        #expect(try !channel.send(2))
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A channel between threads` {
    @Test func `A channel between threads hands over in order and ends`() throws {
        let channel = BoundedChannel<Int>(capacity: 1000)
        for value in 0..<200 { #expect(try channel.send(value)) }
        channel.finish()
        for value in 0..<200 { #expect(try channel.receive() == value) }
        #expect(try channel.receive() == nil)
    }

    @Test func `Values that were taken together are dropped where nobody wants more`() throws {
        let closed = BoundedChannel<Int>(capacity: 100)
        for value in 0..<50 { #expect(try closed.send(value)) }
        #expect(try closed.receive() == 0)
        closed.close()
        #expect(try closed.receive() == nil)
        let stopped = BoundedChannel<Int>(capacity: 100)
        for value in 0..<50 { #expect(try stopped.send(value)) }
        #expect(try stopped.receive() == 0)
        stopped.stop()
        #expect(throws: WorkStopped.self) { try stopped.receive() }
    }

    @Test func `A slow sender's values come one by one, a fast one's in order`() throws {
        let channel = BoundedChannel<Int>(capacity: 256)
        Thread.detachNewThread {
            for value in 0..<20_000 {
                if value % 5_000 == 0 { usleep(20_000) }
                _ = try? channel.send(value, bytes: 100)
            }
            channel.finish()
        }
        for value in 0..<20_000 { #expect(try channel.receive() == value) }
        #expect(try channel.receive() == nil)
    }

    @Test func `A channel between threads takes one value that is larger than allowed`() throws {
        let channel = BoundedChannel<Int>(capacity: 4, byteCapacity: 10)
        #expect(try channel.send(1, bytes: 1000))
        #expect(try channel.receive() == 1)
    }

    @Test func `A channel between threads releases what was received`() throws {
        final class Witness: Sendable {}
        let channel = BoundedChannel<Witness>(capacity: 4)
        weak var witness: Witness?
        do {
            let object = Witness()
            witness = object
            _ = try channel.send(object)
            _ = try channel.send(Witness())
            _ = try channel.receive()
        }
        #expect(witness == nil)
    }

    @Test func `A channel between threads tells the sender of a close, and both of a stop`() throws {
        let channel = BoundedChannel<Int>(capacity: 1)
        _ = try channel.send(1)
        channel.close()
        #expect(try !channel.send(2))
        #expect(try channel.receive() == nil)
        let stopped = BoundedChannel<Int>(capacity: 1)
        stopped.stop()
        #expect(throws: WorkStopped.self) { try stopped.send(1) }
        #expect(throws: WorkStopped.self) { try stopped.receive() }
    }
}
