import MediaTime
import Testing

/// The frame times of a made-up track at 30000/1001 frames per second.
private func frameTime(_ index: Int) -> CMTime { t(Int64(index) * 1001, 30000) }

private struct NoSuchFrame: Error {}

struct ResolveCase: CustomTestStringConvertible, Sendable {
    var text: String
    var duration: CMTime
    var timescale: Int32
    var fields: Fields

    init(_ text: String, of duration: CMTime, at timescale: Int32 = 600, is fields: Fields) {
        (self.text, self.duration, self.timescale, self.fields) = (text, duration, timescale, fields)
    }

    var testDescription: String { "\(text) of \(duration) at \(timescale)" }
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
        ResolveCase("1/3", of: t(10), is: .numeric(2000, 600)),
        ResolveCase("1/3", of: t(10), at: 1000, is: .numeric(3333, 1000, rounded: true)),
        ResolveCase("2/3", of: t(10), at: 1000, is: .numeric(6667, 1000, rounded: true)),
        ResolveCase("1/2", of: t(3), at: 1, is: .numeric(2, 1, rounded: true)),
        ResolveCase("0/3", of: t(10), is: .numeric(0, 600)),
        ResolveCase("100%", of: t(5, 3), at: 1, is: .numeric(5, 3)),
        ResolveCase("99.99%", of: t(5, 3), at: 1, is: .numeric(5, 3)),
        ResolveCase("12.5%", of: t(8), at: 90000, is: .numeric(90000, 90000)),
        ResolveCase(
            "9223372036854775806/9223372036854775807", of: t(.max, .max), at: .max,
            is: .numeric(.max - 1, .max)),
    ])
    func `each form has its place`(_ c: ResolveCase) throws {
        let time = try TimeExpression.parse(c.text).resolve(
            duration: c.duration, timescale: c.timescale, frameTime: frameTime)
        #expect(Fields(time) == c.fields)
    }

    @Test(arguments: [
        (TimeExpression.end(minus: t(20)), t(10), Int32(600), "20s", "lies before the start: the duration is 10.000 s"),
        (.end(minus: .zero), .indefinite, 600, "end", "needs the duration, which is not known"),
        (.end(minus: t(1)), .invalid, 600, "end-1s", "needs the duration, which is not known"),
        (
            .fraction(numerator: 1, denominator: 3), .positiveInfinity, 600, "1/3",
            "needs the duration, which is not known"
        ),
        (.fraction(numerator: 4, denominator: 3), t(10), 600, "4/3", "is more than the whole duration"),
        (.fraction(numerator: 1, denominator: 0), t(10), 600, "1/0", "is not a fraction"),
        (.fraction(numerator: -1, denominator: 3), t(10), 600, "-1/3", "is not a fraction"),
        (.fraction(numerator: .min, denominator: .min), t(10), 600, "\(Int64.min)/\(Int64.min)", "is not a fraction"),
        (.fraction(numerator: 1, denominator: 3), t(10), 0, "1/3", "needs a track with a timescale"),
        (.fraction(numerator: 1, denominator: 2), t(.max, 1), 600, "1/2", "does not fit the timescale 600"),
        (.seconds(.indefinite), t(10), 600, "{INDEFINITE}", "is not a number of seconds"),
        (.seconds(t(-1)), t(10), 600, "-1s", "must not be negative"),
        (.start(plus: t(.min, 1)), t(10), 600, "-9223372036854775808s", "must not be negative"),
        (.frame(-1), t(10), 600, "-1", "must not be negative"),
    ])
    func `what has no place is an error`(
        _ expression: TimeExpression, _ duration: CMTime, _ timescale: Int32, _ part: String, _ reason: String
    ) {
        let error = #expect(throws: TimeExpressionError.self) {
            try expression.resolve(duration: duration, timescale: timescale, frameTime: frameTime)
        }
        #expect(error?.offendingPart == part)
        #expect(error?.reason == reason)
        #expect(error?.grammar == nil)
    }

    @Test func `the error of a frame that is not there comes through`() {
        #expect(throws: NoSuchFrame.self) {
            try TimeExpression.frame(5).resolve(duration: t(1), timescale: 1) { _ in throw NoSuchFrame() }
        }
    }

    @Test func `the message states the duration and shows no grammar`() throws {
        let error = try #require(throws: TimeExpressionError.self) {
            try TimeExpression.parse("end-20s").resolve(duration: t(10), timescale: 600, frameTime: frameTime)
        }
        #expect(
            error.description
                == "invalid time \"end-20s\": \"20s\" lies before the start: the duration is 10.000 s")
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
        ("#10..#20", .between(.frame(10), .frame(20))),
        ("end-5s..end-2s", .between(.end(minus: t(5)), .end(minus: t(2)))),
        ("end-2s..5s", .between(.end(minus: t(2)), .seconds(t(5)))),
    ]

    @Test(arguments: wellFormed)
    func `each form is read`(_ text: String, _ expression: TimeRangeExpression) throws {
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
        MalformedCase("end-2s..end-5s", "end-2s..end-5s", "is empty or goes backwards"),
        MalformedCase("start+5s..3s", "start+5s..3s", "is empty or goes backwards"),
        MalformedCase("end..", "end..", "is empty or goes backwards"),
        MalformedCase("..start", "..start", "is empty or goes backwards"),
    ]

    @Test(arguments: malformed)
    func `malformed ranges are refused with the part that is wrong`(_ c: MalformedCase) {
        let error = #expect(throws: TimeExpressionError.self) { try TimeRangeExpression.parse(c.text) }
        #expect(error?.offendingPart == c.part)
        #expect(error?.reason == c.reason)
        #expect(error?.description.hasPrefix("invalid range ") == true)
        #expect(error?.description.hasSuffix(TimeRangeExpression.grammar) == true)
    }

    @Test(arguments: [
        ("1s+3s", Fields.numeric(1, 1), Fields.numeric(3, 1)), ("..4s", .numeric(0, 1), .numeric(4, 1)),
        ("4s..", .numeric(4, 1), .numeric(6, 1)), ("end-5s..end-2s", .numeric(5, 1), .numeric(3, 1)),
        ("10%..1/2", .numeric(600, 600), .numeric(2400, 600)), ("8s+5s", .numeric(8, 1), .numeric(5, 1)),
        ("#30..#60", .numeric(30030, 30000), .numeric(30030, 30000)),
    ])
    func `ranges find their place in an asset of ten seconds`(_ text: String, _ start: Fields, _ duration: Fields)
        throws
    {
        let range = try TimeRangeExpression.parse(text).resolve(duration: t(10), timescale: 600, frameTime: frameTime)
        #expect(Fields(range.start) == start)
        #expect(Fields(range.duration) == duration)
    }

    @Test(arguments: ["10s..", "12s..", "end-2s..5s", "90%..2s", "#300..9s", "5s..50%"])
    func `ranges that turn out empty or backwards are errors`(_ text: String) throws {
        let expression = try TimeRangeExpression.parse(text)
        let error = #expect(throws: TimeExpressionError.self) {
            try expression.resolve(duration: t(10), timescale: 600, frameTime: frameTime)
        }
        #expect(error?.reason == "is empty or goes backwards: the duration is 10.000 s")
        #expect(error?.offendingPart == expression.description)
    }

    @Test func `a length that is not numeric is an error`() {
        for length in [CMTime.invalid, .indefinite, .positiveInfinity, .zero, t(-1), t(1, 0)] {
            #expect(throws: TimeExpressionError.self, "\(Fields(length))") {
                try TimeRangeExpression.starting(at: .seconds(t(1)), lasting: length)
                    .resolve(duration: .indefinite, timescale: 600, frameTime: frameTime)
            }
        }
    }
}
