package import MediaCore

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
            return segments.map { CMTimeRange(start: $0.start, end: $0.end ?? CMTimeMaximum($0.start, duration)) }
                .gaps(in: CMTimeRange(start: .zero, duration: duration))
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
}
