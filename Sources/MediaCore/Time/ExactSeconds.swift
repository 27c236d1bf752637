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

/// A decimal number of any length: `whole + numerator / denominator`, the latter
/// less than 1.
///
/// Thirty digits after the point are kept, which is as many as a timescale can
/// need; all that follow stand as a single 1 behind them.
struct DecimalNumber {
    var whole: UInt128
    var numerator: UInt128 = 0
    /// A power of ten, at most 10³¹, unless reduced.
    var denominator: UInt128 = 1

    init(whole: UInt128) { self.whole = whole }

    private init(whole: UInt128, numerator: UInt128, denominator: UInt128) {
        (self.whole, self.numerator, self.denominator) = (whole, numerator, denominator)
    }

    /// Reads digits; zeros at the end of the fraction are dropped.
    ///
    /// - Parameters:
    ///   - digits: Bytes of ASCII.
    ///   - point: Before which of them the point stands; also before the first or
    ///     after the last, where zeros are understood.
    ///   - minimumPlaces: Digits after the point that are kept even if they are zeros.
    /// - Returns: `nil` if the whole part does not fit 128 bits.
    init?(digits: [UInt8], point: Int, minimumPlaces: Int = 0) {
        let zero = UInt8(ascii: "0")
        var significant = digits.drop { $0 == zero }
        let point = point - (digits.count - significant.count)
        while significant.last == zero { significant.removeLast() }
        let count = significant.count
        func digit(_ place: Int) -> UInt128 {
            (0..<count).contains(place) ? UInt128(significant[significant.startIndex + place] - zero) : 0
        }
        whole = 0
        // 128 bits have 39 digits.
        guard count == 0 || point <= 39 else { return nil }
        for place in 0..<(count == 0 ? 0 : max(0, point)) {
            let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit(place))
            guard !overflow, !carry else { return nil }
            whole = sum
        }
        let places = count == 0 ? 0 : max(0, count - point)
        for place in 0..<min(30, max(minimumPlaces, places)) {
            (numerator, denominator) = (numerator * 10 + digit(point + place), denominator * 10)
        }
        if places > 30 { (numerator, denominator) = (numerator * 10 + 1, denominator * 10) }
    }

    /// The same number with its fraction in lowest terms.
    var reduced: DecimalNumber {
        let divisor = greatestCommonDivisor(numerator, denominator)
        return DecimalNumber(whole: whole, numerator: numerator / divisor, denominator: denominator / divisor)
    }

    /// A multiple of the number, and a whole number on top of it.
    ///
    /// - Parameter factor: At most 3600, which leaves room for the fraction's 31 digits.
    /// - Returns: `nil` if the whole part does not fit 128 bits.
    func multiplied(by factor: UInt128, adding addend: UInt128) -> DecimalNumber? {
        let (carried, rest) = (numerator * factor).quotientAndRemainder(dividingBy: denominator)
        let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
        let (sum, carry) = product.addingReportingOverflow(carried)
        let (total, isTooLarge) = sum.addingReportingOverflow(addend)
        guard !overflow, !carry, !isTooLarge else { return nil }
        return DecimalNumber(whole: total, numerator: rest, denominator: denominator)
    }
}

/// Times as floating-point numbers, for JSON.
///
/// A `Double` is not exact, and what becomes of it as a text depends on who
/// writes it: most write the shortest digits that read as the same number, some
/// write seventeen. Both are looked at here, digit by digit.
extension CMTime {
    /// The least number of seconds whose texts, read exactly, are not before this time.
    ///
    /// Who asks for the frame at the text of a frame's time gets that frame.
    ///
    /// - Returns: What ``seconds`` gives for a time that is not numeric.
    package var secondsRoundedUp: Double { rounded(.later) }

    /// The greatest number of seconds whose texts, read exactly, are not above this length.
    ///
    /// - Returns: What ``seconds`` gives for a time that is not numeric.
    package var secondsRoundedDown: Double { rounded(.earlier) }

    private func rounded(_ neighbor: TimeNeighbor) -> Double {
        guard kind == .numeric, value != 0 else { return seconds }
        let isAwayFromZero = (neighbor == .later) == (value > 0)
        let magnitude = isAwayFromZero ? leastMagnitude : greatestMagnitude
        return value < 0 ? -magnitude : magnitude
    }

    private var leastMagnitude: Double {
        var candidate = seconds.magnitude.nextDown.nextDown
        while !Decimals.both(of: candidate).allSatisfy({ compare($0) >= 0 }) { candidate = candidate.nextUp }
        return candidate
    }

    private var greatestMagnitude: Double {
        var candidate = seconds.magnitude.nextUp.nextUp
        while !Decimals.both(of: candidate).allSatisfy({ compare($0) <= 0 }) { candidate = candidate.nextDown }
        return candidate
    }

    /// Whether a decimal number is less than, equal to or more than the
    /// magnitude of this numeric time: −1, 0 or 1.
    ///
    /// The number is nearly the time, so that neither product has more than 100 bits.
    private func compare(_ number: Decimals) -> Int {
        let power = (0..<abs(number.exponent)).reduce(UInt128(1)) { power, _ in power * 10 }
        var (left, right) = (UInt128(number.digits) * UInt128(timescale), UInt128(value.magnitude))
        if number.exponent < 0 { right *= power } else { left *= power }
        return left < right ? -1 : left == right ? 0 : 1
    }
}

/// A decimal number: `digits × 10^exponent`.
private struct Decimals {
    var digits: UInt64
    var exponent: Int

    /// What the text of a number says, as short as it can be and with seventeen
    /// digits, of a number from 10⁻¹⁰ to 2⁶⁴.
    static func both(of number: Double) -> [Decimals] { [Decimals(shortest: number), Decimals(seventeen: number)] }

    private init(digits: UInt64, exponent: Int) { (self.digits, self.exponent) = (digits, exponent) }

    /// Reads the standard library's text, which is the shortest.
    private init(shortest number: Double) {
        self.init(digits: 0, exponent: 0)
        var isFraction = false
        let text = number.description
        let mantissa = text.prefix { $0 != "e" }
        for byte in mantissa.utf8 {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
                if isFraction { exponent -= 1 }
            }
        }
        // Zeros at the end stand for nothing, and would count as digits.
        while digits > 0, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
        exponent += Int(text.dropFirst(mantissa.count + 1)) ?? 0
    }

    /// Rounds the exact value of the number to seventeen digits, ties to even, as C's `%.17g`.
    private init(seventeen number: Double) {
        let shift = Int(number.exponent) - 52
        let significand = UInt128(number.significandBitPattern | 1 << 52)
        var exponent = -27
        while true {
            let digits = Self.scaled(significand, shift: shift, byPowerOfTen: -exponent)
            if digits < 100_000_000_000_000_000 {
                self.init(digits: digits, exponent: exponent)
                return
            }
            exponent += 1
        }
    }

    /// `significand × 2^shift × 10^power`, rounded to a whole number, ties to
    /// even; at least 10¹⁷ if it is too large.
    private static func scaled(_ significand: UInt128, shift: Int, byPowerOfTen power: Int) -> UInt64 {
        let ten = (0..<abs(power)).reduce(UInt128(1)) { product, _ in product * 10 }
        var (multiplier, divisor) = power < 0 ? (UInt128(1), ten) : (ten, UInt128(1))
        if shift < 0 { divisor <<= UInt128(min(-shift, 90)) } else { multiplier <<= UInt128(shift) }
        let product = significand.multipliedFullWidth(by: multiplier)
        guard product.high < divisor else { return .max }
        let (quotient, rest) = divisor.dividingFullWidth(product)
        guard quotient < UInt128(UInt64.max) else { return .max }
        let isUp = rest > divisor - rest || (rest == divisor - rest && quotient & 1 == 1)
        return UInt64(quotient) + (isUp ? 1 : 0)
    }
}

/// Times as decimal numbers for people.
///
/// Positions are rounded up, so that the number, read exactly, lies in the
/// frame that it is the time of; lengths are rounded down, so that what lies at
/// the end of one is not beyond it.
extension CMTime {
    /// A position in seconds, rounded up; without needless zeros.
    ///
    /// - Parameters:
    ///   - decimals: Digits after the point at the most. A time that ends after
    ///     up to nine of them is told exactly where six are allowed.
    ///   - length: For how long it is valid: where it ends before the rounded
    ///     time, there are more digits.
    /// - Returns: A question mark for a time that is not numeric.
    package func secondsText(decimals: Int = 6, lasting length: CMTime = .invalid) -> String {
        guard kind == .numeric else { return "?" }
        if decimals >= 6, let decimals = (6...9).first(where: { isWhole(decimals: $0) }) {
            return decimalText(decimals: decimals, .later)
        }
        guard length.kind == .numeric, length.value > 0 else { return decimalText(decimals: decimals, .later) }
        // Ten digits are finer than any timescale.
        let precise = [decimals, 9].first { decimals in
            let scale = CMTimeScale(Self.power(of: decimals))
            return convertScale(scale, method: .roundTowardPositiveInfinity).distance(from: self, .later) < length
        }
        return decimalText(decimals: precise ?? 10, .later)
    }

    /// A length in seconds, rounded down; without needless zeros.
    ///
    /// - Returns: A question mark for a length that is not numeric.
    package func durationText(decimals: Int = 6) -> String {
        kind == .numeric ? decimalText(decimals: decimals, .earlier) : "?"
    }

    private func decimalText(decimals: Int, _ neighbor: TimeNeighbor) -> String {
        let power = Self.power(of: decimals)
        // 63 bits times 34: there is no overflow.
        let (quotient, rest) = (Int128(value) * power).quotientAndRemainder(dividingBy: Int128(timescale))
        let ticks: Int128 =
            switch neighbor {
            case .earlier: rest < 0 ? quotient - 1 : quotient
            case .later: rest > 0 ? quotient + 1 : quotient
            }
        return ticks.decimalText(decimals: decimals)
    }

    private func isWhole(decimals: Int) -> Bool {
        (Int128(value) * Self.power(of: decimals)) % Int128(timescale) == 0
    }

    private static func power(of decimals: Int) -> Int128 { (0..<decimals).reduce(1) { power, _ in power * 10 } }
}

extension Int64 {
    /// Milliseconds as hours, minutes and seconds: `1:02:03.004`.
    ///
    /// - Parameter hourDigits: Digits of the hours at the least.
    package func clockText(hourDigits: Int = 1) -> String {
        let (minutes, seconds) = (self / 60_000 % 60, self / 1000 % 60)
        return (self / 3_600_000).zeroPadded(to: hourDigits)
            + ":\(minutes.zeroPadded(to: 2)):\(seconds.zeroPadded(to: 2)).\((self % 1000).zeroPadded(to: 3))"
    }
}
