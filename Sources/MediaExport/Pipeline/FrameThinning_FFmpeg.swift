internal import FFmpegKit
internal import MediaTime

/// Chooses the pictures that stay where there are more than wanted.
struct FrameThinning {
    private let limit: FrameRateLimit?
    private var count = 0
    /// When the next picture is due, in units of the interval.
    private var due: Int128 = 0

    init(_ limit: FrameRateLimit?) { self.limit = limit }

    /// Whether a picture stays.
    ///
    /// - Parameter time: When it is shown; later than all before it.
    mutating func keeps(_ time: CMTime) -> Bool {
        defer { count += 1 }
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
}
