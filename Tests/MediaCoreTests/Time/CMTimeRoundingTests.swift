import MediaCore
import Testing

struct ScaleCase: CustomTestStringConvertible, Sendable {
    var time: CMTime
    var timescale: Int32
    var results: [Int64]

    /// - Parameter results: One per method, in the order of their raw values.
    init(_ value: Int64, _ timescale: Int32, to newTimescale: Int32, _ results: [Int64]) {
        (time, self.timescale, self.results) = (t(value, timescale), newTimescale, results)
    }

    var testDescription: String { "\(time) at \(timescale)" }
}

@Suite struct `Converting to another timescale` {
    /// The rules of the methods as integer arithmetic on a numerator and a
    /// positive denominator.
    static func round(_ n: Int128, _ d: Int128, _ method: CMTimeRoundingMethod, isToLargerScale: Bool) -> Int128 {
        func floor(_ n: Int128, _ d: Int128) -> Int128 { n / d - (n % d < 0 ? 1 : 0) }
        func ceiling(_ n: Int128, _ d: Int128) -> Int128 { -floor(-n, d) }
        switch method {
        case .roundHalfAwayFromZero: return n < 0 ? -floor(-2 * n + d, 2 * d) : floor(2 * n + d, 2 * d)
        case .roundTowardZero: return n < 0 ? ceiling(n, d) : floor(n, d)
        case .roundAwayFromZero: return n < 0 ? floor(n, d) : ceiling(n, d)
        case .quickTime:
            if isToLargerScale { return n < 0 ? floor(n, d) : ceiling(n, d) }
            return n < 0 ? min(ceiling(n, d), -1) : floor(n, d)
        case .roundTowardPositiveInfinity: return ceiling(n, d)
        case .roundTowardNegativeInfinity: return floor(n, d)
        }
    }

    // Columns: half away, toward zero, away from zero, QuickTime, up, down.
    @Test(arguments: [
        ScaleCase(1, 4, to: 2, [1, 0, 1, 0, 1, 0]),
        ScaleCase(1, 5, to: 2, [0, 0, 1, 0, 1, 0]),
        ScaleCase(-1, 5, to: 2, [0, 0, -1, -1, 0, -1]),
        ScaleCase(-1, 4, to: 2, [-1, 0, -1, -1, 0, -1]),
        ScaleCase(-7, 5, to: 2, [-3, -2, -3, -2, -2, -3]),
        ScaleCase(1, 2, to: 5, [3, 2, 3, 3, 3, 2]),
        ScaleCase(-1, 2, to: 5, [-3, -2, -3, -3, -2, -3]),
        ScaleCase(1, 3, to: 4, [1, 1, 2, 2, 2, 1]),
        ScaleCase(0, 5, to: 2, [0, 0, 0, 0, 0, 0]),
        ScaleCase(
            .min, 2, to: 1,
            [
                -4_611_686_018_427_387_904, -4_611_686_018_427_387_904, -4_611_686_018_427_387_904,
                -4_611_686_018_427_387_904, -4_611_686_018_427_387_904, -4_611_686_018_427_387_904,
            ]),
        ScaleCase(
            .max, 2, to: 1,
            [
                4_611_686_018_427_387_904, 4_611_686_018_427_387_903, 4_611_686_018_427_387_904,
                4_611_686_018_427_387_903, 4_611_686_018_427_387_904, 4_611_686_018_427_387_903,
            ]),
    ])
    func `Each rounding method rounds by its rule`(_ c: ScaleCase) {
        for (method, result) in zip(CMTimeRoundingMethod.allCases, c.results) {
            let converted = c.time.convertScale(c.timescale, method: method)
            let isExact = Int128(result) * Int128(c.time.timescale) == Int128(c.time.value) * Int128(c.timescale)
            #expect(Fields(converted) == .numeric(result, c.timescale, rounded: !isExact), "\(method)")
            #expect(Fields(CMTimeConvertScale(c.time, timescale: c.timescale, method: method)) == Fields(converted))
        }
    }

    @Test(arguments: CMTimeRoundingMethod.allCases)
    func `Converting to another timescale agrees with integer arithmetic`(_ method: CMTimeRoundingMethod) {
        var generator = SeededGenerator(seed: UInt64(method.rawValue))
        for _ in 0..<5000 {
            let time = generator.time()
            let timescale = generator.time().timescale
            let n = Int128(time.value) * Int128(timescale)
            let d = Int128(time.timescale)
            let ticks = Self.round(n, d, method, isToLargerScale: timescale > time.timescale)
            let converted = time.convertScale(timescale, method: method)
            guard let value = Int64(exactly: ticks) else {
                #expect(Fields(converted) == (n < 0 ? .negativeInfinity : .positiveInfinity), "\(time) at \(timescale)")
                continue
            }
            #expect(Fields(converted) == .numeric(value, timescale, rounded: n % d != 0), "\(time) at \(timescale)")
        }
    }

    @Test(arguments: CMTimeRoundingMethod.allCases)
    func `A multiple of the timescale and back loses nothing`(_ method: CMTimeRoundingMethod) {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let time = t(generator.time(maximumBits: 32).value, Int32.random(in: 1...46340, using: &generator))
            let factor = Int32.random(in: 1...46340, using: &generator)
            let there = time.convertScale(time.timescale * factor, method: method)
            #expect(Fields(there) == .numeric(time.value * Int64(factor), time.timescale * factor))
            #expect(Fields(there.convertScale(time.timescale, method: method)) == Fields(time))
        }
    }

    @Test func `Flags and epoch are kept by a conversion`() {
        let rounded = CMTime(value: 2, timescale: 4, flags: [.valid, .hasBeenRounded], epoch: 5)
        #expect(Fields(rounded.convertScale(2, method: .default)) == Fields(1, 2, flags: 3, epoch: 5))
        #expect(Fields(t(1, 3, epoch: 5).convertScale(2, method: .default)) == Fields(1, 2, flags: 3, epoch: 5))
        #expect(Fields(t(1, 2, epoch: 5).convertScale(2, method: .default)) == Fields(1, 2, epoch: 5))
    }

    @Test(arguments: CMTimeRoundingMethod.allCases)
    func `Times that are not numeric stay the same in a conversion`(_ method: CMTimeRoundingMethod) {
        for special in Special.allCases where special != .numeric {
            #expect(Fields(special.time.convertScale(600, method: method)) == Fields(special.time), "\(special)")
        }
        #expect(Fields(t(1, 0).convertScale(600, method: method)) == .invalid)
    }
}
