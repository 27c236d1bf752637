package import FFmpegKit
internal import MediaCore

/// Chooses the pictures that stay where there are more than wanted.
package struct FrameThinning {
    private let limit: FrameRateLimit?
    /// Tells which picture the first one is, where it may be any.
    private let rate: Ratio?
    private var count: Int?
    /// When the next picture is due, in units of the interval.
    private var due: Int128 = 0

    /// - Parameter rate: How many pictures there are in a second, if the first one may be any; `nil` if it is the film's first.
    package init(_ limit: FrameRateLimit?, rate: Ratio? = nil) { (self.limit, self.rate) = (limit, rate) }

    /// Whether a picture stays.
    ///
    /// - Parameter time: When it is shown; later than all before it.
    mutating func keeps(_ time: CMTime) -> Bool {
        let count = count ?? number(at: time)
        defer { self.count = count + 1 }
        switch limit {
        case nil: return true
        case .oneOf(let number): return count % max(1, number) == 0
        case .atMost(let rate):
            // Quarters of the interval since zero; a picture may be early by one.
            let divisor = Int128(time.timescale) * Int128(max(1, rate.denominator))
            let position = Int128(time.value) * Int128(max(1, rate.numerator)) * 4 / max(1, divisor)
            guard position + 1 >= due else { return false }
            due = position >= due + 4 ? position + 4 : due + 4
            return true
        }
    }

    /// Which picture is shown at a time, from 0, at a fixed rate.
    private func number(at time: CMTime) -> Int {
        guard let rate, rate.value > 0 else { return 0 }
        return Int(clamping: TimeBase(numerator: rate.denominator, denominator: rate.numerator).ticks(nearest: time))
    }
}
