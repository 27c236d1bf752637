internal import FFmpegKit

extension FrameReader {
    /// Divides ascending targets into runs that are decoded independently: no
    /// GOP is part of two of them.
    func groups(of targets: [Int64]) -> [Range<Int>] {
        guard let first = targets.first, policy != .linear else { return targets.isEmpty ? [] : [targets.indices] }
        let entries = syncTicks()
        func isSameRun(_ previous: Int64, _ target: Int64) -> Bool {
            if entries.count > 1 {
                return Self.lastIndex(of: entries, atOrBefore: previous)
                    == Self.lastIndex(of: entries, atOrBefore: target)
            }
            return target.subtractingReportingOverflow(previous).partialValue <= 3 * second
        }
        var groups: [Range<Int>] = []
        var start = 0
        var previous = first
        for (index, target) in targets.enumerated() {
            if !isSameRun(previous, target) {
                groups.append(start..<index)
                start = index
            }
            previous = target
        }
        return groups + [start..<targets.count]
    }

    /// The presentation times of the sync samples that the container's index
    /// lists, in ascending order, empty where it lists none.
    private func syncTicks() -> [Int64] {
        guard policy == .direct else { return [] }
        let entries = demuxer.indexEntries(ofStream: streamIndex)
        guard let first = entries.first else { return [] }
        // A movie's index holds decode times, which run ahead of presentation times by a constant.
        let delay = max(0, startTicks.subtractingReportingOverflow(first.ticks).partialValue)
        return entries.filter(\.isKey).map { $0.ticks.addingReportingOverflow(delay).partialValue }.sorted()
    }

    private static func lastIndex(of entries: [Int64], atOrBefore ticks: Int64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] > ticks { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
