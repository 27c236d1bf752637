import MediaCore
import Testing

/// The frame times of a made-up track at 30000/1001 frames per second.
private func frameTime(_ index: Int) -> CMTime { t(Int64(index) * 1001, 30000) }

private struct NoSuchFrame: Error {}

struct ResolveCase: CustomTestStringConvertible, Sendable {
    var text: String
    var duration: CMTime
    var fields: Fields

    init(_ text: String, of duration: CMTime, is fields: Fields) {
        (self.text, self.duration, self.fields) = (text, duration, fields)
    }

    var testDescription: String { "\(text) of \(duration)" }
}

@Suite struct `Resolving a time` {
    @Test(arguments: [
        ResolveCase("1.5", of: t(10), is: .numeric(15, 10)), ResolveCase("99", of: t(10), is: .numeric(99, 1)),
        ResolveCase("99", of: .indefinite, is: .numeric(99, 1)), ResolveCase("start", of: .invalid, is: .numeric(0, 1)),
        ResolveCase("start+2s", of: t(10), is: .numeric(2, 1)),
        ResolveCase("#120", of: .invalid, is: .numeric(120_120, 30000)),
        ResolveCase("end", of: t(300_300, 30000), is: .numeric(300_300, 30000)),
        ResolveCase("end-0", of: t(300_300, 30000), is: .numeric(300_300, 30000)),
        ResolveCase("end-2s", of: t(300_300, 30000), is: .numeric(240_300, 30000)),
        ResolveCase("end-10s", of: t(10), is: .numeric(0, 1)),
        ResolveCase("1/3", of: t(10), is: .numeric(10, 3)),
        ResolveCase("1/3", of: t(128_000, 12800), is: .numeric(128_000, 38400)),
        ResolveCase("2/3", of: t(128_000, 12800), is: .numeric(256_000, 38400)),
        ResolveCase("1/2", of: t(3), is: .numeric(3, 2)), ResolveCase("0/3", of: t(10), is: .numeric(0, 1)),
        ResolveCase("100%", of: t(5, 3), is: .numeric(5, 3)),
        ResolveCase("99.99%", of: t(5, 3), is: .numeric(9999, 6000)),
        ResolveCase("12.5%", of: t(8, 90000), is: .numeric(1, 90000)),
        // The timescale of the duration times 7 is more than 31 bits: below is the neighbour by exact arithmetic.
        ResolveCase("1/7", of: t(1, 2_147_483_647), is: .numeric(0, 1, rounded: true)),
        ResolveCase("6/7", of: t(2_147_483_646, 2_147_483_647), is: .numeric(1_840_700_268, 2_147_483_647)),
    ])
    func `Each form of a time has its place in an asset`(_ c: ResolveCase) async throws {
        let time = try await TimeExpression.parse(c.text).resolve(duration: c.duration, frameTime: frameTime)
        #expect(Fields(time) == c.fields)
    }

    // `2/3` of a film of 1.04 s at 25 frames per second was rounded to the track's ticks, up to the next frame's start.
    @Test func `Shares of a duration are exact wherever a time holds them, for every timescale`() async throws {
        var generator = SeededGenerator(seed: 3)
        for timescale in [1, 25, 600, 1000, 12800, 30000, 44100, 90000, 1_000_003, 71_582_788] as [Int32] {
            let duration = t(Int64.random(in: 1...1 << 40, using: &generator), timescale)
            for denominator in 1...30 as ClosedRange<Int64> {
                for numerator in 0...denominator {
                    let share = try await TimeExpression.fraction(numerator: numerator, denominator: denominator)
                        .resolve(duration: duration, frameTime: frameTime)
                    let exact = Ratio(
                        Int128(duration.value) * Int128(numerator), Int128(timescale) * Int128(denominator))
                    #expect(Ratio(share) == exact)
                    #expect(!share.hasBeenRounded)
                }
            }
        }
    }

    @Test func `A share that no time holds is replaced by its nearest time`() async throws {
        var generator = SeededGenerator(seed: 4)
        var rounded = 0
        for _ in 0..<2000 {
            let timescale = Int32.random(in: 1 << 26 ... .max, using: &generator)
            let duration = t(Int64.random(in: 1...Int64(timescale), using: &generator), timescale)
            let denominator = Int64.random(in: 100...1 << 30, using: &generator)
            let numerator = Int64.random(in: 0..<denominator, using: &generator)
            let share = try await TimeExpression.fraction(numerator: numerator, denominator: denominator)
                .resolve(duration: duration, frameTime: frameTime)
            guard share.hasBeenRounded else { continue }
            rounded += 1
            let (n, d) = (Int128(duration.value) * Int128(numerator), Int128(timescale) * Int128(denominator))
            let (p, q) = (Int128(share.value), Int128(share.timescale))
            #expect(p * d < n * q)
            // The next fraction above p/q of those with a denominator up to the limit is a/b with a·q − p·b = 1
            // and the largest such b; it must lie above the share.
            let b = Self.partner(of: p, q, limit: Int128(Int32.max))
            let a = (1 + p * b) / q
            #expect(a * q - p * b == 1)
            #expect(a * d > n * b)
        }
        #expect(rounded > 1000)
    }

    /// The largest b up to a limit with p·b ≡ −1 (mod q).
    private static func partner(of p: Int128, _ q: Int128, limit: Int128) -> Int128 {
        var (r0, r1, s0, s1) = (q, p % q, Int128(0), Int128(1))
        while r1 != 0 { (r0, r1, s0, s1) = (r1, r0 % r1, s1, s0 - r0 / r1 * s1) }
        let least = ((-s0) % q + q) % q
        return least + (limit - least) / q * q
    }

    @Test(arguments: [
        (TimeExpression.end(minus: t(20)), t(10), "20s", "lies before the start: the duration is 10 s"),
        (.end(minus: .zero), .indefinite, "end", "needs the duration, which is not known"),
        (.end(minus: t(1)), .invalid, "end-1s", "needs the duration, which is not known"),
        (.fraction(numerator: 1, denominator: 3), .positiveInfinity, "1/3", "needs the duration, which is not known"),
        (.fraction(numerator: 4, denominator: 3), t(10), "4/3", "is more than the whole duration"),
        (.fraction(numerator: 1, denominator: 0), t(10), "1/0", "is not a fraction"),
        (.fraction(numerator: -1, denominator: 3), t(10), "-1/3", "is not a fraction"),
        (.fraction(numerator: .min, denominator: .min), t(10), "\(Int64.min)/\(Int64.min)", "is not a fraction"),
        (.seconds(.indefinite), t(10), "{INDEFINITE}", "is not a number of seconds"),
        (.seconds(t(-1)), t(10), "-1s", "must not be negative"),
        (.start(plus: t(.min, 1)), t(10), "-9223372036854775808s", "must not be negative"),
        (.timecode(.zero), t(10), "00:00:00:00", "needs a film with a timecode or a frame rate"),
    ])
    func `A time without a place in an asset is an error`(
        _ expression: TimeExpression, _ duration: CMTime, _ part: String, _ reason: String
    ) async {
        let error = await #expect(throws: TimeExpressionError.self) {
            try await expression.resolve(duration: duration, frameTime: frameTime)
        }
        #expect(error?.offendingPart == part)
        #expect(error?.reason == reason)
        #expect(error?.grammar == nil)
    }

    @Test func `Frames from the end are requested by negative numbers`() async throws {
        let time = try await TimeExpression.parse("#-2").resolve(duration: .invalid) { t(Int64($0), 7) }
        #expect(Fields(time) == .numeric(-2, 7))
    }

    @Test func `The error of a missing frame is passed on`() async {
        await #expect(throws: NoSuchFrame.self) {
            try await TimeExpression.frame(5).resolve(duration: t(1)) { _ in throw NoSuchFrame() }
        }
    }

    @Test func `The message on a time without a place states the duration and shows no grammar`() async throws {
        let error = try await #require(throws: TimeExpressionError.self) {
            try await TimeExpression.parse("end-20s").resolve(duration: t(10), frameTime: frameTime)
        }
        #expect(
            error.description
                == "invalid time \"end-20s\": \"20s\" lies before the start: the duration is 10 s")
    }
}

@Suite struct `Ranges as text` {
    static let wellFormed: [(String, TimeRangeExpression)] = [
        ("1s+3s", .starting(at: .seconds(t(1)), lasting: t(3))),
        ("start+3s", .starting(at: .start(plus: .zero), lasting: t(3))),
        ("start+1s+3s", .starting(at: .start(plus: t(1)), lasting: t(3))),
        ("end-5s+250ms", .starting(at: .end(minus: t(5)), lasting: t(1, 4))),
        ("#10 + 1:00", .starting(at: .frame(10), lasting: t(60))),
        ("25%+1/2s", .starting(at: .fraction(numerator: 1, denominator: 4), lasting: t(1, 2))),
        ("1s..4s", .between(.seconds(t(1)), .seconds(t(4)))),
        ("1.5..2.5", .between(.seconds(t(3, 2)), .seconds(t(5, 2)))),
        ("1/3 .. 2/3", .between(.fraction(numerator: 1, denominator: 3), .fraction(numerator: 2, denominator: 3))),
        ("1s..", .between(.seconds(t(1)), .end(minus: .zero))),
        ("..4s", .between(.start(plus: .zero), .seconds(t(4)))),
        ("start+1s..end-1s", .between(.start(plus: t(1)), .end(minus: t(1)))),
        ("#10..#20", .between(.frame(10), .frame(20))), ("#10..#-1", .between(.frame(10), .frame(-1))),
        ("#-10..#-1", .between(.frame(-10), .frame(-1))), ("#-10..#3", .between(.frame(-10), .frame(3))),
        ("1h30m..1h31m", .between(.seconds(t(5400)), .seconds(t(5460)))),
        (".5+1e+1", .starting(at: .seconds(t(1, 2)), lasting: t(10))),
        ("end-5s..end-2s", .between(.end(minus: t(5)), .end(minus: t(2)))),
        ("end-2s..5s", .between(.end(minus: t(2)), .seconds(t(5)))),
    ]

    @Test(arguments: wellFormed)
    func `Each form of a range is read`(_ text: String, _ expression: TimeRangeExpression) throws {
        #expect(try TimeRangeExpression.parse(text) == expression)
        #expect(try TimeRangeExpression.parse(expression.description) == expression)
    }

    static let malformed = [
        MalformedCase("", "", "must not be empty"), MalformedCase("5s", "5s", "is not a range: that has .. or + in it"),
        MalformedCase("..", "..", "needs a time before or after the .."),
        MalformedCase("1...5", "1...5", "has more than two points in a row"),
        MalformedCase("...5", "...5", "has more than two points in a row"),
        MalformedCase("1..2..3", "2..3", "is a range; a single time is needed here"),
        MalformedCase("+3s", "+3s", "needs a time before the +"), MalformedCase("1s+", "", "must not be empty"),
        MalformedCase("1s+0", "1s+0", "is empty"), MalformedCase("end+2s", "end+2s", "is empty"),
        MalformedCase("1s+-2s", "-2s", negativeReason), MalformedCase("1s..-2s", "-2s", negativeReason),
        MalformedCase("-1s..2s", "-1s", negativeReason), MalformedCase("1s+25%", "%", unitReason),
        MalformedCase("1s+end", "end", "is not a plain time"), MalformedCase("1s+1s+1s", "s+1s", unitReason),
        MalformedCase("1s+2s..", "s+2s", unitReason), MalformedCase("1x..2", "x", unitReason),
        MalformedCase("1..2y", "y", unitReason),
        MalformedCase("4s..1s", "4s..1s", "is empty or goes backwards"),
        MalformedCase("4s..4000ms", "4s..4000ms", "is empty or goes backwards"),
        MalformedCase("2/3..1/3", "2/3..1/3", "is empty or goes backwards"),
        MalformedCase("#5..#5", "#5..#5", "is empty or goes backwards"),
        MalformedCase("#-5..#-6", "#-5..#-6", "is empty or goes backwards"),
        MalformedCase("end-2s..end-5s", "end-2s..end-5s", "is empty or goes backwards"),
        MalformedCase("start+5s..3s", "start+5s..3s", "is empty or goes backwards"),
        MalformedCase("end..", "end..", "is empty or goes backwards"),
        MalformedCase("..start", "..start", "is empty or goes backwards"),
    ]

    @Test(arguments: malformed)
    func `Malformed ranges are refused with the part that is wrong`(_ c: MalformedCase) {
        let error = #expect(throws: TimeExpressionError.self) { try TimeRangeExpression.parse(c.text) }
        #expect(error?.offendingPart == c.part)
        #expect(error?.reason == c.reason)
        #expect(error?.description.hasPrefix("invalid range ") == true)
        #expect(error?.description.hasSuffix(TimeRangeExpression.grammar) == true)
    }

    @Test(arguments: [
        ("1s+3s", Fields.numeric(1, 1), Fields.numeric(3, 1)), ("..4s", .numeric(0, 1), .numeric(4, 1)),
        ("4s..", .numeric(4, 1), .numeric(6, 1)), ("end-5s..end-2s", .numeric(5, 1), .numeric(3, 1)),
        ("10%..1/2", .numeric(1, 1), .numeric(4, 1)), ("8s+5s", .numeric(8, 1), .numeric(5, 1)),
        ("#30..#60", .numeric(30030, 30000), .numeric(30030, 30000)),
    ])
    func `Ranges find their place in an asset of ten seconds`(_ text: String, _ start: Fields, _ duration: Fields)
        async throws
    {
        let range = try await TimeRangeExpression.parse(text).resolve(duration: t(10), frameTime: frameTime)
        #expect(Fields(range.start) == start)
        #expect(Fields(range.duration) == duration)
    }

    @Test(arguments: ["10s..", "12s..", "end-2s..5s", "90%..2s", "#300..9s", "5s..50%"])
    func `Ranges that turn out empty or backwards are errors`(_ text: String) async throws {
        let expression = try TimeRangeExpression.parse(text)
        let error = await #expect(throws: TimeExpressionError.self) {
            try await expression.resolve(duration: t(10), frameTime: frameTime)
        }
        #expect(error?.reason == "is empty or goes backwards: the duration is 10 s")
        #expect(error?.offendingPart == expression.description)
    }

    @Test func `A range's length that is not numeric is an error`() async {
        for length in [CMTime.invalid, .indefinite, .positiveInfinity, .zero, t(-1), t(1, 0)] {
            await #expect(throws: TimeExpressionError.self, "\(Fields(length))") {
                try await TimeRangeExpression.starting(at: .seconds(t(1)), lasting: length)
                    .resolve(duration: .indefinite, frameTime: frameTime)
            }
        }
    }
}
