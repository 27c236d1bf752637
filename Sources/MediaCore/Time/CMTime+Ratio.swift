/// Which of its two neighbours stands for a time that no ``CMTime`` can hold.
package enum TimeNeighbor: Sendable {
    /// The last one before it.
    case earlier
    /// The first one after it.
    case later

    fileprivate var opposite: TimeNeighbor { self == .earlier ? .later : .earlier }
}

extension CMTime {
    /// A ratio of seconds, exactly wherever a time can hold it, else the
    /// nearest time on one side of it.
    ///
    /// No other time lies between the ratio and its neighbour. Comparing the
    /// neighbour with any time therefore gives what comparing the ratio would:
    /// what is rounded down never passes the border of a frame.
    ///
    /// - Parameters:
    ///   - preferred: A timescale of which the result's is a multiple where
    ///     such a one is exact; else the ratio stands in lowest terms.
    /// - Returns: `nil` if the denominator is zero, or if the ratio is not below
    ///   2⁶³ − 1 seconds.
    init?(
        _ numerator: UInt128, over denominator: UInt128, _ neighbor: TimeNeighbor, preferring preferred: CMTimeScale = 1
    ) {
        guard denominator > 0 else { return nil }
        let divisor = greatestCommonDivisor(numerator, denominator)
        let (numerator, denominator) = (numerator / divisor, denominator / divisor)
        let factor = UInt128(max(1, preferred)) / greatestCommonDivisor(denominator, UInt128(max(1, preferred)))
        for factor in [factor, 1] {
            let (value, isTooLarge) = numerator.multipliedReportingOverflow(by: factor)
            let (timescale, isTooFine) = denominator.multipliedReportingOverflow(by: factor)
            if !isTooLarge, !isTooFine, let value = CMTimeValue(exactly: value),
                let timescale = CMTimeScale(exactly: timescale)
            {
                self.init(value: value, timescale: timescale)
                return
            }
        }
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        guard let whole = CMTimeValue(exactly: whole), whole < .max else { return nil }
        // Any fraction over so much, and the whole seconds, fit the value.
        let limit = UInt128(min(CMTimeValue(kCMTimeMaxTimescale), .max / (whole + 1)))
        let (below, above) = neighbors(of: rest, over: denominator, limit: limit)
        let fraction = neighbor == .earlier ? below : above
        self.init(
            value: whole * CMTimeValue(fraction.denominator) + CMTimeValue(fraction.numerator),
            timescale: CMTimeScale(fraction.denominator), flags: [.valid, .hasBeenRounded], epoch: 0)
    }

    /// What another time must be added to, to give this one: exactly, or the
    /// nearest time on one side where none holds it.
    ///
    /// Subtraction rounds to the nearest instead, which may pass a frame's border.
    ///
    /// - Returns: Invalid unless both are numeric and the difference fits.
    package func distance(from other: CMTime, _ neighbor: TimeNeighbor) -> CMTime {
        guard kind == .numeric, other.kind == .numeric else { return .invalid }
        let ticks = Int128(value) * Int128(other.timescale) - Int128(other.value) * Int128(timescale)
        let isNegative = ticks < 0
        let result = CMTime(
            ticks.magnitude, over: UInt128(timescale) * UInt128(other.timescale),
            isNegative ? neighbor.opposite : neighbor, preferring: timescale)
        guard var result else { return .invalid }
        if isNegative { result.value = -result.value }
        result.flags.formUnion(numericFlags.union(other.numericFlags))
        return result
    }
}

extension CMTimeRange {
    /// The middles of so many equal shares of the range, each exact, or the
    /// last time before it that there is.
    ///
    /// - Parameter count: As many as there shall be; none if that is not above 0.
    /// - Returns: Nothing if the range is not numeric, starts before zero or ends
    ///   too late.
    package func middles(ofShares count: Int32) -> [CMTime] {
        guard start.kind == .numeric, duration.kind == .numeric, start.value >= 0, duration.value >= 0, count > 0
        else { return [] }
        let shares = 2 * UInt128(count)
        let scale = UInt128(start.timescale) * UInt128(duration.timescale) * shares
        let first = UInt128(start.value) * UInt128(duration.timescale) * shares
        let share = UInt128(duration.value) * UInt128(start.timescale)
        return (0..<count).compactMap { index in
            CMTime(
                first + share * (2 * UInt128(index) + 1), over: scale, .earlier, preferring: duration.timescale)
        }
    }
}

private typealias Fraction = (numerator: UInt128, denominator: UInt128)

/// The two fractions nearest to another one that have a denominator up to a
/// limit, one below and one above.
///
/// Walks down the Stern–Brocot tree, as many steps of a kind at once as there
/// are; the remainders are those of Euclid's algorithm, and never grow.
///
/// - Parameters:
///   - numerator: Above zero and below `denominator`, which has no common
///     divisor with it and is above the limit.
private func neighbors(
    of numerator: UInt128, over denominator: UInt128, limit: UInt128
) -> (below: Fraction, above: Fraction) {
    var (below, above): (Fraction, Fraction) = ((0, 1), (1, 1))
    // How far the fraction is from either, times its denominator and theirs.
    var (fromBelow, toAbove) = (numerator, denominator - numerator)
    while below.denominator + above.denominator <= limit, fromBelow > 0, toAbove > 0 {
        if fromBelow >= toAbove {
            let steps = min(fromBelow / toAbove, (limit - below.denominator) / above.denominator)
            below.numerator += steps * above.numerator
            below.denominator += steps * above.denominator
            fromBelow -= steps * toAbove
        } else {
            let steps = min(toAbove / fromBelow, (limit - above.denominator) / below.denominator)
            above.numerator += steps * below.numerator
            above.denominator += steps * below.denominator
            toAbove -= steps * fromBelow
        }
    }
    return (below, above)
}
