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
