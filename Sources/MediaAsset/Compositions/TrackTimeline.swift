package import MediaCore

/// What a track of a composition shows: segments that follow each other from zero on, some of them empty.
///
/// Times are added and subtracted exactly as long as a timescale can hold them. A track ends with media: emptiness at
/// its end is nobody's.
package struct TrackTimeline<Media: Hashable & Sendable>: Hashable, Sendable {
    /// A piece of media, or of nothing.
    package struct Segment: Hashable, Sendable {
        /// `nil` for nothing.
        package var media: Media?
        /// The span of the media's own timeline; invalid for nothing.
        package var source: CMTimeRange
        /// The span of the composition's timeline.
        package var target: CMTimeRange

        package init(media: Media?, source: CMTimeRange, target: CMTimeRange) {
            (self.media, self.source, self.target) = (media, source, target)
        }

        /// Nothing.
        init(emptyFor target: CMTimeRange) { self.init(media: nil, source: .invalid, target: target) }

        /// Whether there is nothing to see or hear meanwhile.
        package var isEmpty: Bool { media == nil }

        /// Whether it takes another time than its media do.
        package var isScaled: Bool { !isEmpty && source.duration != target.duration }

        /// When the media are shown, on their own timeline.
        package func sourceTime(at time: CMTime) -> CMTime {
            guard isScaled else { return source.start + (time - target.start) }
            return CMTimeMapTimeFromRangeToRange(time, fromRange: target, toRange: source)
        }

        /// When a time of the media is shown, on the composition's timeline.
        package func targetTime(ofSource time: CMTime) -> CMTime {
            guard isScaled else { return target.start + (time - source.start) }
            return CMTimeMapTimeFromRangeToRange(time, fromRange: source, toRange: target)
        }
    }

    /// In order, each where the one before it ends.
    package private(set) var segments: [Segment] = []

    package init() {}

    /// Takes segments as they are.
    ///
    /// - Returns: `nil` unless each follows the one before it, from zero on.
    package init?(_ segments: [Segment]) {
        var end = CMTime.zero
        for segment in segments {
            guard segment.target.start == end, segment.target.duration > .zero else { return nil }
            end = segment.target.end
        }
        self.segments = segments
        tidy(from: 0)
    }

    /// When the last media end; zero without any.
    package var end: CMTime { segments.last?.target.end ?? .zero }

    /// The segment that is shown at a time; `nil` outside all of them.
    package func segment(at time: CMTime) -> Segment? {
        guard time >= .zero, time < end else { return nil }
        return segments[index(at: time)]
    }

    /// The place of the segment that is shown at a time, or of the nearest one outside all of them; 0 without any.
    package func index(at time: CMTime) -> Int {
        max(0, min(segments.partitioningIndex { $0.target.end > time }, segments.count - 1))
    }

    /// What a range shows, moved to begin at zero; emptiness at its end included.
    package func slice(_ range: CMTimeRange) -> [Segment] {
        var copy = self
        let (first, last) = (copy.split(at: range.start), copy.split(at: range.end))
        var slice = copy.segments[first..<max(first, last)].map { $0.moved(by: .zero - range.start) }
        let end = slice.last?.target.end ?? .zero
        if end < range.duration { slice.append(Segment(emptyFor: CMTimeRange(start: end, end: range.duration))) }
        return slice
    }

    // MARK: Editing

    /// Puts segments in, what is there from that time on moving back.
    ///
    /// - Parameters:
    ///   - pieces: They follow each other from zero on.
    ///   - time: From zero on; what lies between the end and that time becomes empty.
    package mutating func insert(_ pieces: [Segment], at time: CMTime) {
        if end < time { segments.append(Segment(emptyFor: CMTimeRange(start: end, end: time))) }
        let index = split(at: time)
        move(from: index, by: pieces.last?.target.end ?? .zero)
        segments.insert(contentsOf: pieces.map { $0.moved(by: time) }, at: index)
        tidy(from: index)
    }

    /// Puts emptiness in, what is there from its start on moving back; nothing at the end.
    package mutating func insertEmpty(_ range: CMTimeRange) {
        guard end > range.start, range.duration > .zero else { return }
        insert([Segment(emptyFor: CMTimeRange(start: .zero, duration: range.duration))], at: range.start)
    }

    /// Takes a range out, what follows moving up.
    package mutating func remove(_ range: CMTimeRange) {
        let range = range.intersection(CMTimeRange(start: .zero, end: end))
        guard range.isValid, range.duration > .zero else { return }
        let (first, last) = (split(at: range.start), split(at: range.end))
        segments.removeSubrange(first..<last)
        move(from: first, by: .zero - range.duration)
        tidy(from: first)
    }

    /// Shows a range over another time, what follows moving back or up.
    ///
    /// - Parameter duration: More than zero.
    package mutating func scale(_ range: CMTimeRange, to duration: CMTime) {
        guard end > range.start, range.duration > .zero, duration > .zero else { return }
        let new = CMTimeRange(start: range.start, duration: duration)
        func mapped(_ time: CMTime) -> CMTime { CMTimeMapTimeFromRangeToRange(time, fromRange: range, toRange: new) }
        let (first, last) = (split(at: range.start), split(at: range.end))
        move(from: last, by: duration - range.duration)
        for index in first..<last {
            let target = segments[index].target
            segments[index].target = CMTimeRange(start: mapped(target.start), end: mapped(target.end))
        }
        tidy(from: first)
    }

    /// Makes a segment begin at a time that lies within one.
    ///
    /// - Returns: The first segment from that time on.
    private mutating func split(at time: CMTime) -> Int {
        let index = segments.partitioningIndex { $0.target.end > time }
        guard index < segments.count, segments[index].target.start < time else { return index }
        let whole = segments[index]
        var (first, second) = (whole, whole)
        first.target = CMTimeRange(start: whole.target.start, end: time)
        second.target = CMTimeRange(start: time, end: whole.target.end)
        if !whole.isEmpty {
            let middle = whole.sourceTime(at: time)
            first.source = CMTimeRange(start: whole.source.start, end: middle)
            second.source = CMTimeRange(start: middle, end: whole.source.end)
        }
        segments.replaceSubrange(index...index, with: [first, second])
        return index + 1
    }

    private mutating func move(from index: Int, by distance: CMTime) {
        guard distance != .zero else { return }
        for index in index..<segments.count { segments[index] = segments[index].moved(by: distance) }
    }

    /// Makes one of emptiness that follows emptiness, and leaves out that at the end.
    ///
    /// - Parameter changed: The first segment that is not as it was when the others were tidy.
    private mutating func tidy(from changed: Int) {
        let first = max(0, changed - 2)
        guard segments[first...].contains(where: \.isEmpty) else { return }
        var tidied: [Segment] = []
        for segment in segments[first...] {
            if segment.isEmpty, let last = tidied.last, last.isEmpty {
                tidied[tidied.count - 1].target = CMTimeRange(start: last.target.start, end: segment.target.end)
            } else {
                tidied.append(segment)
            }
        }
        if tidied.last?.isEmpty == true { tidied.removeLast() }
        segments.replaceSubrange(first..., with: tidied)
    }
}

extension TrackTimeline.Segment {
    fileprivate func moved(by distance: CMTime) -> Self {
        guard distance != .zero else { return self }
        var moved = self
        moved.target = CMTimeRange(start: target.start + distance, duration: target.duration)
        return moved
    }
}
