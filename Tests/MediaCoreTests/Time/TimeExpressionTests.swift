import MediaCore
import Testing

struct ParseCase: CustomTestStringConvertible, Sendable {
    var text: String
    var expression: TimeExpression

    init(_ text: String, _ expression: TimeExpression) { (self.text, self.expression) = (text, expression) }

    var testDescription: String { text }
}

struct MalformedCase: CustomTestStringConvertible, Sendable {
    var text: String
    var part: String
    var reason: String

    init(_ text: String, _ part: String, _ reason: String) {
        (self.text, self.part, self.reason) = (text, part, reason)
    }

    var testDescription: String { text.count < 60 ? text : "\(text.prefix(50))… (\(text.count))" }
}

let negativeReason = "must not be negative"
let largeReason = "is too large: a time has 63 bits of seconds"
let unknownReason = "is not a time"
let unitReason = "is not a unit of time (h, m, s or ms)"
let timecodeReason = "is not a timecode: that has hours below 24, minutes, seconds and frames"

/// A label whose fields are in range.
private func timecode(_ hours: Int, _ minutes: Int, _ seconds: Int, _ frames: Int, _ isDropFrame: Bool = false)
    -> TimeExpression
{
    Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames, isDropFrame: isDropFrame)
        .map { .timecode($0) } ?? .end(minus: .zero)
}

@Suite struct `Reading a time` {
    static let wellFormed = [
        ParseCase("0", .seconds(.zero)), ParseCase("1.5", .seconds(t(3, 2))), ParseCase("90s", .seconds(t(90))),
        ParseCase("250ms", .seconds(t(1, 4))), ParseCase("00:01:02.5", .seconds(t(125, 2))),
        ParseCase("1:02", .seconds(t(62))), ParseCase("1:2", .seconds(t(62))), ParseCase("90:00", .seconds(t(5400))),
        ParseCase("123:00:59", .seconds(t(442_859))), ParseCase("1.001", .seconds(t(1001, 1000))),
        ParseCase("0.5ms", .seconds(t(1, 2000))), ParseCase("1.50s", .seconds(t(3, 2))),
        ParseCase("1001/30000s", .seconds(t(1001, 30000))), ParseCase("0/7s", .seconds(.zero)),
        ParseCase("1/3", .fraction(numerator: 1, denominator: 3)),
        ParseCase("2/6", .fraction(numerator: 1, denominator: 3)),
        ParseCase("0/5", .fraction(numerator: 0, denominator: 1)),
        ParseCase("3/3", .fraction(numerator: 1, denominator: 1)),
        ParseCase("25%", .fraction(numerator: 1, denominator: 4)),
        ParseCase("12.5%", .fraction(numerator: 1, denominator: 8)),
        ParseCase("100.0%", .fraction(numerator: 1, denominator: 1)),
        ParseCase("#120", .frame(120)), ParseCase("#0", .frame(0)),
        ParseCase("start", .start(plus: .zero)), ParseCase("start+250ms", .start(plus: t(1, 4))),
        ParseCase("end", .end(minus: .zero)), ParseCase("end-2s", .end(minus: t(2))),
        ParseCase("end-1:02.5", .end(minus: t(125, 2))), ParseCase(" \t90s ", .seconds(t(90))),
        ParseCase("9223372036854775807", .seconds(t(.max, 1))),
        ParseCase("4611686018427387903.5", .seconds(t(.max, 2))),
        ParseCase("0.0000000005", .seconds(t(1, 2_000_000_000))),
        ParseCase("1.000000000000000000000000000000000000000000000", .seconds(t(1))),
        ParseCase("00000000000000000000000000000000000000000000000001", .seconds(t(1))),
        ParseCase("0.000000000931322574615478515625", .seconds(t(1, 1 << 30))),
        ParseCase("4294967294/4294967294s", .seconds(t(1))),
        ParseCase(".5", .seconds(t(1, 2))), ParseCase(".5s", .seconds(t(1, 2))),
        ParseCase("2m", .seconds(t(120))), ParseCase("1h30m", .seconds(t(5400))), ParseCase("2h", .seconds(t(7200))),
        ParseCase("1h2m3.5s", .seconds(t(7447, 2))), ParseCase("90m", .seconds(t(5400))),
        ParseCase("1.5h", .seconds(t(5400))), ParseCase("1m.5s", .seconds(t(121, 2))),
        ParseCase("1s500ms", .seconds(t(3, 2))), ParseCase("0h0m0s", .seconds(.zero)),
        ParseCase("1e3", .seconds(t(1000))), ParseCase("1E3s", .seconds(t(1000))),
        ParseCase("1e-05", .seconds(t(1, 100_000))),
        ParseCase("1.25e+1", .seconds(t(25, 2))), ParseCase("12.5e-1s", .seconds(t(5, 4))),
        ParseCase("0e99999999999999999999", .seconds(.zero)),
        ParseCase("1e1%", .fraction(numerator: 1, denominator: 10)),
        ParseCase("#-1", .frame(-1)), ParseCase("#-120", .frame(-120)), ParseCase("end-1m", .end(minus: t(60))),
        ParseCase("0.1234567890", .seconds(t(123_456_789, 1_000_000_000))),
        // By a search of the Stern–Brocot tree in Python's fractions.
        ParseCase("0.1234567891", .seconds(t(242_743_747, 1_966_224_367))),
        // What Python and jq print for 2/3, which both lie below it; the first time that is not before them is 2/3.
        ParseCase("0.6666666666666666", .seconds(t(2, 3))), ParseCase("0.66666666666666663", .seconds(t(2, 3))),
        ParseCase("4611686018427387904.5", .seconds(t(4_611_686_018_427_387_905))),
        ParseCase("1/2147483648s", .seconds(t(1, .max))), ParseCase("1e-999999999999999999999", .seconds(t(1, .max))),
        ParseCase("0.00000000046566128730773925781", .seconds(t(1, .max))),
        ParseCase("0.5000000000000000000000000000000000000000001", .seconds(t(1_073_741_824, .max))),
        ParseCase("1/9223372036854775808", .fraction(numerator: 0, denominator: 1)),
        ParseCase(
            "33.33333333333333333333333333333333333333%",
            .fraction(numerator: 333_333_333_333_333_333, denominator: 1_000_000_000_000_000_000)),
        ParseCase("01:00:10:00", timecode(1, 0, 10, 0)), ParseCase("01:00:10;02", timecode(1, 0, 10, 2, true)),
        ParseCase("1:2:3:4", timecode(1, 2, 3, 4)), ParseCase("23:59:59:119", timecode(23, 59, 59, 119)),
    ]

    @Test(arguments: wellFormed)
    func `Each form of a time is read exactly`(_ c: ParseCase) throws {
        #expect(try TimeExpression.parse(c.text) == c.expression)
        #expect(try TimeExpression.parse("<\(c.text)>".dropFirst().dropLast()) == c.expression)
    }

    @Test(arguments: wellFormed)
    func `The description of a time expression reads as the same`(_ c: ParseCase) throws {
        #expect(try TimeExpression.parse(c.expression.description) == c.expression)
    }

    @Test func `Digits of a time are kept as they are written where they fit`() throws {
        guard case .seconds(let time) = try TimeExpression.parse("1.001") else { throw Mismatch() }
        #expect(Fields(time) == .numeric(1001, 1000))
        guard case .seconds(let ratio) = try TimeExpression.parse("2002/60000s") else { throw Mismatch() }
        #expect(Fields(ratio) == .numeric(2002, 60000))
    }

    struct Mismatch: Error {}

    static let malformed = [
        MalformedCase("", "", "must not be empty"), MalformedCase("   ", "", "must not be empty"),
        MalformedCase("abc", "abc", unknownReason), MalformedCase("END", "END", unknownReason),
        MalformedCase("inf", "inf", unknownReason), MalformedCase("nan", "nan", unknownReason),
        MalformedCase("endless", "endless", unknownReason), MalformedCase("start 2s", "start 2s", unknownReason),
        MalformedCase("+5", "+5", unknownReason), MalformedCase("１", "１", unknownReason),
        MalformedCase("−5", "−5", unknownReason),
        MalformedCase("-5", "-5", negativeReason), MalformedCase("-0", "-0", negativeReason),
        MalformedCase("-1/3", "-1/3", negativeReason),
        MalformedCase("-5%", "-5%", negativeReason), MalformedCase("-0:01", "-0:01", negativeReason),
        MalformedCase("end--2s", "-2s", negativeReason), MalformedCase("#-0", "-0", "is no frame: #-1 is the last one"),
        MalformedCase("#--1", "-1", "is not a whole number"),
        MalformedCase("5x", "x", unitReason), MalformedCase("--json", "--json", unknownReason),
        MalformedCase("1h30", "30", "needs a unit of time (m, s or ms)"),
        MalformedCase("1h90m", "90", "must be less than 60"),
        MalformedCase("1m1h", "1h", "is out of order: hours, minutes, seconds, milliseconds"),
        MalformedCase("1s1s", "1s", "is out of order: hours, minutes, seconds, milliseconds"),
        MalformedCase("1s1000ms", "1000", "must be less than 1000"), MalformedCase("1h30x", "x", unitReason),
        MalformedCase("1.5h30m", "1.5", "must be a whole number: only the last one may have a point"),
        MalformedCase("90S", "S", unitReason),
        MalformedCase("1e", "e", unitReason), MalformedCase("1e+", "e+", unitReason),
        MalformedCase("0x10", "x10", unitReason),
        MalformedCase("1.2.3", ".3", unitReason),
        MalformedCase("5 s", " s", unitReason), MalformedCase("1_000", "_000", unitReason),
        MalformedCase("5mss", "mss", unitReason),
        MalformedCase(".", ".", "needs a digit after the point"),
        MalformedCase(".s", ".s", "needs a digit after the point"),
        MalformedCase("5.", "5.", "needs a digit after the point"),
        MalformedCase("5.s", "5.s", "needs a digit after the point"),
        MalformedCase("1:75", "75", "must be less than 60"), MalformedCase("1:60:00", "60", "must be less than 60"),
        MalformedCase("1:59.5:00", "59.5", "is not a whole number"),
        MalformedCase("1:005", "005", "must have one or two digits"),
        MalformedCase(":30", ":30", "needs digits on both sides of a colon"),
        MalformedCase("1::2", "1::2", "needs digits on both sides of a colon"),
        MalformedCase("1:02:", "1:02:", "needs digits on both sides of a colon"),
        MalformedCase("1:2:3:4:5", "1:2:3:4:5", "has more than hours, minutes and seconds"),
        MalformedCase("24:00:00:00", "24:00:00:00", timecodeReason),
        MalformedCase("1:60:00:00", "1:60:00:00", timecodeReason),
        MalformedCase("1;02", "1;02", timecodeReason), MalformedCase("01;00:10:02", "01;00:10:02", timecodeReason),
        MalformedCase("01:00:10:", "01:00:10:", timecodeReason),
        MalformedCase("01:00:10;", "01:00:10;", timecodeReason),
        MalformedCase("1:5e1", "5e1", "must not follow a clock time"),
        MalformedCase("1:.5", ".5", "must begin with a digit"),
        MalformedCase("1:02s", "s", "must not follow a clock time"),
        MalformedCase("1:-2", "-2", "must begin with a digit"),
        MalformedCase("a:10", "a", "is not a whole number"),
        MalformedCase("1/0", "0", "must not be zero"), MalformedCase("1/00s", "00", "must not be zero"),
        MalformedCase("4/3", "4/3", "is more than the whole duration"),
        MalformedCase("1/", "", "is not a whole number"), MalformedCase("/3", "", "is not a whole number"),
        MalformedCase("1.5/3", "1.5", "is not a whole number"),
        MalformedCase("1/3/5", "/5", "must not follow a fraction (only s may)"),
        MalformedCase("1/3ms", "ms", "must not follow a fraction (only s may)"),
        MalformedCase("1/-3", "-3", "is not a whole number"),
        MalformedCase("101%", "101%", "is more than the whole duration"),
        MalformedCase("100.01%", "100.01%", "is more than the whole duration"),
        MalformedCase("1/3%", "/3", "must not stand before %"), MalformedCase("%", "", "must begin with a digit"),
        MalformedCase("#", "", "is not a whole number"), MalformedCase("#1.5", "1.5", "is not a whole number"),
        MalformedCase("#99999999999999999999", "99999999999999999999", "is too large"),
        MalformedCase("end+2s", "end+2s", "lies after the end"),
        MalformedCase("start-2s", "start-2s", "lies before the start"),
        MalformedCase("end-", "", "must not be empty"), MalformedCase("end-20%", "%", unitReason),
        MalformedCase("end-#3", "#3", "is not a plain time"),
        MalformedCase("end-1/3", "1/3", "is a fraction of the asset; a plain time is needed here, such as 1/3s"),
        MalformedCase("1..2", "1..2", "is a range; a single time is needed here"),
        MalformedCase("1s+3s", "s+3s", unitReason), MalformedCase("1,2", ",2", unitReason),
        MalformedCase("9223372036854775808", "9223372036854775808", largeReason),
        MalformedCase("9223372036854775807.5", "9223372036854775807.5", largeReason),
        MalformedCase("1e19", "1e19", largeReason),
        MalformedCase("1e99999999999999999999", "1e99999999999999999999", largeReason),
        MalformedCase(
            "340282366920938463463374607431768211455:59", "340282366920938463463374607431768211455:59", largeReason),
        MalformedCase(String(repeating: "9", count: 100_000), String(repeating: "9", count: 100_000), largeReason),
        MalformedCase("1\n", "\n", unitReason), MalformedCase("\u{1B}[31m5", "\u{1B}[31m5", unknownReason),
    ]

    @Test(arguments: malformed)
    func `Malformed times are refused with the part that is wrong`(_ c: MalformedCase) {
        let error = #expect(throws: TimeExpressionError.self) { try TimeExpression.parse(c.text) }
        #expect(error?.offendingPart == c.part)
        #expect(error?.reason == c.reason)
        #expect(error?.text == c.text)
        #expect(error?.position == nil)
        #expect(error?.grammar == TimeExpression.grammar)
    }

    @Test(arguments: malformed)
    func `Messages on malformed times are one printable line of bounded length`(_ c: MalformedCase) throws {
        let error = try #require(throws: TimeExpressionError.self) { try TimeExpression.parse(c.text) }
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        #expect(error.description.count < 500)
        #expect(error.description.hasSuffix("; \(TimeExpression.grammar)"))
    }

    @Test func `Text in messages is escaped where it could act on a terminal`() throws {
        let error = try #require(throws: TimeExpressionError.self) {
            try TimeExpression.parse("5\u{1B}]0;x\u{7}\"\\\u{202E}\u{A0}\u{85}é")
        }
        #expect(
            error.description == #"invalid time "5\u{1b}]0;x\u{7}\u{22}\u{5c}\u{202e}\u{a0}\u{85}é": "#
                + #""\u{1b}]0;x\u{7}\u{22}\u{5c}\u{202e}\u{a0}\u{85}é" is not a unit of time (h, m, s or ms); "#
                + TimeExpression.grammar)
    }

    @Test func `Long text in messages is cut`() throws {
        let text = String(repeating: "z", count: 61)
        let error = try #require(throws: TimeExpressionError.self) { try TimeExpression.parse(text) }
        let start = "invalid time \"\(String(repeating: "z", count: 60))…\": it is not a time; "
        #expect(error.description == start + TimeExpression.grammar)
    }
}

@Suite struct `Reading a list of times` {
    @Test func `Times of a list stand between commas`() throws {
        #expect(
            try TimeExpression.parseList("0, 1/3,2/3 ,end") == [
                .seconds(.zero), .fraction(numerator: 1, denominator: 3), .fraction(numerator: 2, denominator: 3),
                .end(minus: .zero),
            ])
        #expect(try TimeExpression.parseList("#5") == [.frame(5)])
    }

    @Test(arguments: [
        ("0,5x,end", "x", 2), ("", "", 1), ("1,,2", "", 2), ("1,2,", "", 3), (",1", "", 1), ("0,1/3,-4", "-4", 3),
        ("x,y", "x", 1), ("1:75,2", "75", 1),
    ])
    func `Errors in a list of times name the part and the position`(_ text: String, _ part: String, _ position: Int) {
        let error = #expect(throws: TimeExpressionError.self) { try TimeExpression.parseList(text) }
        #expect(error?.offendingPart == part)
        #expect(error?.position == position)
        #expect(error?.text == text)
    }

    @Test func `The message on a list of times is one line with list, position, part and grammar`() throws {
        let error = try #require(throws: TimeExpressionError.self) { try TimeExpression.parseList("0,5x") }
        #expect(
            error.description == "invalid time 2 in \"0,5x\": \"x\" is not a unit of time (h, m, s or ms); "
                + "a time is 1.5, 90s, 250ms, 1h2m3.5s, 1:02, 00:01:02.5, 1001/30000s, 1/3, 25%, #120, #-1, start, "
                + "start+2s, end, end-2s, or a timecode: 01:00:10:00, 01:00:10;02"
        )
    }
}

@Suite struct `Reading a duration` {
    @Test(arguments: [
        ("10s", Fields.numeric(10, 1)), ("10", .numeric(10, 1)), ("250ms", .numeric(250, 1000)), ("0", .numeric(0, 1)),
        ("1.001", .numeric(1001, 1000)), ("1:02", .numeric(62, 1)), ("00:01:02.5", .numeric(625, 10)),
        ("1001/30000s", .numeric(1001, 30000)), (" 1s ", .numeric(1, 1)), ("1h1m", .numeric(3660, 1)),
    ])
    func `Durations are read in every form of seconds`(_ text: String, _ fields: Fields) throws {
        #expect(Fields(try DurationExpression.parse(text)) == fields)
    }

    @Test(arguments: [
        MalformedCase("1/3", "1/3", "is a fraction of the asset; a plain time is needed here, such as 1/3s"),
        MalformedCase("25%", "%", unitReason), MalformedCase("#3", "#3", "is not a plain time"),
        MalformedCase("end", "end", "is not a plain time"), MalformedCase("-1s", "-1s", negativeReason),
        MalformedCase("", "", "must not be empty"), MalformedCase("10 000", " 000", unitReason),
        MalformedCase("00:00:10:00", "00:00:10:00", "has more than hours, minutes and seconds"),
    ])
    func `Malformed durations are refused`(_ c: MalformedCase) {
        let error = #expect(throws: TimeExpressionError.self) { try DurationExpression.parse(c.text) }
        #expect(error?.offendingPart == c.part)
        #expect(error?.reason == c.reason)
        #expect(error?.description.hasPrefix("invalid duration ") == true)
        #expect(error?.description.hasSuffix(DurationExpression.grammar) == true)
    }
}
