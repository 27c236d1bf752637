/// Keeps the times of one stream's packets in the order that containers ask for.
///
/// A decode time after the presentation time, or at or before the decode time of
/// the packet before, is moved as the `ffmpeg` command does it, and counted.
struct DecodeOrder {
    /// Whether two packets may have the same decode time.
    let allowsEqual: Bool
    /// Whether only the order of the two times of a packet is looked at.
    let ignoresPrevious: Bool
    private(set) var last: Int64?
    private(set) var repairs = 0

    init(allowsEqual: Bool, ignoresPrevious: Bool) {
        self.allowsEqual = allowsEqual
        self.ignoresPrevious = ignoresPrevious
    }

    /// The times to write for a packet, in the output's ticks.
    mutating func placed(presentation: Int64?, decode: Int64?) -> (presentation: Int64?, decode: Int64?) {
        var (presentation, decode) = (presentation, decode)
        var isRepaired = false
        if let shown = presentation, let decoded = decode, decoded > shown {
            // The middle one of three guesses.
            let guess = [shown, decoded, (last ?? Int64.min / 4) + 1].sorted()[1]
            (presentation, decode) = (guess, guess)
            isRepaired = true
        }
        if !ignoresPrevious, let decoded = decode, let last, decoded < last + (allowsEqual ? 0 : 1) {
            let earliest = last + (allowsEqual ? 0 : 1)
            if let shown = presentation, shown >= decoded { presentation = max(shown, earliest) }
            decode = earliest
            isRepaired = true
        }
        if isRepaired { repairs += 1 }
        last = decode ?? last
        return (presentation, decode)
    }
}
