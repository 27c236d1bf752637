internal import MediaCore

/// Which samples of a track are kept for a range, when they are shown, and
/// what their tables must say otherwise than before.
struct TrackCut {
    /// What may be done to a track's times beside its edit list.
    enum Treatment: Hashable {
        /// The edit list alone cuts.
        case edits
        /// The edit list cuts, and packets before the first are kept to decode it right.
        case sound(preroll: Int)
        /// The first shown sample is made to begin where the range does, so
        /// that readers that leave out samples begun earlier show it too.
        case beginsAtStart
        /// The first and the last sample are shortened to the range: they need no others.
        case shortened
        /// The samples' own text counts from the media's zero, so that no media time may change.
        case keepsMediaTimes
    }

    /// Samples that are kept, and what happens to their times.
    struct Run {
        var samples: Range<Int>
        /// The media time of their beginning in the old tables.
        var oldStart: Int64
        /// The same in the new ones.
        var newStart: Int64
    }

    /// A row of the new edit list.
    struct Edit {
        /// Counted from the beginning of the range, in the clock's ticks.
        var span: Range<Int128>
        /// `nil` for nothing.
        var mediaTime: Int64?
        var rate: Int32
    }

    private struct Shown {
        var edit: Int
        var media: Range<Int64>
        var first: Int
        var needed: Range<Int>
    }

    private(set) var runs: [Run] = []
    private(set) var edits: [Edit] = []
    /// Samples whose duration changes.
    private(set) var durations: [Int: UInt32] = [:]
    /// Samples whose composition offset changes.
    private(set) var offsets: [Int: Int32] = [:]
    /// What is added to all composition offsets, so that no media time is negative.
    private(set) var offsetShift: Int64 = 0
    /// Samples before the first shown one that decoding was found not to begin
    /// at, whatever the table of sync samples says.
    ///
    /// Readers look for the last sync sample before an edit, and must come to
    /// the one that the cut begins with.
    private(set) var unlisted: Set<Int> = []
    /// The sum of all durations.
    private(set) var mediaDuration: Int64 = 0
    /// How much of the first kept sample was cut off, in the track's timescale.
    private(set) var cutFromFirst: Int64 = 0

    /// Runs looked at for all segments of an edit list: half a second's work.
    private static let maximumWork = 50_000_000

    /// Samples that are kept.
    var sampleCount: Int { runs.reduce(0) { $0 + $1.samples.count } }

    /// Keeps everything as it is.
    init(all tables: SampleTables) {
        if tables.count > 0 { runs = [Run(samples: 0..<tables.count, oldStart: 0, newStart: 0)] }
        mediaDuration = tables.timing.end
    }

    /// Keeps all samples of a track that gives them no times, for as long as the movie lasts.
    init(untimed tables: SampleTables, length: Int128, timescale: UInt32, clock: MovieClock) {
        self.init(all: tables)
        edits = [Edit(span: 0..<length, mediaTime: 0, rate: 1 << 16)]
        mediaDuration = clock.value(length, per: timescale, .up)
    }

    init(
        _ tables: SampleTables, entries: EntryPoints, timeline: EditTimeline, range: Range<Int128>, timescale: UInt32,
        clock: MovieClock, treatment: Treatment
    ) throws(MovieError) {
        let pieces = timeline.segments(in: range)
        guard pieces.count * (tables.timing.lookupCost + 16) <= Self.maximumWork else {
            throw MovieError(.limit, "its edit list and its tables are too long together")
        }
        let shown = addEdits(pieces, tables, entries, range, timescale, clock, treatment)
        runs = Self.merged(shown.map(\.needed)).map { Run(samples: $0, oldStart: 0, newStart: 0) }
        for index in runs.indices { runs[index].oldStart = tables.timing.decodeTime(runs[index].samples.lowerBound) }
        // There is no table that could say where decoding begins.
        if treatment.isPicture, tables.entryPoints == nil, shown.contains(where: { $0.needed.lowerBound < $0.first }) {
            throw MovieError(.unsupported, "its table of sync samples is missing")
        }
        for piece in shown {
            unlisted.formUnion(tables.passedEntryPoints(to: piece.first, from: piece.needed.lowerBound))
        }
        if shown.count == 1, edits[shown[0].edit].rate == 1 << 16 {
            retime(shown[0], tables.timing, treatment)
        }
        placeRuns(tables.timing)
        guard durations.values.allSatisfy({ $0 < .max }) else {
            throw MovieError(.unsupported, "a gap between its samples is too long")
        }
        moveEdits(shown)
    }

    /// Adds a row for each piece of the old list, and tells which samples they show.
    private mutating func addEdits(
        _ pieces: [(segment: EditTimeline.Segment, part: Range<Int128>)], _ tables: SampleTables,
        _ entries: EntryPoints, _ range: Range<Int128>, _ timescale: UInt32, _ clock: MovieClock,
        _ treatment: Treatment
    ) -> [Shown] {
        var shown: [Shown] = []
        for (segment, part) in pieces {
            let span = (part.lowerBound - range.lowerBound)..<(part.upperBound - range.lowerBound)
            var edit = Edit(span: span, mediaTime: nil, rate: 1 << 16)
            if let media = segment.media {
                let start = media.mediaTime(
                    after: part.lowerBound - segment.span.lowerBound, per: timescale, clock: clock,
                    treatment.isPicture ? .down : .nearest)
                // Readers round an edit's duration to the nearest tick; a picture beyond that is never shown.
                let length = EditTimeline.MediaMapping(start: 0, rate: media.rate).mediaTime(
                    after: part.upperBound - part.lowerBound, per: timescale, clock: clock,
                    treatment.isPicture ? .nearest : .up)
                let end = start + max(1, length)
                if let samples = tables.samples(shownIn: start..<end, preroll: treatment.preroll, entries: entries) {
                    edit.mediaTime = start
                    edit.rate = media.rate
                    shown.append(
                        Shown(edit: edits.count, media: start..<end, first: samples.first, needed: samples.needed))
                }
            }
            edits.append(edit)
        }
        return shown
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    // MARK: Times of single samples

    private mutating func retime(_ shown: Shown, _ timing: SampleTiming, _ treatment: Treatment) {
        switch treatment {
        case .edits, .sound: break
        case .keepsMediaTimes: extendFirst(timing)
        case .beginsAtStart: beginFirst(shown, timing)
        case .shortened:
            beginFirst(shown, timing)
            let last = shown.needed.upperBound - 1
            let duration = durations[last] ?? timing.duration(last)
            let excess = timing.decodeTime(last) + Int64(timing.duration(last)) - shown.media.upperBound
            if excess > 0, Int64(duration) > excess { durations[last] = duration - UInt32(excess) }
        }
    }

    /// Lets the sample on screen at the start begin there, by the tables alone.
    private mutating func beginFirst(_ shown: Shown, _ timing: SampleTiming) {
        let first = shown.first
        let late = shown.media.lowerBound - timing.presentationTime(first)
        guard late > 0 else { return }
        if timing.hasOffsets {
            offsets[first] = Int32(exactly: Int64(timing.offset(first)) + late)
            return
        }
        let duration = Int64(timing.duration(first))
        guard late < duration else { return }
        if first == shown.needed.lowerBound {
            runs[0].oldStart += late
            cutFromFirst = late
        } else {
            let before = Int64(timing.duration(first - 1)) + late
            guard before < UInt32.max else { return }
            durations[first - 1] = UInt32(before)
        }
        durations[first] = UInt32(duration - late)
    }

    /// Lets the first kept sample begin at the media's zero, so that those after it stay where they are.
    private mutating func extendFirst(_ timing: SampleTiming) {
        guard let first = runs.first?.samples.lowerBound, first > 0 else { return }
        let duration = timing.decodeTime(first) + Int64(timing.duration(first))
        if duration < UInt32.max {
            durations[first] = UInt32(duration)
        } else {
            runs[0].samples = 0..<runs[0].samples.upperBound
        }
        runs[0].oldStart = 0
    }

    // MARK: Times of runs

    /// Puts the runs one after the other, so far apart that no picture of one is shown during the next.
    private mutating func placeRuns(_ timing: SampleTiming) {
        var end: Int64 = 0
        var shownUntil: Int64 = 0
        for index in runs.indices {
            let run = runs[index]
            let shown = timing.presentationBounds(of: run.samples)
            if index > 0 {
                let start = max(end, shownUntil - (shown.lowerBound - run.oldStart))
                let last = runs[index - 1].samples.upperBound - 1
                if start > end {
                    let duration = Int64(durations[last] ?? timing.duration(last)) + start - end
                    durations[last] = UInt32(clamping: duration)
                }
                runs[index].newStart = start
            }
            let last = run.samples.upperBound - 1
            end = runs[index].newStart + timing.decodeTime(last) + Int64(timing.duration(last))
            end -= timing.decodeTime(run.samples.lowerBound)
            // Only a single run has had times of its samples changed.
            if runs.count == 1 {
                for (sample, duration) in durations { end += Int64(duration) - Int64(timing.duration(sample)) }
            }
            shownUntil = max(end, runs[index].newStart + shown.upperBound - run.oldStart)
        }
        mediaDuration = end
    }

    /// Makes the edits' media times those of the new tables.
    private mutating func moveEdits(_ shown: [Shown]) {
        for piece in shown {
            let index = runs.partitioningIndex { $0.samples.lowerBound > piece.needed.lowerBound } - 1
            let run = runs[max(0, index)]
            edits[piece.edit].mediaTime = piece.media.lowerBound - run.oldStart + run.newStart
        }
        offsetShift = -(edits.compactMap(\.mediaTime).min().map { min($0, 0) } ?? 0)
        guard offsetShift > 0 else { return }
        for index in edits.indices { edits[index].mediaTime? += offsetShift }
    }
}

extension TrackCut.Treatment {
    fileprivate var isPicture: Bool { self == .edits || self == .beginsAtStart }

    fileprivate var preroll: Int { if case .sound(let preroll) = self { preroll } else { 0 } }
}
