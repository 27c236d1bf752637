internal import MediaTime

extension CMTime {
    /// Hours, minutes, seconds and milliseconds, `0:01:02.345`: the first
    /// millisecond at which a frame of this time is shown.
    var clockText: String {
        func padded(_ number: Int64, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let total = milliseconds
        let (hours, minutes, seconds) = (total / 3_600_000, total / 60_000 % 60, total / 1000 % 60)
        return "\(hours):\(padded(minutes, 2)):\(padded(seconds, 2)).\(padded(total % 1000, 3))"
    }
}
