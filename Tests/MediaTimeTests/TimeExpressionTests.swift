import MediaTime
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
let digitsReason = "has too many digits: a time is a 64-bit number over a 31-bit timescale"
let unknownReason = "is not a time"
let unitReason = "is not a unit of time (s or ms)"

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
    ]

    @Test(arguments: wellFormed)
    func `each form is read exactly`(_ c: ParseCase) throws {
        #expect(try TimeExpression.parse(c.text) == c.expression)
        #expect(try TimeExpression.parse("<\(c.text)>".dropFirst().dropLast()) == c.expression)
    }

    @Test(arguments: wellFormed)
    func `the description of an expression reads as the same`(_ c: ParseCase) throws {
        #expect(try TimeExpression.parse(c.expression.description) == c.expression)
    }

    @Test func `digits are kept as they are written where they fit`() throws {
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
        MalformedCase("end--2s", "-2s", negativeReason), MalformedCase("#-1", "-1", negativeReason),
        MalformedCase("5x", "x", unitReason), MalformedCase("2m", "m", unitReason),
        MalformedCase("90S", "S", unitReason),
        MalformedCase("1e3", "e3", unitReason), MalformedCase("0x10", "x10", unitReason),
        MalformedCase("1.2.3", ".3", unitReason),
        MalformedCase("5 s", " s", unitReason), MalformedCase("1_000", "_000", unitReason),
        MalformedCase("5mss", "mss", unitReason),
        MalformedCase(".5", ".5", "must begin with a digit"),
        MalformedCase("5.", "5.", "needs a digit after the point"),
        MalformedCase("5.s", "5.s", "needs a digit after the point"),
        MalformedCase("1:75", "75", "must be less than 60"), MalformedCase("1:60:00", "60", "must be less than 60"),
        MalformedCase("1:59.5:00", "59.5", "is not a whole number"),
        MalformedCase("1:005", "005", "must have one or two digits"),
        MalformedCase(":30", ":30", "needs digits on both sides of a colon"),
        MalformedCase("1::2", "1::2", "needs digits on both sides of a colon"),
        MalformedCase("1:02:", "1:02:", "needs digits on both sides of a colon"),
        MalformedCase("1:2:3:4", "1:2:3:4", "has more than hours, minutes and seconds"),
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
        MalformedCase("9223372036854775808", "9223372036854775808", digitsReason),
        MalformedCase("4611686018427387904.5", "4611686018427387904.5", digitsReason),
        MalformedCase("0.1234567891", "0.1234567891", digitsReason),
        MalformedCase("1/2147483648s", "1/2147483648s", digitsReason),
        MalformedCase("0.00000000046566128730773925781", "0.00000000046566128730773925781", digitsReason),
        MalformedCase("0.0000000000000000000000000000001", "0.0000000000000000000000000000001", digitsReason),
        MalformedCase(
            "1/9223372036854775808", "1/9223372036854775808", "has too many digits: a fraction is of 64-bit numbers"),
        MalformedCase(
            "340282366920938463463374607431768211455:59", "340282366920938463463374607431768211455:59", digitsReason),
        MalformedCase(String(repeating: "9", count: 100_000), String(repeating: "9", count: 100_000), digitsReason),
        MalformedCase("1\n", "\n", unitReason), MalformedCase("\u{1B}[31m5", "\u{1B}[31m5", unknownReason),
    ]

    @Test(arguments: malformed)
    func `malformed times are refused with the part that is wrong`(_ c: MalformedCase) {
        let error = #expect(throws: TimeExpressionError.self) { try TimeExpression.parse(c.text) }
        #expect(error?.offendingPart == c.part)
        #expect(error?.reason == c.reason)
        #expect(error?.text == c.text)
        #expect(error?.position == nil)
        #expect(error?.grammar == TimeExpression.grammar)
    }

    @Test(arguments: malformed)
    func `messages are one printable line of bounded length`(_ c: MalformedCase) throws {
        let error = try #require(throws: TimeExpressionError.self) { try TimeExpression.parse(c.text) }
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        #expect(error.description.count < 500)
        #expect(error.description.hasSuffix("; \(TimeExpression.grammar)"))
    }

    @Test func `text that could act on a terminal is escaped`() throws {
        let error = try #require(throws: TimeExpressionError.self) {
            try TimeExpression.parse("5\u{1B}]0;x\u{7}\"\\\u{202E}\u{A0}\u{85}é")
        }
        #expect(
            error.description == #"invalid time "5\u{1B}]0;x\u{7}\u{22}\u{5C}\u{202E}\u{A0}\u{85}é": "#
                + #""\u{1B}]0;x\u{7}\u{22}\u{5C}\u{202E}\u{A0}\u{85}é" is not a unit of time (s or ms); "#
                + TimeExpression.grammar)
    }

    @Test func `long text is cut`() throws {
        let text = String(repeating: "z", count: 61)
        let error = try #require(throws: TimeExpressionError.self) { try TimeExpression.parse(text) }
        let start = "invalid time \"\(String(repeating: "z", count: 60))…\": it is not a time; "
        #expect(error.description == start + TimeExpression.grammar)
    }
}

@Suite struct `Reading a list of times` {
    @Test func `times stand between commas`() throws {
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
    func `errors name the part and the position`(_ text: String, _ part: String, _ position: Int) {
        let error = #expect(throws: TimeExpressionError.self) { try TimeExpression.parseList(text) }
        #expect(error?.offendingPart == part)
        #expect(error?.position == position)
        #expect(error?.text == text)
    }

    @Test func `the message is one line with list, position, part and grammar`() throws {
        let error = try #require(throws: TimeExpressionError.self) { try TimeExpression.parseList("0,5x") }
        #expect(
            error.description == "invalid time 2 in \"0,5x\": \"x\" is not a unit of time (s or ms); "
                + "a time is 1.5, 90s, 250ms, 1:02, 00:01:02.5, 1001/30000s, 1/3, 25%, #120, start, start+2s, end or end-2s"
        )
    }
}

@Suite struct `Reading a duration` {
    @Test(arguments: [
        ("10s", Fields.numeric(10, 1)), ("10", .numeric(10, 1)), ("250ms", .numeric(250, 1000)), ("0", .numeric(0, 1)),
        ("1.001", .numeric(1001, 1000)), ("1:02", .numeric(62, 1)), ("00:01:02.5", .numeric(625, 10)),
        ("1001/30000s", .numeric(1001, 30000)), (" 1s ", .numeric(1, 1)),
    ])
    func `seconds in every form`(_ text: String, _ fields: Fields) throws {
        #expect(Fields(try DurationExpression.parse(text)) == fields)
    }

    @Test(arguments: [
        MalformedCase("1/3", "1/3", "is a fraction of the asset; a plain time is needed here, such as 1/3s"),
        MalformedCase("25%", "%", unitReason), MalformedCase("#3", "#3", "is not a plain time"),
        MalformedCase("end", "end", "is not a plain time"), MalformedCase("-1s", "-1s", negativeReason),
        MalformedCase("", "", "must not be empty"), MalformedCase("10 000", " 000", unitReason),
        MalformedCase("0.1234567891s", "0.1234567891s", digitsReason),
    ])
    func `anything else is refused`(_ c: MalformedCase) {
        let error = #expect(throws: TimeExpressionError.self) { try DurationExpression.parse(c.text) }
        #expect(error?.offendingPart == c.part)
        #expect(error?.reason == c.reason)
        #expect(error?.description.hasPrefix("invalid duration ") == true)
        #expect(error?.description.hasSuffix(DurationExpression.grammar) == true)
    }
}
