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

    /// The units of time by their order, with seconds in each; the last is a
    /// thousandth instead.
    private static let units: [String: (rank: Int, seconds: UInt128)] = [
        "h": (0, 3600), "m": (1, 60), "s": (2, 1), "": (2, 1), "ms": (3, 1),
    ]

    private static let tooLarge = "is too large: a time has 63 bits of seconds"

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

    /// Seconds in one of their forms: decimal, with units, clock or ratio.
    func plainTime(_ part: Substring) throws(TimeExpressionError) -> CMTime {
        if part.isEmpty { throw failure(part, "must not be empty") }
        if part.hasPrefix("-") { throw failure(part, "must not be negative") }
        if part.contains("/") { return try ratio(part) }
        if part.contains(":") { return try clock(part) }
        guard part.first?.isASCIIDigit == true || part.first == "." else {
            throw failure(part, "is not a plain time")
        }
        return try time(try sum(part), in: part)
    }

    /// Seconds, or numbers of hours, minutes, seconds and milliseconds in that
    /// order, each with its unit: `1h2m3.5s`.
    private func sum(_ part: Substring) throws(TimeExpressionError) -> DecimalNumber {
        var total = DecimalNumber(whole: 0)
        var lastRank: Int?
        var remaining = part
        repeat {
            var (number, rest) = try decimal(remaining)
            let name = rest.prefix { $0.isLetter }
            let following = rest[name.endIndex...]
            guard let unit = Self.units[String(name)],
                following.isEmpty
                    || (!name.isEmpty && (following.first?.isASCIIDigit == true || following.first == "."))
            else { throw failure(rest, "is not a unit of time (h, m, s or ms)") }
            if let lastRank {
                let digits = remaining.dropLast(rest.count)
                if name.isEmpty { throw failure(digits, "needs a unit of time (m, s or ms)") }
                guard unit.rank > lastRank else {
                    throw failure(remaining, "is out of order: hours, minutes, seconds, milliseconds")
                }
                guard number.whole < (unit.rank == 3 ? 1000 : 60) else {
                    throw failure(digits, "must be less than \(unit.rank == 3 ? 1000 : 60)")
                }
            }
            guard following.isEmpty || number.numerator == 0 else {
                throw failure(
                    remaining.dropLast(rest.count), "must be a whole number: only the last one may have a point")
            }
            if unit.rank == 3 { number = try decimal(remaining, thousandths: true).number }
            guard let sum = number.multiplied(by: unit.seconds, adding: total.whole) else {
                throw failure(part, Self.tooLarge)
            }
            (total, lastRank, remaining) = (sum, unit.rank, following)
        } while !remaining.isEmpty
        return total
    }

    /// Hours, minutes and seconds, or minutes and seconds, between colons.
    private func clock(_ part: Substring) throws(TimeExpressionError) -> CMTime {
        let fields = part.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count <= 3 else { throw failure(part, "has more than hours, minutes and seconds") }
        if fields.contains(where: \.isEmpty) { throw failure(part, "needs digits on both sides of a colon") }
        var total = DecimalNumber(whole: try wholeNumber(fields[0]))
        for (index, field) in fields.enumerated().dropFirst() {
            let isLast = index == fields.count - 1
            let digits = field.prefix { $0.isASCIIDigit }
            guard !digits.isEmpty || !isLast else { throw failure(field, "must begin with a digit") }
            let (number, rest) = isLast ? try decimal(field) : (DecimalNumber(whole: try wholeNumber(field)), "")
            let hasExponent = field.contains { $0 == "e" || $0 == "E" }
            guard rest.isEmpty, !hasExponent else {
                throw failure(hasExponent ? field : rest, "must not follow a clock time")
            }
            guard digits.count <= 2 else { throw failure(digits, "must have one or two digits") }
            guard number.whole < 60 else { throw failure(digits, "must be less than 60") }
            let (product, overflow) = total.whole.multipliedReportingOverflow(by: 60)
            guard !overflow, let sum = number.multiplied(by: 1, adding: product) else {
                throw failure(part, Self.tooLarge)
            }
            total = sum
        }
        return try time(total, in: part)
    }

    /// A whole number of seconds over another, followed by `s`.
    private func ratio(_ part: Substring) throws(TimeExpressionError) -> CMTime {
        let (numerator, denominator, unit) = try quotient(part)
        guard unit == "s" else {
            throw failure(part, "is a fraction of the asset; a plain time is needed here, such as 1/3s")
        }
        guard let time = CMTime(asWritten: numerator, over: denominator) else { throw failure(part, Self.tooLarge) }
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

    /// The time that a decimal number of seconds stands for, rounded up where
    /// there is none.
    private func time(_ number: DecimalNumber, in part: Substring) throws(TimeExpressionError) -> CMTime {
        let (scaled, overflow) = number.whole.multipliedReportingOverflow(by: number.denominator)
        let (sum, carry) = scaled.addingReportingOverflow(number.numerator)
        if !overflow, !carry, let time = CMTime(asWritten: sum, over: number.denominator) { return time }
        // So many seconds, and a fraction of so many digits, are more than 128 bits together.
        guard let whole = CMTimeValue(exactly: number.whole),
            let fraction = CMTime(number.numerator, over: number.denominator, .later),
            var time = CMTime(
                UInt128(whole) * UInt128(fraction.timescale) + UInt128(fraction.value),
                over: UInt128(fraction.timescale), .later)
        else { throw failure(part, Self.tooLarge) }
        time.flags.formUnion(fraction.flags)
        return time
    }

    // MARK: Numbers

    /// Digits with a point before or among them, and an exponent as JSON has it;
    /// and what follows them.
    ///
    /// - Parameter thousandths: Whether the number counts thousandths.
    func decimal(
        _ part: Substring, thousandths: Bool = false
    ) throws(TimeExpressionError) -> (number: DecimalNumber, rest: Substring) {
        let whole = part.prefix { $0.isASCIIDigit }
        var rest = part[whole.endIndex...]
        var fraction = rest[..<rest.startIndex]
        if rest.first == "." {
            fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
            guard !fraction.isEmpty else { throw failure(part, "needs a digit after the point") }
            rest = rest[fraction.endIndex...]
        } else if whole.isEmpty {
            throw failure(part, "must begin with a digit")
        }
        var exponent = 0
        if rest.first == "e" || rest.first == "E" {
            let signed = rest.dropFirst()
            let digits = (signed.first == "+" || signed.first == "-" ? signed.dropFirst() : signed)
                .prefix { $0.isASCIIDigit }
            if !digits.isEmpty {
                // What does not fit is far more than any time has, or less.
                exponent = min(Int(digits) ?? .max, 1 << 40) * (signed.first == "-" ? -1 : 1)
                rest = rest[digits.endIndex...]
            }
        }
        let point = whole.utf8.count + exponent - (thousandths ? 3 : 0)
        guard
            let number = DecimalNumber(
                digits: Array(whole.utf8) + Array(fraction.utf8), point: point, minimumPlaces: thousandths ? 3 : 0)
        else { throw failure(part, Self.tooLarge) }
        return (number, rest)
    }

    /// A number of digits only.
    func wholeNumber(_ part: Substring) throws(TimeExpressionError) -> UInt128 {
        guard !part.isEmpty, part.allSatisfy(\.isASCIIDigit) else { throw failure(part, "is not a whole number") }
        guard let number = UInt128(part) else { throw failure(part, Self.tooLarge) }
        return number
    }
}

extension Character {
    /// Whether this is one of 0 to 9; digits of other scripts are not numbers here.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}

extension CMTime {
    /// A ratio as it is written if it fits, else the first time that is not before it.
    fileprivate init?(asWritten numerator: UInt128, over denominator: UInt128) {
        if let value = CMTimeValue(exactly: numerator), let timescale = CMTimeScale(exactly: denominator) {
            self.init(value: value, timescale: timescale)
        } else {
            self.init(numerator, over: denominator, .later)
        }
    }
}
