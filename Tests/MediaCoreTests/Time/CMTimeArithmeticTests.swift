import MediaCore
import Testing

struct SpecialCase: CustomTestStringConvertible, Sendable {
    var lhs: Special
    var rhs: Special
    var sum: Fields
    var difference: Fields

    init(_ lhs: Special, _ rhs: Special, sum: Fields, difference: Fields) {
        (self.lhs, self.rhs, self.sum, self.difference) = (lhs, rhs, sum, difference)
    }

    var testDescription: String { "\(lhs) and \(rhs)" }
}

struct SumCase: CustomTestStringConvertible, Sendable {
    var lhs: CMTime
    var rhs: CMTime
    var isSubtraction: Bool
    var fields: Fields

    init(_ value: Int64, _ scale: Int32, plus value2: Int64, _ scale2: Int32, is fields: Fields) {
        (lhs, rhs, isSubtraction, self.fields) = (t(value, scale), t(value2, scale2), false, fields)
    }

    init(_ value: Int64, _ scale: Int32, minus value2: Int64, _ scale2: Int32, is fields: Fields) {
        (lhs, rhs, isSubtraction, self.fields) = (t(value, scale), t(value2, scale2), true, fields)
    }

    var testDescription: String { "\(lhs) \(isSubtraction ? "-" : "+") \(rhs)" }
}

@Suite struct `Adding and subtracting times` {
    static let specialCases: [SpecialCase] = [
        SpecialCase(.invalid, .invalid, sum: .invalid, difference: .invalid),
        SpecialCase(.invalid, .indefinite, sum: .invalid, difference: .invalid),
        SpecialCase(.invalid, .positiveInfinity, sum: .invalid, difference: .invalid),
        SpecialCase(.invalid, .negativeInfinity, sum: .invalid, difference: .invalid),
        SpecialCase(.invalid, .numeric, sum: .invalid, difference: .invalid),
        SpecialCase(.indefinite, .invalid, sum: .invalid, difference: .invalid),
        SpecialCase(.indefinite, .indefinite, sum: .indefinite, difference: .indefinite),
        SpecialCase(.indefinite, .positiveInfinity, sum: .positiveInfinity, difference: .negativeInfinity),
        SpecialCase(.indefinite, .negativeInfinity, sum: .negativeInfinity, difference: .positiveInfinity),
        SpecialCase(.indefinite, .numeric, sum: .indefinite, difference: .indefinite),
        SpecialCase(.positiveInfinity, .invalid, sum: .invalid, difference: .invalid),
        SpecialCase(.positiveInfinity, .indefinite, sum: .positiveInfinity, difference: .positiveInfinity),
        SpecialCase(.positiveInfinity, .positiveInfinity, sum: .positiveInfinity, difference: .invalid),
        SpecialCase(.positiveInfinity, .negativeInfinity, sum: .invalid, difference: .positiveInfinity),
        SpecialCase(.positiveInfinity, .numeric, sum: .positiveInfinity, difference: .positiveInfinity),
        SpecialCase(.negativeInfinity, .invalid, sum: .invalid, difference: .invalid),
        SpecialCase(.negativeInfinity, .indefinite, sum: .negativeInfinity, difference: .negativeInfinity),
        SpecialCase(.negativeInfinity, .positiveInfinity, sum: .invalid, difference: .negativeInfinity),
        SpecialCase(.negativeInfinity, .negativeInfinity, sum: .negativeInfinity, difference: .invalid),
        SpecialCase(.negativeInfinity, .numeric, sum: .negativeInfinity, difference: .negativeInfinity),
        SpecialCase(.numeric, .invalid, sum: .invalid, difference: .invalid),
        SpecialCase(.numeric, .indefinite, sum: .indefinite, difference: .indefinite),
        SpecialCase(.numeric, .positiveInfinity, sum: .positiveInfinity, difference: .negativeInfinity),
        SpecialCase(.numeric, .negativeInfinity, sum: .negativeInfinity, difference: .positiveInfinity),
        SpecialCase(.numeric, .numeric, sum: .numeric(6, 2), difference: .numeric(0, 2)),
    ]

    @Test(arguments: specialCases)
    func `Every pair of kinds of times has its sum and its difference`(_ c: SpecialCase) {
        #expect(Fields(c.lhs.time + c.rhs.time) == c.sum)
        #expect(Fields(CMTimeAdd(c.lhs.time, c.rhs.time)) == c.sum)
        #expect(Fields(c.lhs.time - c.rhs.time) == c.difference)
        #expect(Fields(CMTimeSubtract(c.lhs.time, c.rhs.time)) == c.difference)
        var time = c.lhs.time
        time += c.rhs.time
        #expect(Fields(time) == c.sum)
        time = c.lhs.time
        time -= c.rhs.time
        #expect(Fields(time) == c.difference)
    }

    @Test func `The table of kinds of times is complete`() {
        #expect(Set(Self.specialCases.map(\.testDescription)).count == Special.allCases.count * Special.allCases.count)
    }

    // Expected values: exact fractions, computed apart from this module.
    @Test(arguments: [
        SumCase(1, 2, plus: 1, 3, is: .numeric(5, 6, rounded: false)),
        SumCase(1, 2, minus: 1, 3, is: .numeric(1, 6, rounded: false)),
        SumCase(1, 600, plus: 1, 90_000, is: .numeric(151, 90_000, rounded: false)),
        SumCase(1, 600, minus: 1, 90_000, is: .numeric(149, 90_000, rounded: false)),
        SumCase(1, 2_147_483_647, plus: 1, 2_147_483_646, is: .numeric(2, 2_147_483_647, rounded: true)),
        SumCase(1, 2_147_483_647, minus: 1, 2_147_483_646, is: .numeric(0, 2_147_483_647, rounded: true)),
        SumCase(-1, 2_147_483_647, plus: -1, 2_147_483_629, is: .numeric(-2, 2_147_483_647, rounded: true)),
        SumCase(-1, 2_147_483_647, minus: -1, 2_147_483_629, is: .numeric(0, 2_147_483_647, rounded: true)),
        SumCase(.max, 1, plus: 1, 1, is: .positiveInfinity),
        SumCase(
            .max, 1, minus: 1, 1,
            is: .numeric(9_223_372_036_854_775_806, 1, rounded: false)),
        SumCase(.min, 1, plus: -1, 1, is: .negativeInfinity),
        SumCase(
            .min, 1, minus: -1, 1,
            is: .numeric(-9_223_372_036_854_775_807, 1, rounded: false)),
        SumCase(.max, 4, plus: 1, 4, is: .numeric(4_611_686_018_427_387_904, 2, rounded: false)),
        SumCase(
            .max, 4, minus: 1, 4,
            is: .numeric(9_223_372_036_854_775_806, 4, rounded: false)),
        SumCase(
            .max, 600, plus: .max, 600,
            is: .numeric(.max, 300, rounded: false)),
        SumCase(
            .max, 600, minus: .max, 600,
            is: .numeric(0, 600, rounded: false)),
        SumCase(
            .min, 3, plus: .min, 3,
            is: .numeric(-6_148_914_691_236_517_205, 1, rounded: true)),
        SumCase(
            .min, 3, minus: .min, 3,
            is: .numeric(0, 3, rounded: false)),
        SumCase(
            .max, 2_147_483_647, plus: .max, 2_147_483_646,
            is: .numeric(9_223_372_034_707_292_158, 1_073_741_823, rounded: true)),
        SumCase(
            .max, 2_147_483_647, minus: .max, 2_147_483_646,
            is: .numeric(-4_294_967_300, 2_147_483_647, rounded: true)),
        SumCase(
            .min, 2_147_483_647, plus: 1, 2_147_483_646,
            is: .numeric(-9_223_372_036_854_775_807, 2_147_483_647, rounded: true)),
        SumCase(
            .min, 2_147_483_647, minus: 1, 2_147_483_646,
            is: .numeric(-4_611_686_016_279_904_255, 1_073_741_823, rounded: true)),
        SumCase(.max, 5, plus: 1, 3, is: .numeric(5_534_023_222_112_865_485, 3, rounded: true)),
        SumCase(.max, 5, minus: 1, 3, is: .numeric(5_534_023_222_112_865_483, 3, rounded: true)),
        SumCase(
            .min, 90_000, plus: .max, 90_000,
            is: .numeric(-1, 90_000, rounded: false)),
        SumCase(
            .min, 90_000, minus: .max, 90_000,
            is: .numeric(.min, 45_000, rounded: true)),
    ])
    func `Sums of times are exact, or rounded once`(_ c: SumCase) {
        #expect(Fields(c.isSubtraction ? c.lhs - c.rhs : c.lhs + c.rhs) == c.fields)
    }

    @Test func `A rounded operand marks the sum`() {
        let rounded = CMTime(value: 1, timescale: 2, flags: [.valid, .hasBeenRounded], epoch: 0)
        #expect(Fields(rounded + t(1, 2)) == Fields(2, 2, flags: 3))
        #expect(Fields(t(1, 3) - rounded) == Fields(-1, 6, flags: 3))
    }

    @Test func `Epochs of sums combine as instants and durations do`() {
        #expect(Fields(t(5, 1, epoch: 1) - t(3, 1, epoch: 1)) == Fields(2, 1, epoch: 0))
        #expect(Fields(t(5, 1, epoch: 1) + t(3, 1, epoch: 1)) == Fields(8, 1, epoch: 0))
        #expect(Fields(t(5, 1, epoch: 1) + t(3, 1)) == Fields(8, 1, epoch: 1))
        #expect(Fields(t(5, 1) + t(3, 2, epoch: -7)) == Fields(13, 2, epoch: -7))
        #expect(Fields(t(5, 1, epoch: 1) + t(3, 1, epoch: 2)) == .invalid)
        #expect(Fields(t(5, 1, epoch: 1) - t(3, 1, epoch: 2)) == .invalid)
    }

    @Test func `A timescale that is not positive counts as invalid in sums`() {
        #expect(Fields(t(1, 0) + t(1)) == .invalid)
        #expect(Fields(t(1) - t(1, -5)) == .invalid)
        #expect(Fields(t(1, 0) + .positiveInfinity) == .invalid)
    }

    @Test func `Addition of times commutes, and subtraction changes the sign`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let (a, b) = (generator.time(), generator.time())
            #expect(Fields(a + b) == Fields(b + a), "\(a) \(b)")
            let (difference, opposite) = (a - b, b - a)
            if difference.isNumeric, difference.value != .min, opposite.value != .min {
                #expect(difference.value == -opposite.value, "\(a) \(b)")
                #expect(difference.timescale == opposite.timescale, "\(a) \(b)")
            }
        }
    }

    @Test func `Addition of times is exact and associative while timescales allow it`() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<5000 {
            let times = (0..<3).map { _ in
                t(generator.time(maximumBits: 30).value, Int32.random(in: 1...1290, using: &generator))
            }
            let (a, b, c) = (times[0], times[1], times[2])
            #expect(Ratio(a + b) == Ratio(a) + Ratio(b))
            #expect(!(a + b).hasBeenRounded)
            #expect(Fields((a + b) + c) == Fields(a + (b + c)))
            #expect((a + b) - b == a)
        }
    }
}

struct ProductCase: CustomTestStringConvertible, Sendable {
    var time: CMTime
    var multiplier: Double
    var fields: Fields

    init(_ value: Int64, _ scale: Int32, times multiplier: Double, is fields: Fields) {
        (time, self.multiplier, self.fields) = (t(value, scale), multiplier, fields)
    }

    var testDescription: String { "\(time) × \(multiplier)" }
}

struct RatioCase: CustomTestStringConvertible, Sendable {
    var time: CMTime
    var multiplier: Int32
    var divisor: Int32
    var fields: Fields

    init(_ value: Int64, _ scale: Int32, times multiplier: Int32, over divisor: Int32, is fields: Fields) {
        (time, self.multiplier, self.divisor, self.fields) = (t(value, scale), multiplier, divisor, fields)
    }

    var testDescription: String { "\(time) × \(multiplier) / \(divisor)" }
}

@Suite struct `Multiplying times` {
    @Test(arguments: [
        (t(3, 7), Int32(-5), Fields.numeric(-15, 7)), (t(.max, 1), 2, .positiveInfinity),
        (t(.min, 1), 2, .negativeInfinity), (t(.min, 1), -1, .positiveInfinity), (t(.min, 2), -1, .numeric(1 << 62, 1)),
        (t(.max, 4), 2, .numeric(.max, 2)), (t(.max, 4), 3, .numeric(6_917_529_027_641_081_855, 1, rounded: true)),
        (t(5, 9), 0, .numeric(0, 9)),
    ])
    func `Whole multipliers keep the timescale`(_ time: CMTime, _ multiplier: Int32, _ fields: Fields) {
        #expect(Fields(CMTimeMultiply(time, multiplier: multiplier)) == fields)
    }

    // Expected values: exact fractions, computed apart from this module.
    @Test(arguments: [
        ProductCase(1, 1, times: 0.5, is: .numeric(32_768, 65_536, rounded: false)),
        ProductCase(1, 600, times: 0.1, is: .numeric(13, 76_800, rounded: true)),
        ProductCase(-7, 30, times: 0.3333333333333333, is: .numeric(-9557, 122_880, rounded: true)),
        ProductCase(1001, 30_000, times: 1e-30, is: .numeric(0, 120_000, rounded: true)),
        ProductCase(.max, 1, times: 0x1p-1074, is: .numeric(0, 65_536, rounded: true)),
        ProductCase(
            .max, 1, times: 1e-09,
            is: .numeric(604_462_909_807_315, 65_536, rounded: true)),
        ProductCase(
            .min, 2_147_483_647, times: 3.0,
            is: .numeric(-6_917_529_017_977_405_435, 536_870_911, rounded: true)),
        ProductCase(
            .min, 1, times: 1.0,
            is: .numeric(-9_223_372_036_854_775_808, 1, rounded: false)),
        ProductCase(
            .max, 90_000, times: 2.5,
            is: .numeric(5_764_607_523_034_234_879, 22_500, rounded: true)),
        ProductCase(1, 2_147_483_647, times: 1e+300, is: .positiveInfinity),
        ProductCase(-1, 2_147_483_647, times: 1.7976931348623157e+308, is: .negativeInfinity),
        ProductCase(
            123_456_789_012_345, 44_100, times: 0.999999999,
            is: .numeric(246_913_577_777_776, 88_200, rounded: true)),
        ProductCase(1, 1, times: 7.62939453125e-06, is: .numeric(1, 65_536, rounded: true)),
        ProductCase(1, 1, times: 3.814697265625e-06, is: .numeric(0, 65_536, rounded: true)),
        ProductCase(-1, 1, times: 7.62939453125e-06, is: .numeric(-1, 65_536, rounded: true)),
        ProductCase(3, 7, times: 8_796_093_022_208.0, is: .numeric(432_345_564_227_567_616, 114_688, rounded: false)),
        ProductCase(5, 48_000, times: 10_000_000_000.0, is: .numeric(100_000_000_000, 96_000, rounded: false)),
        ProductCase(1, 1, times: 2.842170943040401e-14, is: .numeric(0, 65_536, rounded: true)),
        ProductCase(
            4_611_686_018_427_387_905, 3, times: 5.684341886080802e-14,
            is: .numeric(8_589_934_592, 98_304, rounded: true)),
        ProductCase(.max, 2_147_483_647, times: 1e+29, is: .positiveInfinity),
        ProductCase(
            .max, 1, times: 6.310887241768095e-30,
            is: .numeric(0, 65_536, rounded: true)),
        ProductCase(
            .max, 1, times: 1.6543612251060553e-24,
            is: .numeric(1, 65_536, rounded: true)),
        ProductCase(
            .max, 1, times: 8.271806125530277e-25,
            is: .numeric(0, 65_536, rounded: true)),
    ])
    func `Floating-point multipliers are taken exactly`(_ c: ProductCase) {
        #expect(Fields(CMTimeMultiplyByFloat64(c.time, multiplier: c.multiplier)) == c.fields)
    }

    // Expected values: exact fractions, computed apart from this module.
    @Test(arguments: [
        RatioCase(1000, 1, times: 20, over: 10, is: .numeric(2000, 1, rounded: false)),
        RatioCase(1, 600, times: 1, over: 3, is: .numeric(1, 1800, rounded: false)),
        RatioCase(1, 600, times: 2, over: 4, is: .numeric(1, 1200, rounded: false)),
        RatioCase(-1, 600, times: 1, over: 7, is: .numeric(-1, 4200, rounded: false)),
        RatioCase(
            .max, 2_147_483_647, times: -2_147_483_648, over: 2_147_483_647,
            is: .numeric(-4_611_686_018_427_387_902, 1_073_741_823, rounded: true)),
        RatioCase(
            .min, 1, times: -2_147_483_648, over: -2_147_483_648,
            is: .numeric(.min, 1, rounded: false)),
        RatioCase(.min, 1, times: 1, over: -1, is: .positiveInfinity),
        RatioCase(1, 2_147_483_647, times: 1, over: 2, is: .numeric(1, 2_147_483_647, rounded: true)),
        RatioCase(7, 90_000, times: 30_000, over: 1001, is: .numeric(30_000, 12_870_000, rounded: false)),
        RatioCase(.max, 1, times: 2_147_483_647, over: 1, is: .positiveInfinity),
        RatioCase(0, 30, times: 5, over: 7, is: .numeric(0, 30, rounded: false)),
        RatioCase(5, 30, times: 0, over: 7, is: .numeric(0, 30, rounded: false)),
    ])
    func `Ratios of a time are exact where a timescale can hold them`(_ c: RatioCase) {
        #expect(Fields(CMTimeMultiplyByRatio(c.time, multiplier: c.multiplier, divisor: c.divisor)) == c.fields)
    }

    @Test func `A ratio with divisor zero gives an invalid time`() {
        for special in Special.allCases {
            #expect(Fields(CMTimeMultiplyByRatio(special.time, multiplier: 1, divisor: 0)) == .invalid, "\(special)")
        }
    }

    @Test(arguments: [
        (Special.positiveInfinity, Int32(1), Fields.positiveInfinity), (.positiveInfinity, -1, .negativeInfinity),
        (.negativeInfinity, 1, .negativeInfinity), (.negativeInfinity, -1, .positiveInfinity),
        (.positiveInfinity, 0, .invalid), (.negativeInfinity, 0, .invalid), (.indefinite, 1, .indefinite),
        (.indefinite, -1, .indefinite), (.indefinite, 0, .indefinite), (.invalid, 1, .invalid), (.invalid, 0, .invalid),
    ])
    func `Infinite times follow both signs when multiplied`(_ special: Special, _ sign: Int32, _ fields: Fields) {
        #expect(Fields(CMTimeMultiply(special.time, multiplier: 3 * sign)) == fields)
        #expect(Fields(CMTimeMultiplyByFloat64(special.time, multiplier: 0.5 * Double(sign))) == fields)
        #expect(Fields(CMTimeMultiplyByRatio(special.time, multiplier: 3 * sign, divisor: 7)) == fields)
        #expect(Fields(CMTimeMultiplyByRatio(special.time, multiplier: -3 * sign, divisor: -7)) == fields)
    }

    @Test func `Multipliers that are not finite give invalid or infinite times`() {
        #expect(Fields(CMTimeMultiplyByFloat64(t(-1), multiplier: .infinity)) == .negativeInfinity)
        #expect(Fields(CMTimeMultiplyByFloat64(t(-1), multiplier: -.infinity)) == .positiveInfinity)
        #expect(Fields(CMTimeMultiplyByFloat64(.zero, multiplier: .infinity)) == .invalid)
        #expect(Fields(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: -.infinity)) == .positiveInfinity)
        for special in Special.allCases {
            #expect(Fields(CMTimeMultiplyByFloat64(special.time, multiplier: .nan)) == .invalid, "\(special)")
        }
    }

    @Test func `A product of zero has the finer timescale`() {
        #expect(Fields(CMTimeMultiplyByFloat64(t(0, 30), multiplier: 5)) == .numeric(0, 122880))
        #expect(Fields(CMTimeMultiplyByFloat64(t(7, 30), multiplier: -0.0)) == .numeric(0, 122880))
        #expect(
            Fields(CMTimeMultiplyByFloat64(t(0, 90000), multiplier: .greatestFiniteMagnitude)) == .numeric(0, 90000))
    }

    @Test func `Flags and epoch are kept by a multiplication`() {
        let time = CMTime(value: 3, timescale: 65536, flags: [.valid, .hasBeenRounded], epoch: 4)
        let product = Fields(6, 65536, flags: 3, epoch: 4)
        #expect(Fields(CMTimeMultiply(time, multiplier: 2)) == product)
        #expect(Fields(CMTimeMultiplyByFloat64(time, multiplier: 2)) == product)
        #expect(Fields(CMTimeMultiplyByRatio(time, multiplier: 4, divisor: 2)) == product)
    }

    @Test(arguments: [
        (t(-3, 2), Fields.numeric(3, 2)), (t(3, 2), .numeric(3, 2)), (t(.min, 1), .positiveInfinity),
        (t(.min, 2), .numeric(1 << 62, 1)), (t(.min, 3), .numeric(3_074_457_345_618_258_603, 1, rounded: true)),
        (.invalid, .invalid),
        (.indefinite, .indefinite), (.negativeInfinity, .positiveInfinity), (.positiveInfinity, .positiveInfinity),
        (t(-3, 2, epoch: 5), Fields(3, 2, epoch: 5)), (t(1, 0), .invalid),
    ])
    func `The absolute value of a time drops its sign`(_ time: CMTime, _ fields: Fields) {
        #expect(Fields(CMTimeAbsoluteValue(time)) == fields)
    }

    @Test func `Products of random times and small numbers are exact`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3000 {
            let time = t(generator.time(maximumBits: 40).value, Int32.random(in: 1...2000, using: &generator))
            let a = Int32.random(in: -1000...1000, using: &generator)
            let b = Int32.random(in: 1...1000, using: &generator)
            let product = CMTimeMultiplyByRatio(time, multiplier: a, divisor: b)
            #expect(Ratio(product) == Ratio(Int128(time.value) * Int128(a), Int128(time.timescale) * Int128(b)))
            #expect(!product.hasBeenRounded)
            #expect(Fields(CMTimeMultiply(time, multiplier: a)) == .numeric(time.value * Int64(a), time.timescale))
            let byFloat = CMTimeMultiplyByFloat64(time, multiplier: Double(a) / 64)
            #expect(byFloat.timescale >= 65536)
            let exact = Int128(time.value) * Int128(a) * Int128(byFloat.timescale)
            let scale = 64 * Int128(time.timescale)
            #expect((Int128(byFloat.value) * scale - exact).magnitude * 2 <= scale.magnitude, "\(time) × \(a)/64")
        }
    }
}
