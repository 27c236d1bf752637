internal import CFFmpeg
package import MediaCore

/// The length of one tick of a stream, as a fraction of a second.
///
/// Ticks stay inside this module and the still pipeline; everything above
/// speaks `CMTime`.
package struct TimeBase: Sendable, Hashable {
    package let numerator: Int32
    package let denominator: Int32

    /// Makes a time base; a fraction that is not positive becomes 1/1000000.
    package init(numerator: Int32, denominator: Int32) {
        let isValid = numerator > 0 && denominator > 0
        self.numerator = isValid ? numerator : 1
        self.denominator = isValid ? denominator : 1_000_000
    }

    init(_ rational: AVRational) { self.init(numerator: rational.num, denominator: rational.den) }

    /// The time of a tick, exact; invalid where it does not fit.
    package func time(of ticks: Int64) -> CMTime {
        let (value, overflow) = ticks.multipliedReportingOverflow(by: Int64(numerator))
        return overflow ? .invalid : CMTime(value: value, timescale: denominator)
    }

    /// The last tick at or before a numeric time, clamped to what fits.
    package func ticks(atOrBefore time: CMTime) -> Int64 {
        let product = Int128(time.value) * Int128(denominator)
        let divisor = Int128(time.timescale) * Int128(numerator)
        guard divisor > 0 else { return 0 }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    /// The last tick at or before a numeric time that counts from an origin,
    /// from their exact sum, which need not fit a time; clamped to what fits.
    package func ticks(atOrBefore time: CMTime, from origin: CMTime) -> Int64 {
        guard time.timescale > 0, origin.timescale > 0 else { return ticks(atOrBefore: time) }
        let sum = Int128(time.value) * Int128(origin.timescale) + Int128(origin.value) * Int128(time.timescale)
        // A value of 63 bits and three factors of 31: there is no overflow.
        let divisor = Int128(time.timescale) * Int128(origin.timescale) * Int128(numerator)
        let (quotient, remainder) = (sum * Int128(denominator)).quotientAndRemainder(dividingBy: divisor)
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    /// The first tick at or after a numeric time, clamped to what fits.
    package func ticks(atOrAfter time: CMTime) -> Int64 {
        let product = Int128(time.value) * Int128(denominator)
        let divisor = Int128(time.timescale) * Int128(numerator)
        guard divisor > 0 else { return 0 }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        return Int64(clamping: remainder > 0 ? quotient + 1 : quotient)
    }

    /// How many whole ticks a number of microseconds lasts, at least one.
    package func ticks(microseconds: Int64) -> Int64 {
        max(1, ticks(atOrBefore: CMTime(value: microseconds, timescale: 1_000_000)))
    }
}

/// A time of each stream by its position, which are few and begin with 0; read and written for each packet.
package struct StreamTicks: Sendable {
    /// `.min` for none.
    private var ticks: [Int64] = []

    /// No times.
    package init() {}

    /// The time of a stream; `nil` for none.
    package subscript(stream: Int) -> Int64? {
        guard stream >= 0, stream < ticks.count, ticks[stream] != .min else { return nil }
        return ticks[stream]
    }

    /// Takes a time of a stream if it is later than the one that is there.
    package mutating func advance(_ stream: Int, to time: Int64) {
        guard stream >= 0 else { return }
        while ticks.count <= stream { ticks.append(.min) }
        if time > ticks[stream] { ticks[stream] = time }
    }

    /// The streams that have times, with these.
    package var all: [(stream: Int, ticks: Int64)] {
        ticks.enumerated().compactMap { $1 == .min ? nil : ($0, $1) }
    }
}
