extension CMTime {
    /// Re-expresses the time in another timescale.
    ///
    /// The epoch is kept. The rounded bit is added if ticks had to be rounded,
    /// and kept if it was there. A time that is not numeric is returned as it is.
    ///
    /// - Parameters:
    ///   - newTimescale: Ticks per second of the result.
    ///   - method: What becomes of a fraction of a tick.
    /// - Note: A timescale of zero or less gives ``invalid``; a value too large
    ///   for the new timescale gives the infinity of its sign, so that a numeric
    ///   result always has the timescale asked for. Neither is documented.
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        switch kind {
        case .invalid: return .invalid
        case .negativeInfinity, .indefinite, .positiveInfinity: return self
        case .numeric: break
        }
        guard newTimescale > 0 else { return .invalid }
        if newTimescale == timescale { return self }
        let rounding = ExactSeconds.Rounding(method, isToLargerScale: newTimescale > timescale)
        guard let ticks = ExactSeconds(self).ticks(at: newTimescale, rounding: rounding) else {
            return value < 0 ? .negativeInfinity : .positiveInfinity
        }
        return CMTime(
            value: ticks.value, timescale: newTimescale,
            flags: ticks.isExact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
    }
}
