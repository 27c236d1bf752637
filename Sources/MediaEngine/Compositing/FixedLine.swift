internal import MediaAsset

/// Positions at even distances along a row, as whole numbers and fractions of 2⁻³².
///
/// Floats are too coarse for positions in large pictures, and doubles slow to take apart.
package struct FixedLine {
    private let start: Int64
    /// What the position grows by.
    package let step: Int64

    /// `nil` unless all positions lie from 0 up to, not including, a limit.
    ///
    /// They lie on a line: if the first and the last do, all do.
    package init?(_ start: Double, _ step: Double, _ count: Int, below limit: Int) {
        guard count > 0, abs(start) < 0x1p24, abs(step) < 0x1p24, count < 1 << 24 else { return nil }
        self.start = Int64((start * 0x1p32).rounded())
        self.step = Int64((step * 0x1p32).rounded())
        let (distance, isTooFar) = self.step.multipliedReportingOverflow(by: Int64(count - 1))
        let (last, isBeyond) = self.start.addingReportingOverflow(distance)
        let end = Int64(limit) << 32
        guard !isTooFar, !isBeyond, self.start >= 0, self.start < end, last >= 0, last < end else { return nil }
    }

    /// The whole number at or before a position.
    @inline(__always) package func whole(_ index: Int) -> Int { Int(position(index) >> 32) }

    /// How far the position lies behind that.
    @inline(__always) package func fraction(_ index: Int) -> Float {
        // 24 bits, which is what a float holds; through a signed number, which is a single instruction.
        Float(Int32(truncatingIfNeeded: (position(index) >> 8) & 0xFF_FFFF)) * 0x1p-24
    }

    @inline(__always) private func position(_ index: Int) -> Int64 { start &+ step &* Int64(truncatingIfNeeded: index) }
}
