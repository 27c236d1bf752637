internal import MediaCore
internal import MediaIO

/// The work of planning one cut.
struct MovieTrimPlanner {
    /// A kept track with all that cutting it takes.
    struct Kept {
        var track: MovieTrack
        var tables: SampleTables
        var timeline: EditTimeline
        var isChapterTrack: Bool
    }

    let source: MovieSource
    let brand: MovieBrand
    let options: MovieTrimOptions
    let clock: MovieClock
    var kept: [Kept]
    let requested: CMTimeRange
    /// Whether there is nothing to cut.
    let isWhole: Bool
    /// On the movie's timeline.
    private(set) var range: Range<Int128>
    var losses: [MovieLoss]
    /// The track whose pictures decide where the cut begins.
    var primary: Int?
    /// How much later the pictures come by the edit list than in a request.
    ///
    /// Readers that leave out a picture begun before the edit list's start, as
    /// libavformat does, show the next one at zero instead, and all others as
    /// much earlier. Requests are made on that timeline.
    private(set) var pictureShift: Int128 = 0

    var chunks: [MovieAssembly.Chunks] = []
    var ranges = SourceRanges()
    var newData: [UInt8] = []

    /// Ticks of a millionth of a second need no dividing.
    private static let finestTimescale: Int128 = 1 << 20

    init(
        _ trim: MovieTrim, range: CMTimeRange?, keeping ids: Set<UInt32>?, options: MovieTrimOptions
    ) throws(MovieError) {
        (source, brand, self.options) = (trim.source, trim.brand, options)
        if let range, !range.isValid || range.isIndefinite {
            throw MovieError(.emptyRange, "the range is not valid")
        }
        let cutsNothing = range.map { $0.start <= .zero && $0.end >= trim.presentedRange.end } ?? true
        var losses: [MovieLoss] = []
        let selected = try Self.select(trim, ids, options, cutsNothing: cutsNothing, &losses)
        let scales = selected.filter { $0.handler == "vide" }.map(\.timescale)
        let asked = range.map { [$0.start.timescale, $0.end.timescale] } ?? []
        clock = MovieClock(timescales: [trim.source.timescale] + scales + asked.map { UInt32(max(0, $0)) })
        let kept = try Self.read(selected, of: trim, clock, &losses)
        (self.kept, self.losses) = (kept, losses)
        let end = kept.map(\.timeline.end).max() ?? 0
        self.range = try Self.ticks(of: range, end: end, clock)
        isWhole = (range == nil || self.range == 0..<end) && options.movieTimescale == nil && !options.dropsHidden
        requested = range ?? trim.presentedRange
        primary = Self.primary(of: kept)
        guard !isWhole else { return }
        pictureShift = shiftOfPictures()
        self.range = min(self.range.lowerBound + pictureShift, end - 1)..<min(self.range.upperBound + pictureShift, end)
        for index in self.kept.indices where self.kept[index].track.handler != "soun" { refine(index) }
    }

    private static func read(
        _ tracks: [MovieTrack], of trim: MovieTrim, _ clock: MovieClock, _ losses: inout [MovieLoss]
    ) throws(MovieError) -> [Kept] {
        var kept: [Kept] = []
        for track in tracks {
            do throws(MovieError) {
                let tables = try SampleTables(track, trim.source.reader)
                if tables.missing > 0 {
                    losses.append(
                        MovieLoss(item: "track \(track.id)", reason: "\(tables.missing) samples lie in no chunk"))
                }
                let timeline = try EditTimeline(
                    track, tables, movieTimescale: trim.source.timescale, clock: clock)
                let info = trim.tracks.first { $0.id == track.id }
                kept.append(
                    Kept(
                        track: track, tables: tables, timeline: timeline,
                        isChapterTrack: info?.referencedAs.contains("chap") ?? false))
            } catch { throw error.of(track.id) }
        }
        return kept
    }

    private static func select(
        _ trim: MovieTrim, _ ids: Set<UInt32>?, _ options: MovieTrimOptions, cutsNothing: Bool,
        _ losses: inout [MovieLoss]
    ) throws(MovieError) -> [MovieTrack] {
        let reasons = options.targetBrand.map(trim.reasonsNotToHold) ?? [:]
        var selected: [MovieTrack] = []
        for (track, info) in zip(trim.source.tracks, trim.tracks) where ids?.contains(track.id) ?? true {
            if options.dropsChapterTracks, info.referencedAs.contains("chap") { continue }
            if track.handler == "hint", !cutsNothing {
                losses.append(
                    MovieLoss(item: "track \(track.id)", reason: "hints refer to samples by number and time"))
                continue
            }
            if let reason = reasons[track.id] { throw MovieError(.unsupported, reason, trackID: track.id) }
            selected.append(track)
        }
        guard !selected.isEmpty else { throw MovieError(.emptyRange, "no track is left") }
        return selected
    }

    private static func ticks(
        of range: CMTimeRange?, end: Int128, _ clock: MovieClock
    ) throws(MovieError) -> Range<Int128> {
        guard let range else { return 0..<end }
        func ticks(_ time: CMTime, infinite: Int128, _ rounding: TickRounding) throws(MovieError) -> Int128 {
            if time.isNegativeInfinity { return 0 }
            guard time.isNumeric, time.timescale > 0, time.seconds < 0x1p31 else { return infinite }
            return try clock.ticks(Int128(max(0, time.value)), per: UInt32(time.timescale), rounding)
        }
        let start = try ticks(range.start, infinite: end, .down)
        let stop = min(end, try ticks(range.end, infinite: end, .up))
        guard start < stop else { throw MovieError(.emptyRange, "the range holds nothing of the movie") }
        return start..<stop
    }

    static func primary(of kept: [Kept]) -> Int? {
        let videos = kept.indices.filter {
            kept[$0].track.handler == "vide" && !kept[$0].isChapterTrack && kept[$0].tables.count > 0
        }
        let enabled = videos.filter { kept[$0].track.isEnabled }
        // A track of one picture is a preview of the others.
        return enabled.first { kept[$0].tables.count > 1 } ?? enabled.first ?? videos.first
    }

    /// The same for tracks of which only facts are known.
    static func primary(of tracks: [MovieTrim.TrackInfo]) -> UInt32? {
        let videos = tracks.filter {
            $0.handler == "vide" && !$0.referencedAs.contains("chap") && $0.sampleCount > 0
        }
        let enabled = videos.filter(\.isEnabled)
        return (enabled.first { $0.sampleCount > 1 } ?? enabled.first ?? videos.first)?.id
    }

    /// How much later the pictures come by the edit list than in a request.
    var pictureShiftTime: CMTime { clock.time(pictureShift, preferring: [source.timescale]) }

    private func shiftOfPictures() -> Int128 {
        guard let primary, case let video = kept[primary], !video.timeline.isImplicit,
            !video.timeline.hasSeveralPieces,
            let segment = video.timeline.segments.first(where: { $0.media != nil }), let media = segment.media,
            let first = video.tables.timing.earliestTime(from: media.start),
            let distance = media.distance(ofMediaTime: first, per: video.track.timescale, clock: clock),
            distance < segment.span.upperBound - segment.span.lowerBound
        else { return 0 }
        return distance
    }

    /// Gives a track finer ticks if the range begins or ends between its own.
    ///
    /// In some movies a tick is as long as a picture. All times of the tables
    /// are multiplied, which changes nothing but that times between them can be told.
    private mutating func refine(_ index: Int) {
        let old = kept[index]
        let cuts = [range.lowerBound, range.upperBound].map { moment in
            moment - (old.timeline.segment(at: moment - 1)?.span.lowerBound ?? 0)
        }
        var factor = clock.factor(for: cuts, per: old.track.timescale)
        let timescale = Int128(old.track.timescale)
        if timescale * factor > Self.finestTimescale { factor = max(1, Self.finestTimescale / timescale) }
        guard factor > 1 else { return }
        var track = old.track
        track.timescale = UInt32(timescale * factor)
        for edit in track.edits.indices where track.edits[edit].mediaTime > 0 {
            let (time, overflow) = track.edits[edit].mediaTime.multipliedReportingOverflow(by: Int64(factor))
            guard !overflow else { return }
            track.edits[edit].mediaTime = time
        }
        // Without finer ticks the cut is less exact, but still one.
        guard let tables = try? SampleTables(track, source.reader, factor: UInt32(factor)),
            var timeline = try? EditTimeline(track, tables, movieTimescale: source.timescale, clock: clock)
        else { return }
        // Readers know the coarser ticks only.
        if old.track.handler == "vide", timeline.hasSeveralPieces { timeline.round(to: old.track.timescale, clock) }
        kept[index] = Kept(track: track, tables: tables, timeline: timeline, isChapterTrack: old.isChapterTrack)
    }

    // MARK: Treatment

    /// What may be done to a track's times.
    func treatment(of index: Int) -> TrackCut.Treatment {
        let (track, tables) = (kept[index].track, kept[index].tables)
        let isIndependent = tables.entryPoints == nil && !tables.timing.hasOffsets
        switch track.handler {
        case "soun": return .sound(preroll: SoundPreroll(track, tables, source.reader).count)
        case "vide":
            if kept[index].isChapterTrack && isIndependent { return .shortened }
            return .beginsAtStart
        default:
            if track.entries.contains(where: { $0.type == "stpp" }) { return .keepsMediaTimes }
            return isIndependent ? .shortened : .edits
        }
    }
}
