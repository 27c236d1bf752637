import Foundation
import MediaCore
import Testing

/// A decimal number as a text has it, compared with times by whole numbers of 128 bits.
private struct DecimalText {
    var digits: Int128 = 0
    var exponent = 0

    /// Reads a number with a point and an exponent, or without.
    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        digits = Int128(mantissa.joined()) ?? -1
        exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (mantissa.count > 1 ? mantissa[1].count : 0)
        while digits != 0, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    }

    /// −1, 0 or 1: whether the number is before, at or after a time.
    func compared(to time: CMTime) -> Int { compared(to: Int128(time.value), over: Int128(time.timescale)) }

    func compared(to numerator: Int128, over denominator: Int128) -> Int {
        let power = (0..<abs(exponent)).reduce(Int128(1)) { power, _ in power * 10 }
        let left = digits * denominator * (exponent > 0 ? power : 1)
        let right = numerator * (exponent < 0 ? power : 1)
        return left > right ? 1 : left == right ? 0 : -1
    }
}

/// What programs print of a number: the shortest digits, and seventeen.
private func texts(of number: Double) -> [String] { ["\(number)", String(format: "%.17g", number)] }

@Suite struct `Seconds as numbers` {
    private static let times: [CMTime] = {
        var generator = SeededGenerator(seed: 7)
        var times = [t(1, .max), t(1, 3), t(83, 25), t(1001, 30000), t(1, 12), t(10), t(1, 90000), t(1_000_000_007)]
        for timescale in [1, 3, 24, 25, 600, 1000, 12288, 30000, 44100, 48000, 90000, 1_000_000, .max] as [Int32] {
            for _ in 0..<100 {
                let bits = Int.random(in: 1...40, using: &generator)
                times.append(t(Int64.random(in: 1...(1 << bits), using: &generator), timescale))
            }
        }
        return times
    }()

    // A frame of 1/12 s was printed as 0.08333333333333333, which is before it: asking for that gave the frame before.
    @Test func `Seconds of a position are the least number whose texts are not before it`() {
        for time in Self.times {
            let seconds = time.secondsRoundedUp
            #expect(texts(of: seconds).allSatisfy { DecimalText($0).compared(to: time) >= 0 }, "\(Fields(time))")
            #expect(texts(of: seconds.nextDown).contains { DecimalText($0).compared(to: time) < 0 }, "\(Fields(time))")
        }
    }

    @Test func `Seconds of a length are the greatest number whose texts are not above it`() {
        for time in Self.times {
            let seconds = time.secondsRoundedDown
            #expect(texts(of: seconds).allSatisfy { DecimalText($0).compared(to: time) <= 0 }, "\(Fields(time))")
            #expect(texts(of: seconds.nextUp).contains { DecimalText($0).compared(to: time) > 0 }, "\(Fields(time))")
        }
    }

    @Test func `Seconds of zero are the same rounded up and down, and negative ones are mirrored`() {
        #expect(t(0, 600).secondsRoundedUp == 0)
        #expect(t(0, 600).secondsRoundedDown == 0)
        #expect(t(-1, 3).secondsRoundedUp == -t(1, 3).secondsRoundedDown)
        #expect(t(-1, 3).secondsRoundedDown == -t(1, 3).secondsRoundedUp)
        // Seventeen digits of 2⁶³ are 9223372036854775800, which is less than 2⁶³ − 1.
        #expect(t(.max, 1).secondsRoundedUp == 0x1p63.nextUp)
        #expect(CMTime.invalid.secondsRoundedUp.isNaN)
        #expect(CMTime.positiveInfinity.secondsRoundedDown == .infinity)
    }

    // What was printed for a time, asked for again, named another frame, or "has too many digits".
    @Test func `Seconds read back are not before their time, and less than a millionth after it`() throws {
        // A `Double` has a millionth of a second for some thirty years.
        for time in Self.times where time < t(1_000_000_000) {
            for text in texts(of: time.secondsRoundedUp) {
                guard case .seconds(let read) = try TimeExpression.parse(text) else { continue }
                #expect(read >= time, "\(text) of \(Fields(time))")
                #expect(read.distance(from: time, .later) < t(1, 1_000_000), "\(text) of \(Fields(time))")
            }
            for text in texts(of: time.secondsRoundedDown) {
                guard case .seconds(let read) = try TimeExpression.parse(text) else { continue }
                #expect(read <= time, "\(text) of \(Fields(time))")
            }
        }
    }
}

@Suite struct `Seconds as texts` {
    @Test(arguments: [
        (t(0), "0"), (t(83, 25), "3.32"), (t(1, 12), "0.083334"), (t(1, 3), "0.333334"), (t(2, 3), "0.666667"),
        (t(1001, 30000), "0.033367"), (t(1, 90000), "0.000012"), (t(10), "10"), (t(-1, 3), "-0.333333"),
        (t(1_234_567, 10_000_000), "0.1234567"), (t(1, 1_000_000_000), "0.000000001"),
        (t(2_999_999_999, 3000), "999999.999667"),
        (t(2_147_483_646, .max), "1"), (t(.max, 1), "9223372036854775807"), (.invalid, "?"), (.indefinite, "?"),
    ])
    func `Positions as text are rounded up`(_ time: CMTime, _ text: String) { #expect(time.secondsText() == text) }

    @Test(arguments: [
        (t(0), "0"), (t(83, 25), "3.32"), (t(1, 12), "0.083333"), (t(2, 3), "0.666666"),
        (t(2_147_483_646, .max), "0.999999"),
        (t(-1, 3), "-0.333334"), (.positiveInfinity, "?"),
    ])
    func `Lengths as text are rounded down`(_ time: CMTime, _ text: String) { #expect(time.durationText() == text) }

    @Test func `Fewer decimals are rounded in the same direction`() {
        #expect(t(2, 3).secondsText(decimals: 3) == "0.667")
        #expect(t(1, 3).secondsText(decimals: 3) == "0.334")
        #expect(t(2, 3).durationText(decimals: 3) == "0.666")
        #expect(t(29999, 10000).durationText(decimals: 3) == "2.999")
    }

    @Test func `Lengths that end before six decimals get more of them`() {
        #expect(t(1, 3).secondsText(lasting: t(1, 100)) == "0.333334")
        #expect(t(1, 3).secondsText(lasting: t(1, 3_000_000)) == "0.333333334")
        #expect(t(1, 3).secondsText(lasting: t(1, 2_000_000_000)) == "0.3333333334")
        #expect(t(1, 3).secondsText(lasting: .invalid) == "0.333334")
    }

    @Test func `The text of a position, read exactly, is at most a millionth after it`() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<1000 {
            let time = t(
                Int64.random(in: 0...1 << 45, using: &generator), Int32.random(in: 1 ... .max, using: &generator))
            #expect(DecimalText(time.secondsText()).compared(to: time) >= 0)
            #expect(DecimalText(time.durationText()).compared(to: time) <= 0)
            let (value, timescale) = (Int128(time.value), Int128(time.timescale))
            let text = DecimalText(time.secondsText())
            #expect(text.compared(to: value * 1_000_000 + timescale, over: timescale * 1_000_000) < 0)
        }
    }
}

@Suite struct `Exact differences` {
    @Test(arguments: [
        (t(10), t(3), TimeNeighbor.later, Fields.numeric(7, 1)), (t(3), t(10), .later, .numeric(-7, 1)),
        (t(5, 25), t(2, 25), .earlier, .numeric(3, 25)), (t(1, 2), t(1, 3), .earlier, .numeric(1, 6)),
        (t(1), .invalid, .later, .invalid), (.indefinite, t(1), .later, .invalid),
        (t(.max, 1), t(.min, 1), .earlier, .invalid),
    ])
    func `Distances of times are exact where a time holds them`(
        _ time: CMTime, _ other: CMTime, _ neighbor: TimeNeighbor, _ fields: Fields
    ) {
        #expect(Fields(time.distance(from: other, neighbor)) == fields)
    }

    @Test func `Distances that no time holds are rounded to the side that is asked for`() {
        let (time, other) = (t(1, 2_147_483_647), t(1, 2_147_483_629))
        // 1/2147483647 − 1/2147483629 = −18 / (2147483647 × 2147483629), nearer to zero than any time.
        #expect(Fields(time.distance(from: other, .later)) == .numeric(0, 1, rounded: true))
        #expect(Fields(time.distance(from: other, .earlier)) == .numeric(-1, .max, rounded: true))
        #expect(Fields(other.distance(from: time, .later)) == .numeric(1, .max, rounded: true))
        #expect(Fields(other.distance(from: time, .earlier)) == .numeric(0, 1, rounded: true))
    }
}

@Suite struct `Even times` {
    @Test func `Even times are the middles of their shares`() {
        #expect(r(t(0), t(10)).middles(ofShares: 5).map(Fields.init) == [1, 3, 5, 7, 9].map { .numeric($0, 1) })
        #expect(r(t(1, 2), t(1)).middles(ofShares: 2).map(Fields.init) == [.numeric(3, 4), .numeric(5, 4)])
        #expect(r(t(0), t(1, 25)).middles(ofShares: 3) == [t(1, 150), t(3, 150), t(5, 150)])
    }

    @Test func `Ranges without a length have no even times`() {
        #expect(CMTimeRange.invalid.middles(ofShares: 3).isEmpty)
        #expect(r(t(0), .indefinite).middles(ofShares: 3).isEmpty)
        #expect(r(t(0), t(1)).middles(ofShares: 0).isEmpty)
        #expect(r(t(0), t(1)).middles(ofShares: -1).isEmpty)
    }

    @Test func `Even times of the longest range do not overflow`() {
        let times = r(t(.max, .max), t(.max, .max)).middles(ofShares: 1000)
        #expect(times.count == 1000)
        #expect(times.allSatisfy { $0.isNumeric && $0 >= t(.max, .max) })
    }
}
