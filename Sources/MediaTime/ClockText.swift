extension Int64 {
    /// Milliseconds as hours, minutes and seconds: `1:02:03.004`.
    ///
    /// - Parameter hourDigits: Digits of the hours at the least.
    package func clockText(hourDigits: Int = 1) -> String {
        func padded(_ number: Int64, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
        }
        let (minutes, seconds) = (self / 60_000 % 60, self / 1000 % 60)
        return padded(self / 3_600_000, hourDigits)
            + ":\(padded(minutes, 2)):\(padded(seconds, 2)).\(padded(self % 1000, 3))"
    }
}
