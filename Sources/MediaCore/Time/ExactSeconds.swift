/// Seconds as an exact fraction that is wider than a ``CMTime``.
///
/// The magnitude is `multiplicand × multiplier ÷ divisor`. The numerator is kept
/// as two factors because their product may need up to 256 bits. Every rounding
/// of this module happens in ``ticks(at:rounding:)``, once, from the exact value.
///
/// Invariant: `multiplier` is below 2⁹⁷, so that it can be multiplied by any
/// timescale; `divisor` is above 0.
struct ExactSeconds {
    var isNegative: Bool
    var multiplicand: UInt128
    var multiplier: UInt128
    var divisor: UInt128

    /// A whole number of ticks, and whether it is the exact time.
    struct Ticks {
        var value: CMTimeValue
        var isExact: Bool
    }

    /// A rounding method together with the direction of the conversion, which
    /// the QuickTime method asks for.
    struct Rounding {
        var method: CMTimeRoundingMethod
        var isToLargerScale: Bool

        static let `default` = Rounding(.default, isToLargerScale: false)

        init(_ method: CMTimeRoundingMethod, isToLargerScale: Bool) {
            self.method = method
            self.isToLargerScale = isToLargerScale
        }
    }

    init(isNegative: Bool, multiplicand: UInt128, multiplier: UInt128 = 1, divisor: UInt128) {
        self.isNegative = isNegative
        self.multiplicand = multiplicand
        self.multiplier = multiplier
        self.divisor = divisor
    }

    /// The exact value of a numeric time.
    init(_ time: CMTime) {
        self.init(
            isNegative: time.value < 0, multiplicand: UInt128(time.value.magnitude), divisor: UInt128(time.timescale))
    }

    /// The nearest whole number of ticks by a rounding method, or nil if it does
    /// not fit 64 bits.
    func ticks(at timescale: CMTimeScale, rounding: Rounding) -> Ticks? {
        let product = multiplicand.multipliedFullWidth(by: multiplier * UInt128(timescale))
        guard product.high < divisor else { return nil }
        var (quotient, remainder) =
            product.high == 0
            ? product.low.quotientAndRemainder(dividingBy: divisor) : divisor.dividingFullWidth(product)
        guard quotient <= UInt128(UInt64.max) else { return nil }
        if remainder != 0, isRoundedUp(quotient: quotient, remainder: remainder, rounding: rounding) { quotient += 1 }
        let value = isNegative ? -Int128(quotient) : Int128(quotient)
        return CMTimeValue(exactly: value).map { Ticks(value: $0, isExact: remainder == 0) }
    }

    /// Whether a fraction of a tick, which is there, adds one to the magnitude.
    private func isRoundedUp(quotient: UInt128, remainder: UInt128, rounding: Rounding) -> Bool {
        switch rounding.method {
        case .roundHalfAwayFromZero: remainder >= divisor - remainder
        case .roundTowardZero: false
        case .roundAwayFromZero: true
        case .quickTime: rounding.isToLargerScale || (isNegative && quotient == 0)
        case .roundTowardPositiveInfinity: !isNegative
        case .roundTowardNegativeInfinity: isNegative
        }
    }

    /// The time at a timescale, by the rule of all arithmetic.
    ///
    /// Rounds with the default method. If the value does not fit 64 bits the
    /// timescale is halved until it does; if it does not fit at one tick per
    /// second the time is infinite.
    func time(at timescale: CMTimeScale, flags: CMTimeFlags = .valid, epoch: CMTimeEpoch = 0) -> CMTime {
        var timescale = timescale
        while true {
            if let ticks = ticks(at: timescale, rounding: .default) {
                let flags = ticks.isExact ? flags : flags.union(.hasBeenRounded)
                return CMTime(value: ticks.value, timescale: timescale, flags: flags, epoch: epoch)
            }
            guard timescale > 1 else { return isNegative ? .negativeInfinity : .positiveInfinity }
            timescale /= 2
        }
    }

    /// The time at a timescale that holds it exactly, if there is one.
    ///
    /// That is the smallest multiple of `preferred` that does, else the smallest
    /// timescale that does, else the largest timescale there is, with rounding.
    func time(
        exactNear preferred: CMTimeScale, flags: CMTimeFlags = .valid, epoch: CMTimeEpoch = 0
    ) -> CMTime {
        var reduced = self
        reduced.reduce()
        let maximum = UInt128(kCMTimeMaxTimescale)
        var timescale = maximum
        if reduced.divisor <= maximum {
            let common = leastCommonMultiple(reduced.divisor, UInt128(preferred))
            timescale = common <= maximum ? common : reduced.divisor
        }
        return reduced.time(at: CMTimeScale(timescale), flags: flags, epoch: epoch)
    }

    /// Cancels what both factors of the numerator have in common with the divisor.
    private mutating func reduce() {
        let first = greatestCommonDivisor(multiplicand, divisor)
        multiplicand /= first
        divisor /= first
        let second = greatestCommonDivisor(multiplier, divisor)
        multiplier /= second
        divisor /= second
    }
}
