internal import MediaCore

extension CMTime {
    /// The time so many steps long.
    ///
    /// - Parameter count: At least 0.
    func steps(_ count: Int) -> CMTime {
        let most = Int(Int32.max)
        let rest = CMTimeMultiply(self, multiplier: Int32(count % most))
        guard count >= most else { return rest }
        let many = CMTimeMultiply(self, multiplier: .max)
        return CMTimeMultiply(many, multiplier: Int32(clamping: count / most)) + rest
    }

    /// The time as it is at another speed, exactly wherever the speed is a short fraction.
    ///
    /// - Parameter speed: Above 0; others make the time invalid.
    func played(atSpeed speed: Double) -> CMTime {
        guard speed > 0, speed.isFinite else { return .invalid }
        guard speed != 1 else { return self }
        var (numerator, denominator) = (speed, Int32(1))
        while denominator < 1 << 20, numerator != numerator.rounded() {
            numerator *= 2
            denominator *= 2
        }
        guard let numerator = Int32(exactly: numerator) else {
            return CMTimeMultiplyByFloat64(self, multiplier: 1 / speed)
        }
        return CMTimeMultiplyByRatio(self, multiplier: denominator, divisor: numerator)
    }
}
