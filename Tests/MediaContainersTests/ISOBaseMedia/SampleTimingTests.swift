import Testing

@testable import MediaContainers

/// What is shown at a time, by the tables of samples against a look at every sample.
struct SampleTimingTests {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private func table(_ rows: [(count: Int, value: Int)]) -> TableBytes {
        var bytes: [UInt8] = [0, 0, 0, 0]
        for number in [rows.count] + rows.flatMap({ [$0.count, $0.value] }) {
            bytes.append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
        }
        return TableBytes(bytes: bytes)
    }

    @Test(arguments: 0..<60) func `Samples are found at every time`(seed: Int) throws {
        var random = Generator(state: UInt64(seed) &* 977)
        func rows(_ values: ClosedRange<Int>) -> [(count: Int, value: Int)] {
            (0..<Int.random(in: 1...12, using: &random)).map { _ in
                (Int.random(in: 1...4, using: &random), Int.random(in: values, using: &random))
            }
        }
        let durations = rows(seed % 3 == 0 ? 0...3 : 1...9)
        let offsets = seed % 4 == 0 ? nil : rows(seed % 5 == 0 ? -20...20 : 0...12)
        let count = durations.map(\.count).reduce(0, +) + Int.random(in: 0...3, using: &random)
        let timing = try SampleTiming(
            durations: table(durations), offsets: offsets.map { table($0) }, count: count, factor: 1)
        let times = (0..<count).map { timing.presentationTime($0) }
        for time in Int64(-30)...(timing.end + 30) {
            let shown = times.filter { $0 <= time }.max().flatMap { times.lastIndex(of: $0) }
            #expect(timing.sample(shownAt: time) == shown)
            #expect(timing.lastSample(shownBefore: time) == times.lastIndex { $0 < time })
            #expect(timing.earliestTime(from: time) == times.filter { $0 >= time }.min())
        }
    }
}
