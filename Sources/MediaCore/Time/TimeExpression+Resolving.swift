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
