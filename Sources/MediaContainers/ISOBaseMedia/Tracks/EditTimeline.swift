internal import MediaCore
internal import MediaIO

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

    package private(set) var segments: [Segment]
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

    /// Has all edits begin and end with a tick of the track, by which its samples are told.
    mutating func round(to timescale: UInt32, _ clock: MovieClock) {
        func rounded(_ time: Int128) -> Int128 {
            let ticks = (time * Int128(timescale)).divided(by: clock.ticksPerSecond, .nearest)
            return (ticks * clock.ticksPerSecond).divided(by: Int128(timescale), .nearest)
        }
        segments = segments.compactMap { segment in
            let span = rounded(segment.span.lowerBound)..<rounded(segment.span.upperBound)
            return span.isEmpty ? nil : Segment(span: span, media: segment.media)
        }
    }

    /// Where the last edit ends.
    var end: Int128 { segments.last?.span.upperBound ?? 0 }

    /// Where the first edit that shows something begins.
    var start: Int128 { segments.first { $0.media != nil }?.span.lowerBound ?? 0 }

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

/// What of its media a track shows when: `elst`.
///
/// Source: ISO/IEC 14496-12, "Edit List Box".
package struct EditList: Hashable, Sendable {
    /// A row of the list.
    package struct Segment: Hashable, Sendable {
        /// In the movie's timescale.
        package var duration: UInt64
        /// In the track's timescale; -1 for an empty edit.
        package var mediaTime: Int64
        /// 16.16 fixed point; 0 holds one moment.
        package var rate: Int32

        /// Shows something of the media at normal speed, or nothing.
        package init(duration: UInt64, mediaTime: Int64, rate: Int32 = 1 << 16) {
            (self.duration, self.mediaTime, self.rate) = (duration, mediaTime, rate)
        }
    }

    /// The rows in order.
    package var segments: [Segment]

    /// Rows that are read; files in use have a handful.
    static let maximumSegments = 100_000

    /// A list of rows.
    package init(_ segments: [Segment]) { self.segments = segments }

    /// Reads the content of a box: the rows that are there whole.
    ///
    /// - Parameter maximum: More rows than this are not read.
    init(content: [UInt8], maximum: Int = Self.maximumSegments) {
        let table = TableBytes(bytes: content)
        let isLong = table.version == 1
        let size = isLong ? 20 : 12
        segments = (0..<min(table.count(at: 4, entrySize: size), maximum)).map { index in
            let start = 8 + index * size
            return isLong
                ? Segment(
                    duration: table.u64(start), mediaTime: Int64(bitPattern: table.u64(start + 8)),
                    rate: Int32(bitPattern: table.u32(start + 16)))
                : Segment(
                    duration: UInt64(table.u32(start)), mediaTime: Int64(Int32(bitPattern: table.u32(start + 4))),
                    rate: Int32(bitPattern: table.u32(start + 8)))
        }
    }

    /// Reads the list among a track's boxes, no rows if it has none.
    init(in track: [Box], _ reader: BoxReader) {
        guard let edits = track.first(where: { $0.type == "edts" }),
            let list = reader.box(["elst"], in: edits.content)
        else {
            self.init([])
            return
        }
        self.init(content: reader.bytes(of: list, limit: 8 + 20 * Self.maximumSegments))
    }

    /// The list in its box, with 64 bits if it needs them.
    package var box: [UInt8] {
        let isLong = segments.contains { $0.duration > UInt32.max || $0.mediaTime > Int32.max }
        var content: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
        content.append(bigEndian: UInt32(segments.count))
        for segment in segments {
            if isLong {
                content.append(bigEndian: segment.duration)
                content.append(bigEndian: segment.mediaTime)
            } else {
                content.append(bigEndian: UInt32(segment.duration))
                content.append(bigEndian: Int32(segment.mediaTime))
            }
            content.append(bigEndian: segment.rate)
        }
        return .box("edts", .box("elst", content))
    }
}

/// How a time that falls between two ticks becomes one of them.
package enum TickRounding {
    case down
    case nearest
    case up
}

/// The ticks in which positions on the movie's timeline are reckoned.
///
/// They are fine enough that the movie's own ticks, the video's and those of
/// the requested range are all whole numbers of them, unless the timescales
/// have next to nothing in common. With at most 2^40 ticks per second and
/// times of at most 2^31 seconds no product here exceeds 127 bits.
package struct MovieClock: Sendable {
    let ticksPerSecond: Int128

    /// A finer clock than this is made coarser: products of its times with others stay within 128 bits.
    private static let maximumTicksPerSecond: Int128 = 1 << 40
    /// Times beyond this are no times of films: 68 years.
    static let maximumSeconds: Int128 = 1 << 31

    package init(timescales: [UInt32]) {
        var ticks: Int128 = 1
        for timescale in timescales where timescale > 0 {
            let multiple = ticks / Int128(greatestCommonDivisor(UInt64(ticks), UInt64(timescale))) * Int128(timescale)
            if multiple <= Self.maximumTicksPerSecond { ticks = multiple }
        }
        ticksPerSecond = ticks
    }

    /// A time in other units, as ticks.
    ///
    /// - Throws: If the time is too long to be true.
    func ticks(_ value: Int128, per timescale: UInt32, _ rounding: TickRounding) throws(MovieError) -> Int128 {
        guard timescale > 0, value.magnitude / Int128(timescale).magnitude <= Self.maximumSeconds.magnitude else {
            throw MovieError(.damaged, "a time lies beyond 68 years")
        }
        return (value * ticksPerSecond).divided(by: Int128(timescale), rounding)
    }

    /// Ticks as a time in other units.
    func value(_ ticks: Int128, per timescale: UInt32, _ rounding: TickRounding) -> Int64 {
        Int64(clamping: (ticks * Int128(timescale)).divided(by: ticksPerSecond, rounding))
    }

    /// Whether a time is a whole number of units.
    func isExact(_ ticks: Int128, per timescale: UInt32) -> Bool {
        (ticks * Int128(timescale)) % ticksPerSecond == 0
    }

    /// The smallest number of parts of a unit that some times are all whole numbers of.
    func factor(for times: some Sequence<Int128>, per timescale: UInt32) -> Int128 {
        var factor: Int128 = 1
        for time in times where factor <= Int128(Int32.max) {
            let rest = UInt64((time.magnitude * Int128(timescale).magnitude) % ticksPerSecond.magnitude)
            let needed = UInt64(ticksPerSecond) / greatestCommonDivisor(rest, UInt64(ticksPerSecond))
            factor *= Int128(needed / greatestCommonDivisor(UInt64(factor), needed))
        }
        return factor
    }

    /// The time in the first out of some timescales that holds it, else in the coarsest that does.
    func time(_ ticks: Int128, preferring timescales: [UInt32]) -> CMTime {
        let usable = timescales.filter { $0 > 0 && $0 <= UInt32(Int32.max) }
        let common = greatestCommonDivisor(UInt64(truncatingIfNeeded: ticks.magnitude), UInt64(ticksPerSecond))
        let coarsest = UInt32(exactly: UInt64(ticksPerSecond) / common) ?? .max
        let exact = usable.first { isExact(ticks, per: $0) } ?? (coarsest <= UInt32(Int32.max) ? coarsest : nil)
        let scale = exact ?? usable.first ?? 1000
        return CMTime(value: value(ticks, per: scale, .nearest), timescale: Int32(scale))
    }
}

extension Int128 {
    /// The quotient by a positive number.
    func divided(by divisor: Int128, _ rounding: TickRounding) -> Int128 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        let floor = remainder < 0 ? quotient - 1 : quotient
        let fraction = remainder < 0 ? remainder + divisor : remainder
        switch rounding {
        case .down: return floor
        case .nearest: return fraction >= divisor - fraction ? floor + 1 : floor
        case .up: return fraction > 0 ? floor + 1 : floor
        }
    }
}
