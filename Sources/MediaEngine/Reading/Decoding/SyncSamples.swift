internal import MediaCore

/// The presentation times of sync samples as a container's index lists them.
package struct SyncSamples {
    /// In ascending order.
    private let ticks: [Int64]

    package init(_ ticks: [Int64] = []) { self.ticks = ticks.sorted() }

    package var isEmpty: Bool { ticks.isEmpty }

    /// Whether no sync sample lies between two times.
    func isOneGOP(_ earlier: Int64, _ later: Int64) -> Bool { count(through: earlier) == count(through: later) }

    /// Whether there are some on both sides of a range.
    func surround(_ range: ClosedRange<Int64>) -> Bool {
        guard let first = ticks.first, let last = ticks.last else { return false }
        return first < range.lowerBound && last > range.upperBound
    }

    /// The last one of a range at or before a time, else the next.
    package func nearest(to target: Int64, within range: ClosedRange<Int64>) -> Int64? {
        let count = count(through: target)
        if count > 0, ticks[count - 1] >= range.lowerBound { return ticks[count - 1] }
        guard count < ticks.count, ticks[count] <= range.upperBound else { return nil }
        return ticks[count]
    }

    /// How many lie at or before a time.
    private func count(through time: Int64) -> Int { ticks.partitioningIndex { $0 > time } }
}
