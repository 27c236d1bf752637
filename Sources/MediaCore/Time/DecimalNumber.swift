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
