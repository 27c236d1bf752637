package import FFmpegKit
package import MediaCore

/// Turns times of a stream in ticks into ticks of another length that count
/// from a later zero.
package struct TickMap {
    package let source: TimeBase
    package let target: TimeBase
    private let zero: CMTime

    /// - Parameter zero: Where the new ticks start; a numeric time.
    package init(from source: TimeBase, to target: TimeBase, zero: CMTime) {
        (self.source, self.target, self.zero) = (source, target, zero)
    }

    /// The nearest tick; `nil` if a time is beyond all limits.
    func callAsFunction(_ ticks: Int64) -> Int64? {
        // t·n/d − v/s, times D/N
        let (n, d) = (Int128(source.numerator), Int128(source.denominator))
        let (v, s) = (Int128(zero.value), Int128(zero.timescale))
        let (N, D) = (Int128(target.numerator), Int128(target.denominator))
        let (left, isOver) = (Int128(ticks) * n).multipliedReportingOverflow(by: s)
        let (right, isRightOver) = v.multipliedReportingOverflow(by: d)
        let (difference, isDifferenceOver) = left.subtractingReportingOverflow(right)
        let (dividend, isDividendOver) = difference.multipliedReportingOverflow(by: D)
        guard !isOver, !isRightOver, !isDifferenceOver, !isDividendOver else { return nil }
        let divisor = d * s * N
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        let rounding: Int128 = remainder.magnitude * 2 >= divisor.magnitude ? (dividend < 0 ? -1 : 1) : 0
        guard let result = Int64(exactly: quotient + rounding), result > -Self.limit, result < Self.limit else {
            return nil
        }
        return result
    }

    /// The same, where there is no way on without it.
    func mapped(_ ticks: Int64) throws(FFmpegError) -> Int64 {
        guard let result = self(ticks) else {
            throw FFmpegError(kind: .damaged, operation: .read, reason: "a time is beyond all limits")
        }
        return result
    }

    /// Times beyond this, of which two cannot be added, are damage.
    private static let limit: Int64 = 1 << 60
}

extension TimeBase {
    /// The nearest tick to a numeric time.
    package func ticks(nearest time: CMTime) -> Int64 {
        TickMap(from: TimeBase(numerator: 1, denominator: time.timescale), to: self, zero: .zero)(time.value) ?? 0
    }
}
