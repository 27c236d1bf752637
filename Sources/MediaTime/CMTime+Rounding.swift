/// What becomes of the fraction of a tick when a time is re-expressed.
public enum CMTimeRoundingMethod: UInt32, Sendable, CaseIterable {
    /// To the nearest tick; halves go away from zero.
    case roundHalfAwayFromZero = 1
    /// The fraction is dropped.
    case roundTowardZero = 2
    /// Any fraction adds a tick to the magnitude.
    case roundAwayFromZero = 3
    /// Toward zero to a smaller timescale, away from zero to a larger one; a
    /// negative time never becomes zero but minus one tick.
    case quickTime = 4
    /// Up, to the later tick.
    case roundTowardPositiveInfinity = 5
    /// Down, to the earlier tick.
    case roundTowardNegativeInfinity = 6

    /// The method of all arithmetic: ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

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
