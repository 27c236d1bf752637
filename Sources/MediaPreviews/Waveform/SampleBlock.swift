/// Samples of sixteen bits on their way into points, a few thousand at a time.
///
/// Loops are kept plain, over memory without bounds, so that the compiler makes vectors of them.
struct SampleBlock: Sendable {
    /// The most samples that there is room for: what stays in the fastest cache.
    static let capacity = 2048

    /// One sample for each moment: a channel's, or the sum of several.
    private var sums = [Int32](repeating: 0, count: capacity)

    /// 1.5 × 2²³: a float that large has no bits for fractions, so that adding it rounds to whole numbers, halves to
    /// even.
    private static let roundingOffset: Float = 12_582_912

    /// Takes the first channel.
    mutating func set(_ source: UnsafeBufferPointer<Float>.SubSequence) {
        sums.withUnsafeMutableBufferPointer { sums in
            let source = UnsafeBufferPointer(rebasing: source)
            for index in 0..<min(source.count, sums.count) { sums[index] = Self.sample(source[index]) }
        }
    }

    /// Adds a channel to those before.
    ///
    /// Of 65,536 channels the sums would no longer fit.
    mutating func add(_ source: UnsafeBufferPointer<Float>.SubSequence) {
        sums.withUnsafeMutableBufferPointer { sums in
            let source = UnsafeBufferPointer(rebasing: source)
            for index in 0..<min(source.count, sums.count) { sums[index] &+= Self.sample(source[index]) }
        }
    }

    /// The smallest and the greatest of some samples and of two numbers.
    func extremes(in range: Range<Int>, and others: (low: Int32, high: Int32)) -> (low: Int32, high: Int32) {
        sums.withUnsafeBufferPointer { sums in
            var (low, high) = others
            for index in range.clamped(to: 0..<sums.count) {
                low = min(low, sums[index])
                high = max(high, sums[index])
            }
            return (low, high)
        }
    }

    /// A sample of 16 bits: the nearest, halves to even; what is no number is silence, what is too loud is cut.
    @inline(__always)
    static func sample(_ value: Float) -> Int32 {
        let scaled = value * 32768
        let number = scaled == scaled ? scaled : 0
        let limited = min(32767, max(-32768, number))
        return Int32(bitPattern: (limited + roundingOffset).bitPattern &- roundingOffset.bitPattern)
    }
}
