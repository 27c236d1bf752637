internal import FFmpegKit
internal import MediaAsset
internal import MediaTypes

extension FrameReader {
    /// Divides ascending targets into runs that are decoded independently: no
    /// GOP is part of two of them.
    func groups(of targets: [Int64]) -> [Range<Int>] {
        guard let first = targets.first, policy != .linear else { return targets.isEmpty ? [] : [targets.indices] }
        var groups: [Range<Int>] = []
        var start = 0
        var previous = first
        for (index, target) in targets.enumerated() {
            let isNear = target.subtractingReportingOverflow(previous).partialValue <= 3 * second
            if completeIndex.isEmpty ? !isNear : !isSameGOP(previous, target) {
                groups.append(start..<index)
                start = index
            }
            previous = target
        }
        return groups + [start..<targets.count]
    }

    /// Whether no sync sample of a complete index lies between two times.
    func isSameGOP(_ earlier: Int64, _ later: Int64) -> Bool {
        completeIndex.countThrough(earlier) == completeIndex.countThrough(later)
    }

    /// The presentation times of the sync samples that the container's index
    /// lists, in ascending order.
    func syncTicks() -> [Int64] {
        let entries = demuxer.indexEntries(ofStream: streamIndex)
        guard let first = entries.first else { return [] }
        // A movie's index holds decode times, which run ahead of presentation times by a constant.
        let delay = max(0, startTicks.subtractingReportingOverflow(first.ticks).partialValue)
        return entries.filter(\.isKey).map { $0.ticks.addingReportingOverflow(delay).partialValue }.sorted()
    }
}
