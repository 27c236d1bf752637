import FFmpegKit
import Foundation
import MediaCore
import Testing

@testable import AssetExport
@testable import MediaEngine

@Suite struct `Sound on the new timeline` {
    private func timeline(
        startsAtZero: Bool = false, end: Int64? = nil, limit: Int64? = nil
    ) -> SoundTimeline {
        SoundTimeline(
            startsAtZero: startsAtZero, end: end, jitter: 480, drift: 48, patience: 48_000, limit: limit)
    }

    @Test func `Audio on the new timeline is cut at the start and at the end`() {
        var timeline = timeline(end: 1500)
        #expect(timeline.add(count: 1000, at: -2000) == [])
        #expect(timeline.add(count: 1000, at: -300) == [.samples(300..<1000)])
        #expect(!timeline.isComplete)
        #expect(timeline.add(count: 1000, at: 700) == [.samples(0..<800)])
        #expect(timeline.isComplete)
        #expect(timeline.add(count: 1000, at: 1700) == [])
    }

    @Test func `Audio on the new timeline starts late where the source does`() {
        var late = timeline()
        #expect(late.add(count: 1000, at: 5000) == [.samples(0..<1000)])
        #expect(late.position == 6000)
        var filled = timeline(startsAtZero: true)
        #expect(filled.add(count: 1000, at: 5000) == [.silence(5000), .samples(0..<1000)])
        #expect(filled.position == 6000 && filled.filled == 5000)
        var beyond = timeline(end: 4000)
        #expect(beyond.add(count: 1000, at: 5000) == [])
        #expect(beyond.isComplete)
        var silent = timeline(startsAtZero: true, end: 4000)
        #expect(silent.add(count: 1000, at: 5000) == [.silence(4000)])
    }

    @Test func `Gaps of audio are filled with silence, and overlaps left out`() {
        var timeline = timeline()
        _ = timeline.add(count: 1000, at: 0)
        #expect(timeline.add(count: 1000, at: 3000) == [.silence(2000), .samples(0..<1000)])
        #expect(timeline.position == 4000)
        #expect(timeline.add(count: 1000, at: 3400) == [.samples(600..<1000)])
        #expect(timeline.add(count: 1000, at: 2000) == [])
        #expect(timeline.add(count: 1000, at: nil) == [.samples(0..<1000)])
        #expect(timeline.filled == 2000 && timeline.overlapping == 1600)
    }

    @Test func `Audio with imprecise times stays as it is`() {
        var timeline = timeline()
        for index in 0..<500 {
            let jitter: Int64 = index % 3 == 0 ? 40 : -40
            #expect(timeline.add(count: 960, at: Int64(index) * 960 + (index == 0 ? 0 : jitter)) == [.samples(0..<960)])
        }
        #expect(timeline.position == 480_000)
    }

    @Test func `Audio that is off for long is moved`() {
        var timeline = timeline()
        var moved = 0
        for index in 0..<200 {
            let steps = timeline.add(count: 1000, at: Int64(index) * 1000 + (index < 10 ? 0 : 100))
            if steps.count == 2 {
                #expect(steps == [.silence(100), .samples(0..<1000)])
                moved += 1
            }
        }
        #expect(moved == 1)
        #expect(timeline.position == 200_100)
    }

    @Test func `Audio with a time beyond the limit is placed by counting`() {
        var timeline = timeline(limit: 1_000_000)
        _ = timeline.add(count: 1000, at: 0)
        #expect(timeline.add(count: 1000, at: 1 << 50) == [.samples(0..<1000)])
        #expect(timeline.add(count: 1000, at: 2000) == [.samples(0..<1000)])
    }

    @Test func `Audio goes on where the sample rate changes`() {
        var timeline = timeline(end: 96_000)
        _ = timeline.add(count: 48_000, at: 0)
        timeline.changeRate(from: 48_000, to: 24_000)
        #expect(timeline.position == 24_000 && timeline.end == 48_000)
        #expect(timeline.add(count: 30_000, at: 24_000) == [.samples(0..<24_000)])
    }
}

@Suite struct `Ticks of another length` {
    private let map = TickMap(
        from: TimeBase(numerator: 1001, denominator: 30_000), to: TimeBase(numerator: 1, denominator: 90_000),
        zero: CMTime(value: 1, timescale: 10))

    @Test(arguments: [(3, 9), (0, -9000), (1, -5997), (1000, 2_994_000)] as [(Int64, Int64)])
    func `Ticks of another time base count from the new zero`(ticks: Int64, wanted: Int64) {
        #expect(map(ticks) == wanted)
    }

    @Test func `Ticks of another time base are rounded to the nearest, away from zero`() {
        let map = TickMap(
            from: TimeBase(numerator: 1, denominator: 1000), to: TimeBase(numerator: 1, denominator: 500), zero: .zero)
        #expect([-3, -1, 0, 1, 2, 3].map { map($0) } == [-2, -1, 0, 1, 1, 2])
    }

    @Test func `Ticks that do not fit another time base are none`() {
        #expect(map(.max) == nil)
        #expect(throws: FFmpegError.self) { try map.mapped(.min) }
    }
}

@Suite struct `A limit of the frame rate` {
    private func kept(_ limit: FrameRateLimit?, _ times: [Double]) -> [Double] {
        var thinning = FrameThinning(limit)
        return times.filter { thinning.keeps(seconds($0)) }
    }

    @Test func `A limit of the frame rate keeps every second frame`() {
        let times = (0..<10).map { Double($0) / 50 }
        #expect(kept(.oneOf(2), times) == [0, 0.04, 0.08, 0.12, 0.16])
        #expect(kept(nil, times) == times)
    }

    @Test(arguments: [24, 30, 50, 60, 120])
    func `A limit of the frame rate keeps no more in a second than asked for`(rate: Int) {
        let times = (0..<(rate * 4)).map { Double($0) / Double(rate) }
        let result = kept(.atMost(Ratio(30, 1)), times)
        #expect(result.count <= 121)
        // All where they are no more, and else near as many as may be.
        #expect(result.count >= min(times.count, rate == 50 ? 99 : 119))
        for (left, right) in zip(result, result.dropFirst()) { #expect(right - left < 0.05) }
    }

    @Test func `A limit of the frame rate starts anew after a pause`() {
        #expect(kept(.atMost(Ratio(10, 1)), [0, 0.05, 0.1, 3, 3.05, 3.1, 3.2]) == [0, 0.1, 3, 3.1, 3.2])
    }
}

/// Any work as a stage.
private struct Work: Stage {
    let body: @Sendable () throws -> Void

    init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }

    func run() throws { try body() }
}

@Suite(.timeLimit(.minutes(10))) struct `A queue between stages` {
    @Test(arguments: [(2, Int.max, 2), (100, 10, 3)])
    func `A full queue between stages makes the sender wait`(count: Int, bytes: Int, fitting: Int) throws {
        let queue = BoundedChannel<Int>(capacity: count, byteCapacity: bytes)
        let cancellation = Cancellation()
        let threads = StageThreads(cancellation)
        let sent = FrameCount()
        let sender = Work {
            while sent.value < 20 {
                _ = try queue.send(sent.value, bytes: 3)
                sent.add()
            }
            queue.finish()
        }
        threads.start("sender", sender)
        Thread.sleep(forTimeInterval: 0.1)
        #expect(sent.value == fitting)
        var received: [Int] = []
        while let value = try queue.receive() { received.append(value) }
        threads.wait()
        #expect(received == Array(0..<20))
    }

    @Test func `A queue between stages stops with everything else at the first failure`() throws {
        struct First: Error {}
        struct Second: Error {}
        let cancellation = Cancellation()
        let queue: BoundedChannel<Int> = cancellation.channel(capacity: 1, byteCapacity: 1)
        let threads = StageThreads(cancellation)
        threads.start("receiver", Work { while try queue.receive() != nil {} })
        cancellation.cancel(because: First())
        cancellation.cancel(because: Second())
        threads.wait()
        #expect(cancellation.reason is First)
    }
}
