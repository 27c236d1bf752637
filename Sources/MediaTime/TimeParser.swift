/// Reads the parts of a time expression, and knows the text they come from.
///
/// Every number is read as an exact fraction; no `Double` takes part.
struct TimeParser {
    /// The whole text, for messages.
    let text: String
    let noun: String
    let grammar: String
    var position: Int?

    init(text: String, noun: String, grammar: String, position: Int? = nil) {
        self.text = text
        self.noun = noun
        self.grammar = grammar
        self.position = position
    }

    static let tooManyDigits = "has too many digits: a time is a 64-bit number over a 31-bit timescale"

    /// The whole text without the spaces around it.
    var content: Substring { Self.trimmed(text[...]) }

    static func trimmed(_ part: Substring) -> Substring {
        var part = part.drop { $0 == " " || $0 == "\t" }
        while part.last == " " || part.last == "\t" { part.removeLast() }
        return part
    }

    func failure(_ part: some StringProtocol, _ reason: String) -> TimeExpressionError {
        TimeExpressionError(
            text: text, offendingPart: String(part), reason: reason, position: position, grammar: grammar, noun: noun)
    }

    // MARK: Plain times

    /// Seconds in one of their forms: decimal, clock or ratio.
    func plainTime(_ part: Substring) throws(TimeExpressionError) -> CMTime {
        if part.isEmpty { throw failure(part, "must not be empty") }
        if part.hasPrefix("-") { throw failure(part, "must not be negative") }
        if part.contains("/") { return try ratio(part) }
        if part.contains(":") { return try clock(part) }
        guard part.first?.isASCIIDigit == true else {
            throw failure(part, part.hasPrefix(".") ? "must begin with a digit" : "is not a plain time")
        }
        let (number, unit) = try decimal(part)
        switch unit {
        case "", "s": return try time(number, in: part)
        case "ms": return try time(number, ticksPerSecond: 1000, in: part)
        default: throw failure(unit, "is not a unit of time (s or ms)")
        }
    }

    /// Hours, minutes and seconds, or minutes and seconds, between colons.
    private func clock(_ part: Substring) throws(TimeExpressionError) -> CMTime {
        let fields = part.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count <= 3 else { throw failure(part, "has more than hours, minutes and seconds") }
        if fields.contains(where: \.isEmpty) { throw failure(part, "needs digits on both sides of a colon") }
        var total = try wholeNumber(fields[0])
        var seconds = Decimal(whole: 0)
        for (index, field) in fields.enumerated().dropFirst() {
            let isLast = index == fields.count - 1
            let (number, rest) = isLast ? try decimal(field) : (Decimal(whole: try wholeNumber(field)), "")
            guard rest.isEmpty else { throw failure(rest, "must not follow a clock time") }
            let digits = field.prefix { $0.isASCIIDigit }
            guard digits.count <= 2 else { throw failure(digits, "must have one or two digits") }
            guard number.whole < 60 else { throw failure(digits, "must be less than 60") }
            let (product, overflow) = total.multipliedReportingOverflow(by: 60)
            guard !overflow, product <= UInt128.max - 60 else { throw failure(part, Self.tooManyDigits) }
            total = product + number.whole
            seconds = number
        }
        seconds.whole = total
        return try time(seconds, in: part)
    }

    /// A whole number of seconds over another, followed by `s`.
    private func ratio(_ part: Substring) throws(TimeExpressionError) -> CMTime {
        let (numerator, denominator, unit) = try quotient(part)
        guard unit == "s" else {
            throw failure(part, "is a fraction of the asset; a plain time is needed here, such as 1/3s")
        }
        guard let time = CMTime(exactly: numerator, over: denominator) else { throw failure(part, Self.tooManyDigits) }
        return time
    }

    /// Two whole numbers with a slash between them, and the unit `s` or none.
    func quotient(
        _ part: Substring
    ) throws(TimeExpressionError) -> (numerator: UInt128, denominator: UInt128, unit: Substring) {
        let fields = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = fields[1].prefix { $0.isASCIIDigit }
        let unit = fields[1][digits.endIndex...]
        let numerator = try wholeNumber(fields[0])
        let denominator = try wholeNumber(digits.isEmpty ? fields[1] : digits)
        guard unit.isEmpty || unit == "s" else { throw failure(unit, "must not follow a fraction (only s may)") }
        guard denominator > 0 else { throw failure(digits, "must not be zero") }
        return (numerator, denominator, unit)
    }

    /// The time that a decimal number of ticks stands for.
    private func time(
        _ number: Decimal, ticksPerSecond: UInt128 = 1, in part: Substring
    ) throws(TimeExpressionError) -> CMTime {
        for number in [number, number.reduced] {
            let (scaled, overflow) = number.whole.multipliedReportingOverflow(by: number.denominator)
            let (sum, carry) = scaled.addingReportingOverflow(number.numerator)
            if !overflow, !carry, let time = CMTime(exactly: sum, over: number.denominator * ticksPerSecond) {
                return time
            }
        }
        throw failure(part, Self.tooManyDigits)
    }

    // MARK: Numbers

    /// A decimal number: `whole + numerator / denominator`, the latter less than 1.
    struct Decimal {
        var whole: UInt128
        var numerator: UInt128 = 0
        /// A power of ten, at most 10³⁰, unless reduced.
        var denominator: UInt128 = 1

        /// The same number with its fraction in lowest terms.
        var reduced: Decimal {
            let divisor = greatestCommonDivisor(numerator, denominator)
            return Decimal(whole: whole, numerator: numerator / divisor, denominator: denominator / divisor)
        }
    }

    /// Digits, then perhaps a point and digits; and what follows them.
    ///
    /// Zeros at the end of the fraction are dropped. More than 30 digits after
    /// that are refused: their fraction in lowest terms is over a number above
    /// 2³⁰ × 2, which no timescale is.
    func decimal(_ part: Substring) throws(TimeExpressionError) -> (number: Decimal, rest: Substring) {
        let digits = part.prefix { $0.isASCIIDigit }
        guard !digits.isEmpty else { throw failure(part, "must begin with a digit") }
        var number = Decimal(whole: try wholeNumber(digits))
        var rest = part[digits.endIndex...]
        guard rest.first == "." else { return (number, rest) }
        var fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
        rest = rest[fraction.endIndex...]
        guard !fraction.isEmpty else { throw failure(part, "needs a digit after the point") }
        while fraction.last == "0" { fraction.removeLast() }
        guard fraction.utf8.count <= 30 else { throw failure(part, Self.tooManyDigits) }
        for digit in fraction.utf8 {
            number.numerator = number.numerator * 10 + UInt128(digit - UInt8(ascii: "0"))
            number.denominator *= 10
        }
        return (number, rest)
    }

    /// A number of digits only.
    func wholeNumber(_ part: Substring) throws(TimeExpressionError) -> UInt128 {
        guard !part.isEmpty, part.allSatisfy(\.isASCIIDigit) else { throw failure(part, "is not a whole number") }
        guard let number = UInt128(part) else { throw failure(part, Self.tooManyDigits) }
        return number
    }
}

extension Character {
    /// Whether this is one of 0 to 9; digits of other scripts are not numbers here.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}

extension CMTime {
    /// A ratio as it is written if it fits, else in lowest terms, else nil.
    fileprivate init?(exactly numerator: UInt128, over denominator: UInt128) {
        let divisor = greatestCommonDivisor(numerator, denominator)
        for divisor in [1, divisor] {
            if let value = CMTimeValue(exactly: numerator / divisor),
                let timescale = CMTimeScale(exactly: denominator / divisor)
            {
                self.init(value: value, timescale: timescale)
                return
            }
        }
        return nil
    }
}
