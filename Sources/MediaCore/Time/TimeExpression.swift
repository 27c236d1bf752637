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

/// Says why a text is not a time, or why a time has no place in an asset.
///
/// `text` and `offendingPart` are kept as they were given and may hold anything;
/// `description` is one line that is safe to print.
public struct TimeExpressionError: BridgedError, Hashable, CustomStringConvertible {
    /// The whole text, untrusted: of a list, all of it.
    public let text: String
    /// The smallest piece of the text that is wrong, untrusted.
    public let offendingPart: String
    /// What is wrong with that piece: a predicate, such as `must not be negative`.
    public let reason: String
    /// Which time of a list it is, counted from 1; nil if there is no list.
    public let position: Int?
    /// The grammar in one line; nil if the text was well formed, but could not
    /// be resolved.
    public let grammar: String?

    /// What the text was meant to be: a time, a range or a duration.
    let noun: String

    /// One line that names the text, the piece and what is wrong with it, and
    /// shows the grammar.
    ///
    /// Characters that are not printable are escaped, long texts truncated.
    public var description: String {
        let subject = offendingPart == text ? "it" : offendingPart.quoted()
        let place = position.map { "\(noun) \($0) in \(text.quoted())" } ?? "\(noun) \(text.quoted())"
        let ending = grammar.map { "; \($0)" } ?? ""
        return "invalid \(place): \(subject) \(reason)\(ending)"
    }
}

/// The text form of a plain length of time, as `--every 10s` takes; beyond Core Media.
public enum DurationExpression {
    /// The grammar in one line.
    public static let grammar = "a duration is 10, 1.5, 90s, 250ms, 1h2m3.5s, 1:02, 00:01:02.5 or 1001/30000s"

    /// Reads a length of time, exactly.
    ///
    /// - Parameter text: Seconds in any of the forms that
    ///   ``TimeExpression/parse(_:)`` takes; no fraction of the asset, no frame,
    ///   no timecode, no `start` or `end`. Spaces around it are ignored.
    /// - Returns: A numeric time of zero or more, with as few digits as the text
    ///   has: `1.001` is 1001/1000. What no `CMTime` holds is rounded up.
    /// - Throws: An error if the text is none of these, is negative, or needs
    ///   more than 63 bits of seconds.
    public static func parse(_ text: some StringProtocol) throws(TimeExpressionError) -> CMTime {
        let parser = TimeParser(text: String(text), noun: "duration", grammar: grammar)
        return try parser.plainTime(parser.content)
    }
}

extension CMTime {
    /// The time as ``DurationExpression/parse(_:)`` reads it: a decimal number of
    /// seconds if the timescale is a power of ten, else a ratio.
    var expressionText: String {
        guard kind == .numeric else { return description }
        var digitCount = 0
        var power: Int64 = 1
        while power < Int64(timescale) { (power, digitCount) = (power * 10, digitCount + 1) }
        guard power == Int64(timescale) else { return "\(value)/\(timescale)s" }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: power.magnitude)
        let sign = value < 0 ? "-" : ""
        if digitCount == 0 || fraction == 0 { return "\(sign)\(whole)s" }
        return "\(sign)\(whole).\(fraction.zeroPadded(to: digitCount))s"
    }
}

extension TimeExpression {
    /// Finds the time on the timeline of an asset.
    ///
    /// Seconds are returned as they are, even beyond the duration. `end` is the
    /// duration itself. A fraction is the exact share of the duration; where no
    /// `CMTime` holds that, it is the last one before it, so that no frame is
    /// named that begins later. A timecode is the frame of its number where the
    /// film's pictures are labelled one by one, else the time that its rate gives.
    ///
    /// - Parameters:
    ///   - duration: The asset's duration; asked for by fractions and `end`.
    ///   - timecode: How the film's frames are labelled; `nil` if they are not.
    ///   - frameTime: Gives the presentation time of a frame by its index from 0,
    ///     or from −1 on for the last, the one before it and so on. It may read
    ///     the film for that, and is asked for nothing else.
    /// - Throws: A ``TimeExpressionError`` if the asset has no numeric duration
    ///   where one is needed, if the time would lie before the start, if no frame
    ///   can have the timecode, or if the expression was not parsed and makes no
    ///   sense; else what `frameTime` throws.
    public nonisolated(nonsending) func resolve(
        duration: CMTime, timecode scale: TimecodeScale? = nil, frameTime: (Int) async throws -> CMTime
    ) async throws -> CMTime {
        switch self {
        case .seconds(let time), .start(plus: let time):
            return try checkedLength(time)
        case .frame(let index):
            return try await frameTime(index)
        case .fraction(let numerator, let denominator):
            return try share(numerator, over: denominator, of: duration)
        case .end(let offset):
            return try time(offset, beforeEndOf: duration)
        case .timecode(let timecode):
            let (scale, number) = try frame(timecode, on: scale, duration: duration)
            return scale.numbersPictures ? try await frameTime(number) : scale.time(ofFrame: number)
        }
    }

    private func share(
        _ numerator: Int64, over denominator: Int64, of duration: CMTime
    ) throws(TimeExpressionError) -> CMTime {
        let duration = try checkedDuration(duration)
        guard numerator >= 0, denominator > 0 else { throw failure(description, "is not a fraction") }
        guard numerator <= denominator else { throw failure(description, "is more than the whole duration") }
        if numerator == denominator { return duration }
        let share = CMTime(
            UInt128(duration.value) * UInt128(numerator), over: UInt128(duration.timescale) * UInt128(denominator),
            .earlier, preferring: duration.timescale)
        guard var share else { throw failure(description, "is too large") }
        share.flags.formUnion(duration.numericFlags)
        return share
    }

    private func time(_ offset: CMTime, beforeEndOf duration: CMTime) throws(TimeExpressionError) -> CMTime {
        let duration = try checkedDuration(duration)
        let offset = try checkedLength(offset)
        if offset == .zero { return duration }
        guard offset <= duration else {
            throw failure(
                offset.expressionText, "lies before the start: the duration is \(duration.durationText()) s")
        }
        return duration.distance(from: offset, .earlier)
    }

    private func frame(
        _ timecode: Timecode, on scale: TimecodeScale?, duration: CMTime
    ) throws(TimeExpressionError) -> (scale: TimecodeScale, number: Int) {
        guard let scale else { throw failure(description, "needs a film with a timecode or a frame rate") }
        if let flaw = scale.flaw(of: timecode) { throw failure(description, flaw) }
        guard let number = scale.frame(of: timecode), scale.time(ofFrame: number).kind == .numeric else {
            throw failure(description, "is too large")
        }
        guard duration.kind != .numeric || scale.time(ofFrame: number) < duration else {
            throw failure(
                description,
                "is not in the film: it begins at \(scale.start) and lasts \(duration.durationText()) s")
        }
        return (scale, number)
    }

    private func checkedDuration(_ duration: CMTime) throws(TimeExpressionError) -> CMTime {
        guard duration.kind == .numeric, duration.value >= 0 else {
            throw failure(description, "needs the duration, which is not known")
        }
        var duration = duration
        duration.epoch = 0
        return duration
    }

    private func checkedLength(_ time: CMTime) throws(TimeExpressionError) -> CMTime {
        guard time.kind == .numeric else { throw failure(time.expressionText, "is not a number of seconds") }
        guard time.value >= 0 else { throw failure(time.expressionText, "must not be negative") }
        return time
    }

    private func failure(_ part: String, _ reason: String) -> TimeExpressionError {
        TimeExpressionError(
            text: description, offendingPart: part, reason: reason, position: nil, grammar: nil, noun: "time")
    }
}
