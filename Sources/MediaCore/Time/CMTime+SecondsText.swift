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
