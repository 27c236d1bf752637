import Foundation
import MediaLoading
import Synchronization
import Testing

@testable import ImageGeneration

/// Sends numbers from a thread of its own and counts how far it got.
private final class Producer: Sendable {
    let sent = Atomic(0)
    let isDone = Atomic(false)
    let lastAnswer = Atomic(true)

    func start(_ count: Int, on channel: BoundedChannel<Int>) {
        Thread.detachNewThread { [self] in
            for value in 0..<count {
                let isHeard = channel.send(value)
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

/// Waits for a condition, which is looked at every few milliseconds.
func eventually(within limit: Duration, _ condition: @Sendable () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

@Suite(.timeLimit(.minutes(5))) struct `The channel between the decoder and its reader` {
    @Test func `values come out in order and then the end`() async {
        let channel = BoundedChannel<Int>(capacity: 3)
        Producer().start(1000, on: channel)
        var values: [Int] = []
        while let value = await channel.next() { values.append(value) }
        #expect(values == Array(0..<1000))
        #expect(await channel.next() == nil)
    }

    @Test(arguments: [1, 2, 5])
    func `the sender is never more than the capacity ahead`(_ capacity: Int) async throws {
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
        channel.cancel()
        #expect(await producer.ends(within: .seconds(20)))
    }

    @Test func `cancelling releases a sender that waits`() async {
        let channel = BoundedChannel<Int>(capacity: 2)
        let producer = Producer()
        producer.start(10, on: channel)
        #expect(await eventually(within: .seconds(20)) { producer.count == 2 })
        channel.cancel()
        #expect(await producer.ends(within: .seconds(20)))
        #expect(!producer.isHeard)
        #expect(producer.count == 2)
        #expect(await channel.next() == nil)
    }

    @Test func `cancelling releases a reader that waits`() async {
        let channel = BoundedChannel<Int>(capacity: 2)
        let reader = Task { await channel.next() }
        try? await Task.sleep(for: .milliseconds(20))
        channel.cancel()
        #expect(await reader.value == nil)
    }

    @Test func `finishing releases a reader that waits`() async {
        let channel = BoundedChannel<Int>(capacity: 2)
        let reader = Task { await channel.next() }
        try? await Task.sleep(for: .milliseconds(20))
        channel.finish()
        #expect(await reader.value == nil)
    }

    @Test func `a waiting reader gets the next value`() async {
        let channel = BoundedChannel<Int>(capacity: 1)
        let reader = Task { await channel.next() }
        try? await Task.sleep(for: .milliseconds(20))
        let producer = Producer()
        producer.start(1, on: channel)
        #expect(await reader.value == 0)
    }

    @Test func `what was sent before the end is delivered after it`() async {
        let channel = BoundedChannel<Int>(capacity: 4)
        #expect(channel.send(1) && channel.send(2))
        channel.finish()
        #expect(await channel.next() == 1)
        #expect(await channel.next() == 2)
        #expect(await channel.next() == nil)
    }

    @Test func `sending after a cancellation says that nobody listens`() {
        let channel = BoundedChannel<Int>(capacity: 1)
        channel.cancel()
        #expect(!channel.send(1))
    }

    @Test func `cancelling twice is harmless`() async {
        let channel = BoundedChannel<Int>(capacity: 1)
        #expect(channel.send(1))
        channel.cancel()
        channel.cancel()
        #expect(await channel.next() == nil)
        #expect(!channel.send(2))
    }
}
