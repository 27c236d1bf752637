/// A position in an asset as a person writes it, before the asset is known; beyond Core Media.
///
/// | text | case |
/// |---|---|
/// | `0`, `1.5`, `.5`, `90s`, `250ms`, `1e-05`, `1001/30000s` | ``seconds(_:)`` |
/// | `1:02`, `00:01:02.5`, `1h30m`, `90m`, `1h2m3.5s` | ``seconds(_:)`` |
/// | `1/3`, `25%`, `12.5%` | ``fraction(numerator:denominator:)`` |
/// | `#120`, `#-1` | ``frame(_:)`` |
/// | `01:00:10:00`, `01:00:10;02` | ``timecode(_:)`` |
/// | `start`, `start+2s` | ``start(plus:)`` |
/// | `end`, `end-2s` | ``end(minus:)`` |
public enum TimeExpression: Hashable, Sendable {
    /// A time on the asset's timeline.
    case seconds(CMTime)
    /// A part of the asset's duration, from 0 to 1; in lowest terms if parsed.
    case fraction(numerator: Int64, denominator: Int64)
    /// A frame of the video track in presentation order, counted from 0; −1 is
    /// the last one, −2 the one before it.
    case frame(Int)
    /// The frame with an SMPTE timecode, as the film's timecode track counts, or
    /// its frame rate, from label zero at the first frame on.
    case timecode(Timecode)
    /// A length of time after the start of the asset, zero or more.
    case start(plus: CMTime)
    /// A length of time before the end of the asset, zero or more; its very end if that is zero.
    case end(minus: CMTime)

    /// The grammar in one line.
    public static let grammar =
        "a time is 1.5, 90s, 250ms, 1h2m3.5s, 1:02, 00:01:02.5, 1001/30000s, 1/3, 25%, #120, #-1, start, start+2s, end, "
        + "end-2s, or a timecode: 01:00:10:00, 01:00:10;02"

    /// Reads one time, exactly.
    ///
    /// A number of seconds that no `CMTime` holds becomes the first one after
    /// it, which is at or after the same frames' beginnings.
    ///
    /// - Parameter text: One of the forms above, with any number of digits.
    ///   Hours, and the first field of `1:02` and `90m`, may be any number; those
    ///   after it are below 60. Spaces around it are ignored.
    /// - Throws: An error that names the wrong part: no such form, a negative
    ///   time, a fraction above 1, or a number of seconds that needs more than 63
    ///   bits.
    public static func parse(_ text: some StringProtocol) throws(TimeExpressionError) -> TimeExpression {
        let parser = TimeParser(text: String(text), noun: "time", grammar: grammar)
        return try parser.expression(parser.content)
    }

    /// Reads times with commas between them.
    ///
    /// - Parameter text: One or more times, as `0,1/3,2/3,end`.
    /// - Returns: As many times as there are, in their order.
    /// - Throws: An error that names the first wrong part and the position of its
    ///   time, counted from 1.
    public static func parseList(_ text: some StringProtocol) throws(TimeExpressionError) -> [TimeExpression] {
        var parser = TimeParser(text: String(text), noun: "time", grammar: grammar)
        var expressions: [TimeExpression] = []
        for item in parser.text.split(separator: ",", omittingEmptySubsequences: false) {
            parser.position = expressions.count + 1
            expressions.append(try parser.expression(TimeParser.trimmed(item)))
        }
        return expressions
    }
}

extension TimeExpression: CustomStringConvertible {
    /// A text that ``parse(_:)`` reads as this expression.
    public var description: String {
        switch self {
        case .seconds(let time): time.expressionText
        case .fraction(let numerator, let denominator): "\(numerator)/\(denominator)"
        case .frame(let index): "#\(index)"
        case .timecode(let timecode): timecode.description
        case .start(let offset): offset == .zero ? "start" : "start+\(offset.expressionText)"
        case .end(let offset): offset == .zero ? "end" : "end-\(offset.expressionText)"
        }
    }
}

extension TimeParser {
    /// Any single time.
    func expression(_ part: Substring) throws(TimeExpressionError) -> TimeExpression {
        if part.contains("..") { throw failure(part, "is a range; a single time is needed here") }
        if part.hasPrefix("#") { return .frame(try frameIndex(part.dropFirst())) }
        if part.hasPrefix("start") { return .start(plus: try offset(part.dropFirst(5), sign: "+", from: part)) }
        if part.hasPrefix("end") { return .end(minus: try offset(part.dropFirst(3), sign: "-", from: part)) }
        if part.hasPrefix("--") { throw failure(part, "is not a time") }
        if part.hasPrefix("-") { throw failure(part, "must not be negative") }
        if part.hasSuffix("%") { return try percentage(part) }
        if Timecode.isMeant(by: part) { return .timecode(try timecode(part)) }
        if part.contains("/"), part.last?.isASCIIDigit == true {
            let (numerator, denominator, _) = try quotient(part)
            return try fraction(numerator, over: denominator, in: part)
        }
        if let first = part.first, !first.isASCIIDigit, first != ".", !part.contains(":"), !part.contains("/") {
            throw failure(part, "is not a time")
        }
        return .seconds(try plainTime(part))
    }

    private func frameIndex(_ part: Substring) throws(TimeExpressionError) -> Int {
        let isFromEnd = part.hasPrefix("-")
        guard let index = Int(exactly: try wholeNumber(isFromEnd ? part.dropFirst() : part)) else {
            throw failure(part, "is too large")
        }
        if isFromEnd, index == 0 { throw failure(part, "is no frame: #-1 is the last one") }
        return isFromEnd ? -index : index
    }

    private func timecode(_ part: Substring) throws(TimeExpressionError) -> Timecode {
        guard let timecode = Timecode(part) else {
            throw failure(part, "is not a timecode: that has hours below 24, minutes, seconds and frames")
        }
        return timecode
    }

    /// What follows `start` or `end`: nothing, or a sign and a plain time.
    private func offset(
        _ part: Substring, sign: Character, from whole: Substring
    ) throws(TimeExpressionError) -> CMTime {
        guard let first = part.first else { return .zero }
        if first == sign { return try plainTime(part.dropFirst()) }
        if first == "-" { throw failure(whole, "lies before the start") }
        if first == "+" { throw failure(whole, "lies after the end") }
        throw failure(whole, "is not a time")
    }

    private func percentage(_ part: Substring) throws(TimeExpressionError) -> TimeExpression {
        let (number, rest) = try decimal(part.dropLast())
        guard rest.isEmpty else { throw failure(rest, "must not stand before %") }
        guard number.whole < 100 || (number.whole == 100 && number.numerator == 0) else {
            throw failure(part, "is more than the whole duration")
        }
        let reduced = number.reduced
        return try fraction(
            reduced.whole * reduced.denominator + reduced.numerator, over: reduced.denominator * 100, in: part)
    }

    /// A part of the duration, in lowest terms; rounded down to 10⁻¹⁸ of it where
    /// that needs more than 64 bits.
    private func fraction(
        _ numerator: UInt128, over denominator: UInt128, in part: Substring
    ) throws(TimeExpressionError) -> TimeExpression {
        guard numerator <= denominator else { throw failure(part, "is more than the whole duration") }
        let divisor = greatestCommonDivisor(numerator, denominator)
        if let numerator = Int64(exactly: numerator / divisor), let denominator = Int64(exactly: denominator / divisor)
        {
            return .fraction(numerator: numerator, denominator: denominator)
        }
        let precision: UInt128 = 1_000_000_000_000_000_000
        let (quotient, _) = denominator.dividingFullWidth(numerator.multipliedFullWidth(by: precision))
        let common = greatestCommonDivisor(quotient, precision)
        return .fraction(numerator: Int64(quotient / common), denominator: Int64(precision / common))
    }
}
