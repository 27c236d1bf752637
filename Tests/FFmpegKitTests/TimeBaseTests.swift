import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit

@Suite struct `Ticks and times` {
    private static let bases = [
        (1, 25), (1, 12800), (1, 90000), (1, 1000), (1001, 30000), (1, 1_200_000), (3, 125), (1, 1),
    ]
    .map { TimeBase(numerator: Int32($0.0), denominator: Int32($0.1)) }

    @Test(arguments: [(0, 1), (-1, 25), (1, 0), (1, -5), (0, 0)])
    func `An impossible time base becomes microseconds`(_ numerator: Int32, _ denominator: Int32) {
        let base = TimeBase(numerator: numerator, denominator: denominator)
        #expect(base.time(of: 1_500_000) == CMTime(value: 3, timescale: 2))
    }

    @Test(arguments: bases)
    func `Every tick survives the way to a time and back`(_ base: TimeBase) {
        var random = SeededGenerator(seed: 5)
        let values: [Int64] = [0, 1, -1, 7, 1 << 40, -(1 << 40)]
        for ticks in values + (0..<200).map({ _ in Int64(Int32(truncatingIfNeeded: random.next())) }) {
            #expect(base.ticks(atOrBefore: base.time(of: ticks)) == ticks)
        }
    }

    @Test(arguments: bases)
    func `A time between two ticks gives the earlier`(_ base: TimeBase) {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<300 {
            let scale = Int32.random(in: 1...1_000_000, using: &random)
            let value = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
            let ticks = base.ticks(atOrBefore: CMTime(value: value, timescale: scale))
            // ticks * n / d <= value / scale < (ticks + 1) * n / d, in whole numbers.
            let (n, d) = (Int128(base.numerator), Int128(base.denominator))
            #expect(Int128(ticks) * n * Int128(scale) <= Int128(value) * d)
            #expect((Int128(ticks) + 1) * n * Int128(scale) > Int128(value) * d)
        }
    }

    // The sum of a time and the file's first, both of odd timescales, was rounded to the nearest of 2³¹ − 1 ticks: up, half
    // of the time, and past the start of the next frame.
    @Test(arguments: bases)
    func `A time that counts from an origin is added to it exactly`(_ base: TimeBase) {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            let time = CMTime(
                value: Int64.random(in: 0...1 << 40, using: &random),
                timescale: Int32.random(in: 1 ... .max, using: &random))
            let origin = CMTime(
                value: Int64.random(in: -(1 << 40)...1 << 40, using: &random),
                timescale: Int32.random(in: 1...90000, using: &random))
            let ticks = Int128(base.ticks(atOrBefore: time, from: origin))
            let (n, d) = (Int128(base.numerator), Int128(base.denominator))
            let (t, o) = (Int128(time.timescale), Int128(origin.timescale))
            let sum = (Int128(time.value) * o + Int128(origin.value) * t) * d
            #expect(ticks * n * t * o <= sum)
            #expect((ticks + 1) * n * t * o > sum)
        }
        let odd = TimeBase(numerator: 1, denominator: .max)
        #expect(
            odd.ticks(atOrBefore: CMTime(value: .max, timescale: 1), from: CMTime(value: .max, timescale: 1)) == .max)
        #expect(odd.ticks(atOrBefore: .invalid, from: .zero) == 0)
    }

    @Test func `Extreme times are clamped`() {
        let base = TimeBase(numerator: 1, denominator: .max)
        #expect(base.ticks(atOrBefore: CMTime(value: .max, timescale: 1)) == .max)
        #expect(base.ticks(atOrBefore: CMTime(value: .min, timescale: 1)) == .min)
        #expect(base.ticks(atOrBefore: CMTime(value: .max, timescale: .max)) == .max)
        let slow = TimeBase(numerator: .max, denominator: 1)
        #expect(slow.ticks(atOrBefore: CMTime(value: .max, timescale: .max)) == 2)
        #expect(slow.ticks(atOrBefore: CMTime(value: -1, timescale: .max)) == -1)
    }

    @Test func `Ticks that do not fit have no time`() {
        #expect(!TimeBase(numerator: 2, denominator: 1).time(of: .max).isValid)
        #expect(!TimeBase(numerator: 1001, denominator: 30000).time(of: .min).isValid)
        #expect(TimeBase(numerator: 1, denominator: 90000).time(of: .max).value == .max)
    }

    @Test func `Times without a number are tick zero`() {
        let base = TimeBase(numerator: 1, denominator: 1000)
        for time in [CMTime.invalid, .indefinite] { #expect(base.ticks(atOrBefore: time) == 0) }
    }

    @Test func `Microseconds last at least one tick`() {
        #expect(TimeBase(numerator: 1, denominator: 90000).ticks(microseconds: 1_000_000) == 90000)
        #expect(TimeBase(numerator: 1, denominator: 25).ticks(microseconds: 50_000) == 1)
        #expect(TimeBase(numerator: 1, denominator: 25).ticks(microseconds: 1) == 1)
    }
}

@Suite struct `Text from files` {
    @Test func `Untrusted text in errors is printable and short`() {
        let error = FFmpegError(kind: .other, operation: .read, reason: String(repeating: "\u{1b}", count: 1000))
        #expect(error.reason.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        #expect(error.reason.count <= 200 * 6 + 1)
        #expect(error.description.hasPrefix("read: "))
    }
}
