extension CMTime {
    /// Adds two times; see ``CMTimeAdd(_:_:)``.
    public static func + (lhs: CMTime, rhs: CMTime) -> CMTime { combine(lhs, rhs, isSubtraction: false) }

    /// Subtracts a time from another; see ``CMTimeSubtract(_:_:)``.
    public static func - (lhs: CMTime, rhs: CMTime) -> CMTime { combine(lhs, rhs, isSubtraction: true) }

    /// Adds a time in place; see ``CMTimeAdd(_:_:)``.
    public static func += (lhs: inout CMTime, rhs: CMTime) { lhs = lhs + rhs }

    /// Subtracts a time in place; see ``CMTimeSubtract(_:_:)``.
    public static func -= (lhs: inout CMTime, rhs: CMTime) { lhs = lhs - rhs }

    private static func combine(_ lhs: CMTime, _ rhs: CMTime, isSubtraction: Bool) -> CMTime {
        let (left, right) = (lhs.kind, isSubtraction ? rhs.kind.negated : rhs.kind)
        switch (left, right) {
        case (.numeric, .numeric):
            return combineNumeric(lhs, rhs, isSubtraction: isSubtraction)
        case (.invalid, _), (_, .invalid),
            (.positiveInfinity, .negativeInfinity), (.negativeInfinity, .positiveInfinity):
            return .invalid
        case (.positiveInfinity, _), (_, .positiveInfinity):
            return .positiveInfinity
        case (.negativeInfinity, _), (_, .negativeInfinity):
            return .negativeInfinity
        case (.indefinite, _), (_, .indefinite):
            return .indefinite
        }
    }

    private static func combineNumeric(_ lhs: CMTime, _ rhs: CMTime, isSubtraction: Bool) -> CMTime {
        guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
        // Two instants of one epoch are a duration apart, and durations have epoch 0.
        let epoch = lhs.epoch == rhs.epoch ? 0 : (lhs.epoch == 0 ? rhs.epoch : lhs.epoch)
        let flags = lhs.numericFlags.union(rhs.numericFlags)
        if lhs.timescale == rhs.timescale {
            let (value, overflow) =
                isSubtraction
                ? lhs.value.subtractingReportingOverflow(rhs.value) : lhs.value.addingReportingOverflow(rhs.value)
            if !overflow { return CMTime(value: value, timescale: lhs.timescale, flags: flags, epoch: epoch) }
        }
        let common = Int128(leastCommonMultiple(UInt64(lhs.timescale), UInt64(rhs.timescale)))
        let left = Int128(lhs.value) * (common / Int128(lhs.timescale))
        let right = Int128(rhs.value) * (common / Int128(rhs.timescale))
        let ticks = isSubtraction ? left - right : left + right
        let timescale = CMTimeScale(min(common, Int128(kCMTimeMaxTimescale)))
        return ExactSeconds(isNegative: ticks < 0, multiplicand: ticks.magnitude, divisor: UInt128(common))
            .time(at: timescale, flags: flags, epoch: epoch)
    }

    /// The infinity that a multiplication leads to, by both signs.
    ///
    /// - Returns: Invalid if either is zero: infinity times zero has no answer.
    private static func infinity(signs first: Int, _ second: Int) -> CMTime {
        switch first * second {
        case 1: .positiveInfinity
        case -1: .negativeInfinity
        default: .invalid
        }
    }

    /// −1, 0 or 1 for a numeric or infinite time, and 0 for any other.
    private var sign: Int {
        switch kind {
        case .numeric: Int(value.signum())
        case .positiveInfinity: 1
        case .negativeInfinity: -1
        case .indefinite, .invalid: 0
        }
    }

    /// What a multiplication by a finite number gives, unless the time is
    /// numeric, when this is nil.
    private func nonNumericProduct(signOfMultiplier: Int) -> CMTime? {
        switch kind {
        case .numeric: nil
        case .invalid: .invalid
        case .indefinite: .indefinite
        case .positiveInfinity, .negativeInfinity: CMTime.infinity(signs: sign, signOfMultiplier)
        }
    }

    fileprivate func multiplied(by multiplier: Int32) -> CMTime {
        if let product = nonNumericProduct(signOfMultiplier: Int(multiplier.signum())) { return product }
        return ExactSeconds(
            isNegative: (value < 0) != (multiplier < 0), multiplicand: UInt128(value.magnitude),
            multiplier: UInt128(multiplier.magnitude), divisor: UInt128(timescale)
        ).time(at: timescale, flags: numericFlags, epoch: epoch)
    }

    fileprivate func multiplied(by multiplier: Int32, over divisor: Int32) -> CMTime {
        guard divisor != 0 else { return .invalid }
        let signOfRatio = Int(multiplier.signum() * divisor.signum())
        if let product = nonNumericProduct(signOfMultiplier: signOfRatio) { return product }
        return ExactSeconds(
            isNegative: value.signum() * Int64(signOfRatio) < 0, multiplicand: UInt128(value.magnitude),
            multiplier: UInt128(multiplier.magnitude), divisor: UInt128(timescale) * UInt128(divisor.magnitude)
        ).time(exactNear: timescale, flags: numericFlags, epoch: epoch)
    }

    fileprivate func multiplied(by multiplier: Double) -> CMTime {
        if multiplier.isNaN { return .invalid }
        let signOfMultiplier = multiplier == 0 ? 0 : (multiplier < 0 ? -1 : 1)
        if let product = nonNumericProduct(signOfMultiplier: signOfMultiplier) { return product }
        if multiplier.isInfinite { return CMTime.infinity(signs: sign, signOfMultiplier) }
        var fineTimescale = timescale
        while fineTimescale < 65536 { fineTimescale *= 2 }
        if sign * signOfMultiplier == 0 {
            return CMTime(value: 0, timescale: fineTimescale, flags: numericFlags, epoch: epoch)
        }
        return product(withFiniteNonzero: multiplier, at: fineTimescale)
    }

    /// Multiplies the exact value of a `Double`, which is an integer of 53 bits
    /// times a power of two, by this numeric and nonzero time.
    private func product(withFiniteNonzero multiplier: Double, at fineTimescale: CMTimeScale) -> CMTime {
        let exponent = Int(multiplier.exponent) - 52
        let significand = UInt128(multiplier.magnitude.significand * 0x1p52)
        var exact = ExactSeconds(
            isNegative: (value < 0) != (multiplier < 0), multiplicand: UInt128(value.magnitude) * significand,
            divisor: UInt128(timescale))
        switch exponent {
        case 64...:
            // At least 2⁵² × 2⁶⁴ ticks: more than any timescale can bring down to 64 bits.
            return exact.isNegative ? .negativeInfinity : .positiveInfinity
        case 0...:
            exact.multiplier = 1 << UInt128(exponent)
        case (-96)...:
            exact.divisor <<= UInt128(-exponent)
        default:
            // The divisor would not fit 128 bits. Here the value is below 2⁴⁰ ticks, so the timescale needs no
            // halving, and it is a power of two times the old one, which leaves nothing but a shift. A shift by
            // more than 126 bits makes any multiplicand less than half a tick.
            let doublings = (fineTimescale / timescale).trailingZeroBitCount
            exact.divisor = 1 << UInt128(min(-exponent - doublings, 126))
            return exact.time(atOneTickPerUnit: fineTimescale, flags: numericFlags, epoch: epoch)
        }
        return exact.time(at: fineTimescale, flags: numericFlags, epoch: epoch)
    }

    /// The time as far after zero as this one is before or after it.
    fileprivate var absolute: CMTime {
        switch kind {
        case .invalid: return .invalid
        case .indefinite: return .indefinite
        case .positiveInfinity, .negativeInfinity: return .positiveInfinity
        case .numeric: break
        }
        var exact = ExactSeconds(self)
        exact.isNegative = false
        return exact.time(at: timescale, flags: numericFlags, epoch: epoch)
    }
}

extension CMTime.Kind {
    /// The kind of the time with the opposite sign.
    fileprivate var negated: CMTime.Kind {
        switch self {
        case .positiveInfinity: .negativeInfinity
        case .negativeInfinity: .positiveInfinity
        case .numeric, .indefinite, .invalid: self
        }
    }
}

extension ExactSeconds {
    /// The time whose value is this number itself, rounded, at a timescale.
    fileprivate func time(atOneTickPerUnit timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) -> CMTime {
        var result = time(at: 1, flags: flags, epoch: epoch)
        if result.isNumeric { result.timescale = timescale }
        return result
    }
}

/// Adds two times.
///
/// The timescale of the result is the least common multiple of both, or
/// ``kCMTimeMaxTimescale`` with rounding if that is larger. A value that does
/// not fit 64 bits halves the timescale until it does, and is infinite if it
/// does not fit at one tick per second.
///
/// - Returns: Invalid if an operand is invalid, if infinities of opposite signs
///   meet, or if two nonzero epochs differ; else an infinity if an operand is
///   one; else indefinite if an operand is. Within one epoch the result has
///   epoch 0; if one operand has epoch 0 it has that of the other.
/// - Note: Halving rounds once, from the exact sum.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Subtracts a time from another, by the rules of ``CMTimeAdd(_:_:)``.
///
/// An infinite subtrahend counts with its sign changed.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Multiplies a time by a whole number, in the timescale of the time.
///
/// A value that does not fit 64 bits is treated as in ``CMTimeAdd(_:_:)``. The
/// sign of an infinite result follows both signs.
///
/// - Note: The epoch is kept, and an infinite time times zero is invalid;
///   neither is documented.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime { time.multiplied(by: multiplier) }

/// Multiplies a time by a floating-point number.
///
/// The timescale of the time is doubled until it is at least 65536, then the
/// exact product is rounded once, halves away from zero. A value that does not
/// fit 64 bits is treated as in ``CMTimeAdd(_:_:)``.
///
/// - Note: NaN, and infinity times zero, give an invalid time; an infinite
///   multiplier gives the infinity of the sign of the product. The epoch is
///   kept. None of this is documented.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime { time.multiplied(by: multiplier) }

/// Multiplies a time by a ratio of whole numbers, exactly where that is possible.
///
/// - Note: The timescale is the smallest multiple of the old one that holds the
///   result exactly, else the smallest timescale that does, else
///   ``kCMTimeMaxTimescale`` with rounding. A divisor of zero, and infinity times
///   zero, give an invalid time. The epoch is kept. None of this is documented.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// Returns a time without its sign.
///
/// The smallest 64-bit value has no positive counterpart; it halves the
/// timescale as in ``CMTimeAdd(_:_:)``.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time.absolute }

// Clients that see this module through the names of the umbrella find operators by protocols only.
extension CMTime: AdditiveArithmetic {}

/// The largest timescale that a ``CMTime`` can have, 0x7fffffff.
public let kCMTimeMaxTimescale: CMTimeScale = 0x7fff_ffff

/// The invalid time, as ``CMTime/invalid``.
public let kCMTimeInvalid = CMTime.invalid
/// The time that is not known, as ``CMTime/indefinite``.
public let kCMTimeIndefinite = CMTime.indefinite
/// The time after all others, as ``CMTime/positiveInfinity``.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// The time before all others, as ``CMTime/negativeInfinity``.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// Zero seconds, as ``CMTime/zero``.
public let kCMTimeZero = CMTime.zero

/// Tells whether the valid bit is set.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Tells whether the valid bit is not set.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Tells whether the time is positive infinity.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Tells whether the time is negative infinity.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Tells whether the time is valid but not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Tells whether the value and timescale carry the time.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Tells whether the time is numeric and was rounded by some operation.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// Makes the time `value / timescale` seconds; see
/// ``CMTime/init(value:timescale:)``.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Makes the time `value / timescale` seconds within an epoch.
///
/// - Note: A timescale of zero or less gives an invalid time.
public func CMTimeMakeWithEpoch(value: CMTimeValue, timescale: CMTimeScale, epoch: CMTimeEpoch) -> CMTime {
    CMTime(checked: value, timescale: timescale, epoch: epoch)
}

/// Makes a time from seconds, dropping the fraction of a tick; see
/// ``CMTime/init(seconds:preferredTimescale:)``.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the time in seconds; see ``CMTime/seconds``.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Re-expresses a time in another timescale; see
/// ``CMTime/convertScale(_:method:)``.
public func CMTimeConvertScale(_ time: CMTime, timescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
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

/// What gives out memory, in functions of C, and takes it back.
///
/// There are none to make: functions take `nil`, as everybody passes on Apple's platforms, or one of the constants.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// The usual allocator: `nil`, as on Apple's platforms.
///
/// Memory comes from `malloc` and goes to `free`.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The system's allocator: `malloc` and `free`.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()
/// The allocator of C: `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()
/// The allocator that gives no memory and takes none back: for memory that stays the caller's.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
