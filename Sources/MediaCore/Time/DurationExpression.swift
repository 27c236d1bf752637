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
