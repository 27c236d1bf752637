extension TimeExpression {
    /// Finds the time on the timeline of an asset.
    ///
    /// Seconds are returned as they are, even beyond the duration. `end` is the
    /// duration itself. A fraction is the exact share of the duration, rounded
    /// once, halves away from zero; it never exceeds the duration.
    ///
    /// - Parameters:
    ///   - duration: The asset's duration; asked for by fractions and `end`.
    ///   - timescale: The timescale of a fraction's result, that of the track.
    ///   - frameTime: Gives the presentation time of a frame by its index from 0.
    /// - Throws: A ``TimeExpressionError`` if the asset has no numeric duration
    ///   where one is needed, if the time would lie before the start, or if the
    ///   expression was not parsed and makes no sense; else what `frameTime`
    ///   throws.
    public func resolve(
        duration: CMTime, timescale: CMTimeScale, frameTime: (Int) throws -> CMTime
    ) throws -> CMTime {
        switch self {
        case .seconds(let time), .start(plus: let time):
            return try checkedLength(time)
        case .frame(let index):
            guard index >= 0 else { throw failure("\(index)", "must not be negative") }
            return try frameTime(index)
        case .fraction(let numerator, let denominator):
            return try share(numerator, over: denominator, of: duration, timescale: timescale)
        case .end(let offset):
            return try time(offset, beforeEndOf: duration)
        }
    }

    private func share(
        _ numerator: Int64, over denominator: Int64, of duration: CMTime, timescale: CMTimeScale
    ) throws(TimeExpressionError) -> CMTime {
        let duration = try checkedDuration(duration)
        guard numerator >= 0, denominator > 0 else { throw failure(description, "is not a fraction") }
        guard numerator <= denominator else { throw failure(description, "is more than the whole duration") }
        guard timescale > 0 else { throw failure(description, "needs a track with a timescale") }
        if numerator == denominator { return duration }
        let exact = ExactSeconds(
            isNegative: false, multiplicand: UInt128(duration.value), multiplier: UInt128(numerator),
            divisor: UInt128(duration.timescale) * UInt128(denominator))
        guard let ticks = exact.ticks(at: timescale, rounding: .default) else {
            throw failure(description, "does not fit the timescale \(timescale)")
        }
        let flags = ticks.isExact ? duration.numericFlags : duration.numericFlags.union(.hasBeenRounded)
        return min(CMTime(value: ticks.value, timescale: timescale, flags: flags, epoch: 0), duration)
    }

    private func time(_ offset: CMTime, beforeEndOf duration: CMTime) throws(TimeExpressionError) -> CMTime {
        let duration = try checkedDuration(duration)
        let offset = try checkedLength(offset)
        if offset == .zero { return duration }
        guard offset <= duration else {
            throw failure(
                offset.expressionText,
                "lies before the start: the duration is \(duration.secondsToThreeDecimals) s")
        }
        return duration - offset
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
