internal import MediaCore

/// What a track shows when, by its edit list: on the movie's timeline, in the ticks of a clock.
package struct EditTimeline {
    /// A stretch of the movie's timeline.
    package struct Segment {
        /// On the movie's timeline.
        package var span: Range<Int128>
        /// What is shown of the media; `nil` for nothing.
        package var media: MediaMapping?
    }

    /// How movie time becomes media time.
    package struct MediaMapping {
        /// The media time at the segment's start.
        package var start: Int64
        /// 16.16 fixed point; 0 holds one moment.
        var rate: Int32
    }

    package let segments: [Segment]
    /// Whether the track has no edit list, so that it shows its media from the first moment.
    let isImplicit: Bool

    private static let normalRate: Int32 = 1 << 16
    /// Beyond a hundredfold speed nothing is meant seriously.
    private static let maximumRate: Int32 = 100 << 16

    /// - Parameters:
    ///   - mediaEnd: Where the media end, in the track's timescale.
    init(
        edits: [EditList.Segment], mediaEnd: Int64, timescale: UInt32, movieTimescale: UInt32, clock: MovieClock
    ) throws(MovieError) {
        isImplicit = edits.isEmpty
        guard !edits.isEmpty else {
            let end = try clock.ticks(Int128(mediaEnd), per: timescale, .up)
            segments = end > 0 ? [Segment(span: 0..<end, media: MediaMapping(start: 0, rate: Self.normalRate))] : []
            return
        }
        var segments: [Segment] = []
        var position: Int128 = 0
        for (index, edit) in edits.enumerated() {
            var duration = try clock.ticks(Int128(edit.duration), per: movieTimescale, .nearest)
            // A last edit without a duration stands for the rest of the media.
            if edit.duration == 0, index == edits.count - 1, edit.mediaTime >= 0, mediaEnd > edit.mediaTime {
                duration = try clock.ticks(Int128(mediaEnd - edit.mediaTime), per: timescale, .up)
            }
            guard duration > 0 else { continue }
            let end = position + duration
            guard end / clock.ticksPerSecond <= MovieClock.maximumSeconds, edit.mediaTime < 1 << 61 else {
                throw MovieError(.damaged, "its edit list is longer than can be")
            }
            guard (0...Self.maximumRate).contains(edit.rate) || edit.mediaTime < 0 else {
                throw MovieError(.unsupported, "it is played backwards or at more than a hundredfold speed")
            }
            segments.append(
                Segment(
                    span: position..<end,
                    media: edit.mediaTime < 0 ? nil : MediaMapping(start: edit.mediaTime, rate: edit.rate)))
            position = end
        }
        self.segments = segments
    }

    /// Where the last edit ends.
    var end: Int128 { segments.last?.span.upperBound ?? 0 }

    /// Where the first edit that shows something begins.
    package var start: Int128 { segments.first { $0.media != nil }?.span.lowerBound ?? 0 }

    /// The segment at a time.
    func segment(at time: Int128) -> Segment? {
        let index = segments.partitioningIndex { $0.span.upperBound > time }
        return index < segments.count && segments[index].span.contains(time) ? segments[index] : nil
    }

    /// The segments inside a range, and of each the part that lies inside.
    func segments(in range: Range<Int128>) -> [(segment: Segment, part: Range<Int128>)] {
        segments.compactMap { segment in
            let part = segment.span.clamped(to: range)
            return part.isEmpty ? nil : (segment, part)
        }
    }
}

extension EditTimeline.MediaMapping {
    /// The media time at a distance from the segment's start.
    package func mediaTime(
        after distance: Int128, per timescale: UInt32, clock: MovieClock, _ rounding: TickRounding
    ) -> Int64 {
        let span = (distance * Int128(timescale) * Int128(rate)).divided(by: clock.ticksPerSecond << 16, rounding)
        // Beyond 2^61 ticks there are no media, and sums of two such times must fit.
        return Int64(min(Int128(start) + span, 1 << 61))
    }

    /// How far from the segment's start a media time is shown; `nil` if the segment holds one moment.
    func distance(ofMediaTime time: Int64, per timescale: UInt32, clock: MovieClock) -> Int128? {
        guard rate > 0 else { return nil }
        let span = Int128(time - start) * (clock.ticksPerSecond << 16)
        return span.divided(by: Int128(timescale) * Int128(rate), .nearest)
    }
}
