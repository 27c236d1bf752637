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
