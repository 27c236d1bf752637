internal import MediaTime

extension CMTime {
    /// Whole milliseconds, rounded up: at that moment a frame of this time is on
    /// screen, which it is not a part of a millisecond earlier.
    ///
    /// Zero for times that are not numbers or below zero.
    var milliseconds: Int64 {
        guard isNumeric, self > .zero else { return 0 }
        return convertScale(1000, method: .roundTowardPositiveInfinity).value
    }

    /// Whole milliseconds of a length, rounded down.
    ///
    /// Zero for what is no number or below zero.
    var wholeMilliseconds: Int64 {
        isNumeric && self > .zero ? convertScale(1000, method: .roundTowardNegativeInfinity).value : 0
    }
}

extension Int64 {
    /// Milliseconds as hours, minutes and seconds: `1:02:03.004`.
    ///
    /// - Parameter hourDigits: Digits of the hours at the least.
    func clockText(hourDigits: Int = 1) -> String {
        func padded(_ number: Int64, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
        }
        let (minutes, seconds) = (self / 60_000 % 60, self / 1000 % 60)
        return padded(self / 3_600_000, hourDigits)
            + ":\(padded(minutes, 2)):\(padded(seconds, 2)).\(padded(self % 1000, 3))"
    }
}
