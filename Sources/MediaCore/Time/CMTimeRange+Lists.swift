extension [CMTimeRange] {
    /// The places of two ranges that have a moment in common, the one that begins first before the other; `nil` if no
    /// two have.
    package var firstOverlap: (first: Int, second: Int)? {
        let order = indices.sorted { self[$0].start < self[$1].start }
        for (first, second) in zip(order, order.dropFirst()) where self[second].start < self[first].end {
            return (first, second)
        }
        return nil
    }

    /// What of a range none of these covers, in order of time.
    package func gaps(in range: CMTimeRange) -> [CMTimeRange] {
        var (gaps, position) = ([CMTimeRange](), range.start)
        for covered in sorted(by: { $0.start < $1.start }) where position < range.end {
            let start = CMTimeMinimum(covered.start, range.end)
            if position < start { gaps.append(CMTimeRange(start: position, end: start)) }
            position = CMTimeMaximum(position, covered.end)
        }
        if position < range.end { gaps.append(CMTimeRange(start: position, end: range.end)) }
        return gaps
    }
}
