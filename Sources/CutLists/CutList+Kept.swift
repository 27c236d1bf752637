package import MediaTime

extension CutList {
    /// What stays of a film.
    ///
    /// Of a list of what stays, one range for each segment, in their order: open ends are the film's, and so are those
    /// beyond it. Of a list of what goes, what is left, by time; none where that is nothing.
    ///
    /// A range's duration is the exact difference of its ends wherever a time can hold it.
    ///
    /// - Parameter duration: How long the film is, above zero; its timeline begins at zero.
    /// - Throws: An error that names the line, if a segment that shall stay begins where the film has ended.
    package func kept(within duration: CMTime) throws(CutListError) -> [CMTimeRange] {
        guard duration.isNumeric, duration > .zero else { throw CutListError("the film's length is not known") }
        switch meaning {
        case .cut:
            return left(within: duration)
        case .keep:
            var ranges: [CMTimeRange] = []
            for segment in segments {
                guard segment.start < duration else {
                    throw CutListError(
                        line: segment.line,
                        "begins at \(segment.start.secondsText()) s, but the film ends at \(duration.secondsText()) s")
                }
                let end = CMTimeMinimum(segment.end ?? duration, duration)
                ranges.append(CMTimeRange(start: segment.start, end: end))
            }
            return ranges
        }
    }

    /// What no segment covers.
    private func left(within duration: CMTime) -> [CMTimeRange] {
        var ranges: [CMTimeRange] = []
        var position = CMTime.zero
        for segment in segments.sorted(by: { $0.start < $1.start }) where position < duration {
            let start = CMTimeMinimum(segment.start, duration)
            if position < start { ranges.append(CMTimeRange(start: position, end: start)) }
            position = CMTimeMaximum(position, segment.end ?? duration)
        }
        if position < duration { ranges.append(CMTimeRange(start: position, end: duration)) }
        return ranges
    }
}
