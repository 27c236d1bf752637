/// When the samples of a track that is put together are decoded and shown: tables and edit list.
///
/// libavformat gives the first sample of an edit, in decode order, the edit's time on the movie's timeline, and takes
/// off all times what the first picture then comes too late by. All is right there only if each edit's media time is
/// as much later than the decode time of that sample. So composition times are kept here as if that were nothing, and
/// all get one ``lead`` in the end.
struct JoinedTimeline {
    /// A row of the edit list.
    struct Edit {
        /// On the movie's timeline, in the clock's ticks.
        var span: Range<Int128>
        /// `nil` for nothing.
        var media: Int64?
        var rate: Int32
        /// Whether the row before could go on instead.
        var isSplit = false
        /// Whether no sample begins in it: what does in the next one would be given this one's time if both were one.
        var isIdle = false
    }

    /// What a piece shows.
    struct Shown {
        /// On the new movie's timeline, in the clock's ticks.
        var span: Range<Int128>
        /// By the piece's own tables, in the common timescale.
        var media: EditTimeline.MediaMapping
    }

    let clock: MovieClock
    let timescale: UInt32
    private(set) var durations = CountedRows<UInt32>()
    private var offsets = CountedRows<Int64>()
    private(set) var edits: [Edit] = []
    private(set) var sampleCount = 0
    /// Where the last sample ends in decode time.
    private(set) var end: Int64 = 0
    /// How much later everything is composed than decoded, for no offset to be below zero.
    private(set) var lead: Int64 = 0
    /// Where the last sample ends in composition time.
    private var shownUntil: Int64 = 0
    /// Samples that come after the last edit's end.
    private var tail: [Range<Int>] = []
    /// Where in its own media time the last piece's last edit ends.
    private(set) var lastMediaEnd: Int64 = 0

    /// Edits that readers of movies take.
    private static let maximumEdits = EditList.maximumSegments
    private static let normalRate: Int32 = 1 << 16

    init(clock: MovieClock, timescale: UInt32) { (self.clock, self.timescale) = (clock, timescale) }

    /// Where the last edit ends.
    var editEnd: Int128 { edits.last?.span.upperBound ?? 0 }
    /// Whether something was shown yet.
    var hasShown: Bool { edits.contains { $0.media != nil } }
    /// Rows of its tables.
    var rowCount: Int { durations.rows.count + offsets.rows.count }
    /// How long the last sample lasts.
    var lastDuration: UInt32 { durations.rows.last?.number ?? 0 }

    // MARK: Adding samples

    /// Adds the samples of a piece, and an edit for each time that it shows some.
    mutating func append(
        _ timing: SampleTiming, _ shown: [Shown], _ kind: Kind, gaps: MovieJoin.GapForm
    ) throws(MovieError) {
        guard let first = shown.first, let last = shown.last else { return }
        let firstMedia = media(of: first, kind)
        let early = kind == .pictures ? timing.early(at: first.media) : nil
        let lag = kind == .pictures ? firstMedia.lowerBound - timing.firstDecoded(in: firstMedia, early) : 0
        try checkSpan(firstMedia, lag)
        let bounds = timing.presentationBounds(of: 0..<timing.count)
        let start = sampleCount == 0 ? 0 : max(end, shownUntil - bounds.lowerBound + lag)
        if start > end { try lengthen(by: start - end) }
        lastMediaEnd = media(of: last, kind).upperBound
        tail = timing.samples(from: lastMediaEnd).map {
            ($0.lowerBound + sampleCount)..<($0.upperBound + sampleCount)
        }
        append(timing, start: start, lag: lag, early)
        end = start + timing.end
        // The last picture may stay longer than its sample lasts.
        shownUntil = max(end, start + max(bounds.upperBound, lastMediaEnd) - lag)
        lead = max(lead, lag)
        for one in shown {
            let isLater = hasShown
            if one.span.lowerBound > editEnd {
                // What comes before the first one is the caller's.
                if isLater, gaps == .readable {
                    try idle(until: one.span.lowerBound)
                } else {
                    try addEmpty(until: one.span.lowerBound)
                }
            }
            let edit = Edit(span: one.span, media: start + one.media.start - lag, rate: one.media.rate)
            if kind == .packets, isLater, let part = partialPacket(of: one, timing) {
                try add(Edit(span: one.span.lowerBound..<part.end, media: edit.media, rate: edit.rate))
                let rest = part.end..<one.span.upperBound
                try add(Edit(span: rest, media: start + part.media - lag, rate: edit.rate, isSplit: true))
            } else {
                try add(edit)
            }
        }
    }

    /// What may be done to a track's times.
    enum Kind {
        case pictures
        /// Sound in packets of many samples.
        case packets
        case others
    }

    private func media(of shown: Shown, _ kind: Kind) -> Range<Int64> {
        let length = EditTimeline.MediaMapping(start: 0, rate: shown.media.rate).mediaTime(
            after: shown.span.upperBound - shown.span.lowerBound, per: timescale, clock: clock,
            kind == .pictures ? .nearest : .up)
        return shown.media.start..<(shown.media.start + max(1, length))
    }

    /// Sums of times must fit.
    private func checkSpan(_ media: Range<Int64>, _ lag: Int64) throws(MovieError) {
        guard media.upperBound < 1 << 60, lag.magnitude < 1 << 60, end < 1 << 60, shownUntil < 1 << 60 else {
            throw MovieError(.limit, "it lasts longer than can be")
        }
    }

    private mutating func append(_ timing: SampleTiming, start: Int64, lag: Int64, _ early: (sample: Int, by: Int64)?) {
        var least: Int64 = 0
        timing.forEachRun(in: 0..<timing.count) { run in
            durations.append(run.duration, times: run.samples.count)
            let offset = Int64(run.offset) - lag
            least = min(least, offset)
            if let early, run.samples.contains(early.sample) {
                offsets.append(offset, times: early.sample - run.samples.lowerBound)
                offsets.append(offset + early.by, times: 1)
                offsets.append(offset, times: run.samples.upperBound - early.sample - 1)
            } else {
                offsets.append(offset, times: run.samples.count)
            }
        }
        sampleCount += timing.count
        lead = max(lead, -least)
    }

    /// Adds samples of new data that are shown until a time.
    ///
    /// - Parameter duration: Of each.
    mutating func append(_ count: Int, lasting duration: UInt32, until time: Int128) throws(MovieError) {
        let start = max(end, shownUntil)
        if start > end { try lengthen(by: start - end) }
        durations.append(duration, times: count)
        offsets.append(0, times: count)
        sampleCount += count
        tail = []
        let (length, overflow) = Int64(duration).multipliedReportingOverflow(by: Int64(count))
        guard !overflow, length < 1 << 60 else { throw MovieError(.limit, "it lasts longer than can be") }
        end = start + length
        shownUntil = end
        try add(Edit(span: editEnd..<time, media: start, rate: Self.normalRate))
    }

    /// Adds samples that are not shown, after all that is.
    mutating func appendHidden(_ count: Int) {
        guard count > 0 else { return }
        // With a composition offset there is a table of them, which readers' ways depend on.
        let offset = max(1, shownUntil - end)
        durations.append(1, times: count)
        offsets.append(offset, times: count)
        tail.append(sampleCount..<(sampleCount + count))
        sampleCount += count
        end += Int64(count)
        shownUntil = end + offset
    }

    /// Where on the movie's timeline a packet ends that an edit begins in the middle of.
    ///
    /// libavformat leaves such a packet out, but for the first edit's, and lets the next begin where the edit does.
    /// An edit of its own for the rest of the packet keeps the next one in its place.
    private func partialPacket(of shown: Shown, _ timing: SampleTiming) -> (end: Int128, media: Int64)? {
        guard shown.media.rate == Self.normalRate, let sample = timing.sample(shownAt: shown.media.start) else {
            return nil
        }
        let (start, length) = (timing.presentationTime(sample), Int64(timing.duration(sample)))
        let rest = Int128(start + length - shown.media.start) * clock.ticksPerSecond
        guard start < shown.media.start, rest > 0, rest.isMultiple(of: Int128(timescale)),
            case let end = shown.span.lowerBound + rest / Int128(timescale), end < shown.span.upperBound
        else { return nil }
        return (end, start + length)
    }

    private mutating func lengthen(by ticks: Int64) throws(MovieError) {
        guard let row = durations.removeLast(1).first, let duration = UInt32(exactly: Int64(row.number) + ticks) else {
            throw MovieError(.unsupported, "a gap between its samples is too long")
        }
        durations.append(duration, times: 1)
        end += ticks
    }

    // MARK: Edits

    private mutating func add(_ edit: Edit) throws(MovieError) {
        guard !edit.span.isEmpty else { return }
        if let last = edits.last, !edit.isSplit, goesOn(last, edit) {
            edits[edits.count - 1].span = last.span.lowerBound..<edit.span.upperBound
            return
        }
        guard edits.count < Self.maximumEdits else { throw MovieError(.limit, "its edit list would be too long") }
        edits.append(edit)
    }

    /// Whether an edit shows what comes next in the media.
    private func goesOn(_ last: Edit, _ next: Edit) -> Bool {
        guard !last.isIdle, last.span.upperBound == next.span.lowerBound, last.rate == next.rate else { return false }
        guard let media = last.media, let nextMedia = next.media else { return last.media == nil && next.media == nil }
        let length = (last.span.upperBound - last.span.lowerBound) * Int128(timescale)
        return last.rate == Self.normalRate && length == Int128(nextMedia - media) * clock.ticksPerSecond
    }

    /// Takes back the edits that are there for packets alone.
    mutating func removeSplits() {
        var result: [Edit] = []
        for edit in edits {
            if edit.isSplit, let last = result.last {
                result[result.count - 1].span = last.span.lowerBound..<edit.span.upperBound
            } else {
                result.append(edit)
            }
        }
        edits = result
    }

    // MARK: Gaps

    /// Shows nothing until a time, by an empty edit.
    mutating func addEmpty(until time: Int128) throws(MovieError) {
        try add(Edit(span: editEnd..<time, media: nil, rate: Self.normalRate))
    }

    /// Holds the last picture until a time.
    ///
    /// - Returns: Whether that is possible.
    mutating func hold(until time: Int128) throws(MovieError) -> Bool {
        guard let last = edits.last, let media = last.media, last.rate == Self.normalRate else { return false }
        let mapping = EditTimeline.MediaMapping(start: media, rate: last.rate)
        func mediaEnd(_ time: Int128, _ rounding: TickRounding) -> Int64 {
            mapping.mediaTime(after: time - last.span.lowerBound, per: timescale, clock: clock, rounding)
        }
        let (oldEnd, newEnd) = (mediaEnd(last.span.upperBound, .nearest), mediaEnd(time, .up))
        delay(by: newEnd - oldEnd)
        if newEnd > end { try lengthen(by: newEnd - end) }
        shownUntil = max(shownUntil, end)
        edits[edits.count - 1].span = last.span.lowerBound..<time
        return true
    }

    /// Lets the samples that come after the last edit's end do so later.
    private mutating func delay(by ticks: Int64) {
        guard let first = tail.first?.lowerBound, ticks > 0 else { return }
        shownUntil += ticks
        var sample = first
        for row in offsets.removeLast(sampleCount - first) {
            let rowEnd = sample + row.count
            for range in tail where range.overlaps(sample..<rowEnd) {
                let part = range.clamped(to: sample..<rowEnd)
                offsets.append(row.number, times: part.lowerBound - sample)
                offsets.append(row.number + ticks, times: part.count)
                sample = part.upperBound
            }
            offsets.append(row.number, times: rowEnd - sample)
            sample = rowEnd
        }
    }

    /// Shows a stretch of the media until a time in which no sample begins.
    mutating func idle(until time: Int128) throws(MovieError) {
        let length = EditTimeline.MediaMapping(start: 0, rate: Self.normalRate).mediaTime(
            after: time - editEnd, per: timescale, clock: clock, .up)
        let start = max(end, shownUntil)
        try lengthen(by: start + length - end)
        shownUntil = end
        try add(Edit(span: editEnd..<time, media: start, rate: Self.normalRate, isIdle: true))
    }

    // MARK: Boxes

    /// Whether all media are shown from the first moment on, which needs no edit list.
    var isPlain: Bool {
        guard let edit = edits.first, edits.count == 1, edit.span.lowerBound == 0, edit.rate == Self.normalRate else {
            return false
        }
        return edit.media == 0 && lead == 0
            && edit.span.upperBound * Int128(timescale) == Int128(end) * clock.ticksPerSecond
    }

    var durationBox: [UInt8] { durations.box("stts") { $0 } }

    /// The box `ctts`; `nil` if all samples are shown when they are decoded.
    func offsetBox() throws(MovieError) -> [UInt8]? {
        guard offsets.rows.contains(where: { $0.number + lead != 0 }) else { return nil }
        guard offsets.rows.allSatisfy({ Int32(exactly: $0.number + lead) != nil }) else {
            throw MovieError(.unsupported, "its samples are too far apart for their ticks")
        }
        return offsets.box("ctts") { UInt32(bitPattern: Int32(truncatingIfNeeded: $0 + lead)) }
    }

    /// The rows of the edit list in a movie's timescale.
    func fileEdits(per movieTimescale: UInt32) -> [EditList.Segment] {
        func value(_ time: Int128) -> Int64 { clock.value(time, per: movieTimescale, .nearest) }
        return edits.compactMap { edit in
            let duration = value(edit.span.upperBound) - value(edit.span.lowerBound)
            guard duration > 0 else { return nil }
            return EditList.Segment(
                duration: UInt64(duration), mediaTime: edit.media.map { $0 + lead } ?? -1, rate: edit.rate)
        }
    }
}

extension SampleTiming {
    /// The sample that is on screen when an edit begins, and how much earlier than that it does.
    func early(at media: EditTimeline.MediaMapping) -> (sample: Int, by: Int64)? {
        guard media.rate == 1 << 16, let sample = sample(shownAt: media.start) else { return nil }
        let late = media.start - presentationTime(sample)
        return late > 0 && late < Int64(Int32.max) ? (sample, late) : nil
    }

    /// The decode time of the first sample in decode order that is shown in a range.
    func firstDecoded(in media: Range<Int64>, _ early: (sample: Int, by: Int64)?) -> Int64 {
        var found: Int?
        forEachRun(in: 0..<count) { run in
            guard found == nil else { return }
            let next = run.last(shownBy: media.lowerBound - 1).map { $0 + 1 } ?? run.samples.lowerBound
            if next < run.samples.upperBound, run.presentationTime(next) < media.upperBound { found = next }
        }
        if let early { found = min(found ?? early.sample, early.sample) }
        return found.map(decodeTime) ?? media.lowerBound
    }

    /// The samples that are shown from a time on, in decode order.
    func samples(from time: Int64) -> [Range<Int>] {
        var result: [Range<Int>] = []
        forEachRun(in: 0..<count) { run in
            let next = run.last(shownBy: time - 1).map { $0 + 1 } ?? run.samples.lowerBound
            guard next < run.samples.upperBound else { return }
            if let last = result.last, last.upperBound == next {
                result[result.count - 1] = last.lowerBound..<run.samples.upperBound
            } else {
                result.append(next..<run.samples.upperBound)
            }
        }
        return result
    }
}
