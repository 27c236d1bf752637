internal import MediaCore

/// How a time that falls between two ticks becomes one of them.
package enum TickRounding {
    case down
    case nearest
    case up
}

/// The ticks in which positions on the movie's timeline are reckoned.
///
/// They are fine enough that the movie's own ticks, the video's and those of
/// the requested range are all whole numbers of them, unless the timescales
/// have next to nothing in common. With at most 2^40 ticks per second and
/// times of at most 2^31 seconds no product here exceeds 127 bits.
package struct MovieClock: Sendable {
    let ticksPerSecond: Int128

    /// A finer clock than this is made coarser: products of its times with others stay within 128 bits.
    private static let maximumTicksPerSecond: Int128 = 1 << 40
    /// Times beyond this are no times of films: 68 years.
    static let maximumSeconds: Int128 = 1 << 31

    package init(timescales: [UInt32]) {
        var ticks: Int128 = 1
        for timescale in timescales where timescale > 0 {
            let multiple = ticks / Int128(greatestCommonDivisor(UInt64(ticks), UInt64(timescale))) * Int128(timescale)
            if multiple <= Self.maximumTicksPerSecond { ticks = multiple }
        }
        ticksPerSecond = ticks
    }

    /// A time in other units, as ticks.
    ///
    /// - Throws: If the time is too long to be true.
    func ticks(_ value: Int128, per timescale: UInt32, _ rounding: TickRounding) throws(MovieError) -> Int128 {
        guard timescale > 0, value.magnitude / Int128(timescale).magnitude <= Self.maximumSeconds.magnitude else {
            throw MovieError(.damaged, "a time lies beyond 68 years")
        }
        return (value * ticksPerSecond).divided(by: Int128(timescale), rounding)
    }

    /// Ticks as a time in other units.
    func value(_ ticks: Int128, per timescale: UInt32, _ rounding: TickRounding) -> Int64 {
        Int64(clamping: (ticks * Int128(timescale)).divided(by: ticksPerSecond, rounding))
    }

    /// Whether a time is a whole number of units.
    func isExact(_ ticks: Int128, per timescale: UInt32) -> Bool {
        (ticks * Int128(timescale)) % ticksPerSecond == 0
    }

    /// The smallest number of parts of a unit that some times are all whole numbers of.
    func factor(for times: some Sequence<Int128>, per timescale: UInt32) -> Int128 {
        var factor: Int128 = 1
        for time in times where factor <= Int128(Int32.max) {
            let rest = UInt64((time.magnitude * Int128(timescale).magnitude) % ticksPerSecond.magnitude)
            let needed = UInt64(ticksPerSecond) / greatestCommonDivisor(rest, UInt64(ticksPerSecond))
            factor *= Int128(needed / greatestCommonDivisor(UInt64(factor), needed))
        }
        return factor
    }

    /// The time in the first out of some timescales that holds it, else in the coarsest that does.
    func time(_ ticks: Int128, preferring timescales: [UInt32]) -> CMTime {
        let usable = timescales.filter { $0 > 0 && $0 <= UInt32(Int32.max) }
        let common = greatestCommonDivisor(UInt64(truncatingIfNeeded: ticks.magnitude), UInt64(ticksPerSecond))
        let coarsest = UInt32(exactly: UInt64(ticksPerSecond) / common) ?? .max
        let exact = usable.first { isExact(ticks, per: $0) } ?? (coarsest <= UInt32(Int32.max) ? coarsest : nil)
        let scale = exact ?? usable.first ?? 1000
        return CMTime(value: value(ticks, per: scale, .nearest), timescale: Int32(scale))
    }
}

extension Int128 {
    /// The quotient by a positive number.
    func divided(by divisor: Int128, _ rounding: TickRounding) -> Int128 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        let floor = remainder < 0 ? quotient - 1 : quotient
        let fraction = remainder < 0 ? remainder + divisor : remainder
        switch rounding {
        case .down: return floor
        case .nearest: return fraction >= divisor - fraction ? floor + 1 : floor
        case .up: return fraction > 0 ? floor + 1 : floor
        }
    }
}
