internal import MediaCore
internal import MediaIO

extension MovieTrimPlanner {
    /// What a kept track has become.
    private struct Built {
        var node: MovieNode
        var track: MovieTrimPlan.Track
        /// In the new movie's timescale.
        var duration: UInt64
    }

    /// Cuts all tracks and puts the new movie together.
    mutating func plan() throws(MovieError) -> MovieTrimPlan {
        var cuts: [TrackCut] = []
        for index in kept.indices {
            do throws(MovieError) {
                cuts.append(try cut(index))
            } catch { throw error.of(kept[index].track.id) }
        }
        try dropAbsent(&cuts)
        let timescale = newTimescale(cuts)
        var built: [Built] = []
        for index in kept.indices {
            do throws(MovieError) {
                built.append(try build(index, cuts[index], timescale: timescale))
                // The tables of a long film are large, and the next track's come beside the new ones.
                kept[index].tables = SampleTables()
            } catch { throw error.of(kept[index].track.id) }
        }
        let movie = try movieNode(built, timescale: timescale)
        let (head, tail) = try fileBoxes()
        let media = MediaDataLayout(ranges.ranges)
        let assembly = MovieAssembly(
            head: head, tail: tail, movie: movie, chunks: chunks, newData: newData, media: media)
        let preferred = [source.timescale, timescale]
        return MovieTrimPlan(
            requestedRange: requested,
            actualRange: CMTimeRange(
                start: clock.time(range.lowerBound - pictureShift, preferring: preferred),
                end: clock.time(range.upperBound - pictureShift, preferring: preferred)),
            pictureShift: clock.time(pictureShift, preferring: preferred), tracks: built.map(\.track), losses: losses,
            assembly: assembly)
    }

    private func cut(_ index: Int) throws(MovieError) -> TrackCut {
        let (track, tables) = (kept[index].track, kept[index].tables)
        if isWhole { return TrackCut(all: tables) }
        if tables.timing.end == 0, tables.count > 1 {
            return TrackCut(
                untimed: tables, length: range.upperBound - range.lowerBound, timescale: track.timescale, clock: clock)
        }
        return try TrackCut(
            tables, entries: EntryPoints(tables, track, file: source.file), timeline: kept[index].timeline,
            range: range, timescale: track.timescale, clock: clock, treatment: treatment(of: index))
    }

    /// Leaves out pictures and sound that the range has nothing of: readers
    /// make little of such tracks without a sample.
    private mutating func dropAbsent(_ cuts: inout [TrackCut]) throws(MovieError) {
        for index in kept.indices.reversed()
        where cuts[index].sampleCount == 0 && kept[index].tables.count > 0
            && ["vide", "soun"].contains(kept[index].track.handler)
        {
            losses.append(MovieLoss(item: "track \(kept[index].track.id)", reason: "the range holds nothing of it"))
            kept.remove(at: index)
            cuts.remove(at: index)
        }
        guard !kept.isEmpty else { throw MovieError(.emptyRange, "the range holds nothing of the movie") }
        primary = Self.primary(of: kept)
    }

    // MARK: The movie's timescale

    /// The coarsest timescale that holds all new edits, the old one if it does.
    private func newTimescale(_ cuts: [TrackCut]) -> UInt32 {
        if let timescale = options.movieTimescale { return timescale }
        guard !isWhole else { return source.timescale }
        var moments: Set<Int128> = [range.upperBound - range.lowerBound]
        for (cut, kept) in zip(cuts, kept) where !kept.timeline.isImplicit {
            for edit in cut.edits.prefix(1000) { moments.insert(edit.span.upperBound) }
        }
        var candidates = [Int128(source.timescale)]
        if let primary { candidates.append(Int128(kept[primary].track.timescale)) }
        candidates.append(candidates[0] * clock.factor(for: moments, per: source.timescale))
        candidates.append(clock.ticksPerSecond)
        let usable = candidates.filter { $0 <= Int128(Int32.max) }.map { UInt32($0) }
        func misses(_ timescale: UInt32) -> Int { moments.count { !clock.isExact($0, per: timescale) } }
        return usable.first { misses($0) == 0 } ?? usable.min { misses($0) < misses($1) } ?? source.timescale
    }

    private func fileEdits(_ cut: TrackCut, timescale: UInt32) -> [EditList.Segment] {
        let length = range.upperBound - range.lowerBound
        // Nothing that is shown may be lost by rounding, and nothing follows the end that could be shown by it.
        func value(_ time: Int128) -> Int64 { clock.value(time, per: timescale, time == length ? .up : .nearest) }
        var edits = cut.edits.compactMap { edit -> EditList.Segment? in
            let duration = value(edit.span.upperBound) - value(edit.span.lowerBound)
            guard duration > 0 else { return nil }
            return EditList.Segment(
                duration: UInt64(duration), mediaTime: edit.mediaTime ?? -1,
                rate: edit.mediaTime == nil ? 1 << 16 : edit.rate)
        }
        if edits.isEmpty { edits = [EditList.Segment(duration: UInt64(value(length)), mediaTime: -1, rate: 1 << 16)] }
        return edits
    }

    /// The edit list of a whole track whose last row has no duration, with one.
    ///
    /// Not all readers take such a row for the rest of the media. `nil` for lists that stay as they are.
    private func closedEdits(_ index: Int, timescale: UInt32) -> [EditList.Segment]? {
        var edits = kept[index].track.edits
        guard let last = edits.last, last.duration == 0, last.mediaTime >= 0 else { return nil }
        let before = edits.reduce(UInt64(0)) { $0.addingReportingOverflow($1.duration).partialValue }
        let end = UInt64(max(0, clock.value(kept[index].timeline.end, per: timescale, .up)))
        guard end > before else { return nil }
        edits[edits.count - 1].duration = end - before
        return edits
    }

    // MARK: One track

    private mutating func build(
        _ index: Int, _ cut: TrackCut, timescale: UInt32
    ) throws(MovieError) -> Built {
        let (track, tables) = (kept[index].track, kept[index].tables)
        try source.checkReferences(of: track)
        let ranges = cut.runs.map(\.samples)
        var list = ChunkList()
        for range in ranges { try list.add(range, tables, fileByteCount: source.file.byteCount) }
        let byteCount = list.byteCount
        var text: TextConversion?
        if TextConversion.applies(to: track, conversion) {
            let converted = try TextConversion(ranges, tables, file: source.file)
            text = converted
            list = list.inNewData(at: UInt64(newData.count))
            newData += converted.data
            if converted.styledCount > 0 {
                losses.append(
                    MovieLoss(
                        item: "styles of track \(track.id)",
                        reason: "QuickTime's are of another form than MP4's: \(converted.styledCount) texts"))
            }
        }
        if let data = timecode(list, track, cut) {
            list = list.inNewData(at: UInt64(newData.count))
            newData += data
        }
        self.ranges.formUnion(list.intervals)
        list.intervals = []
        chunks.append(MovieAssembly.Chunks(offsets: list.offsets, isNewData: list.isNewData))
        var auxiliary = try AuxiliaryInformation(
            track.tableBoxes, tables, ranges: ranges, source.reader, file: source.file)
        auxiliary?.position = UInt64(newData.count)
        newData += auxiliary?.bytes ?? []
        let writer = SampleTableWriter(
            tables: tables, cut: cut, reader: source.reader, index: index, chunkRuns: list.table, auxiliary: auxiliary,
            text: text)
        let edits = isWhole ? [] : fileEdits(cut, timescale: timescale)
        let closed = isWhole ? closedEdits(index, timescale: timescale) : nil
        let duration =
            isWhole
            ? UInt64(max(0, clock.value(kept[index].timeline.end, per: timescale, .up)))
            : edits.reduce(0) { $0 + $1.duration }
        // Some headers count what the edit list hides.
        let isOverstated = isWhole && !track.edits.isEmpty && track.header.duration.map { $0 > duration } == true
        let trackWriter = TrackWriter(
            track: track, reader: source.reader, conversion: conversion, newIDs: newIDs,
            enables: options.enabledTracks.contains(track.id))
        let node = try trackWriter.node(
            tables: try writer.nodes(from: track.tableBoxes), mediaDuration: UInt64(max(0, cut.mediaDuration)),
            edits: isWhole ? closed : needsNoEdits(index, cut) ? [] : edits,
            duration: isWhole && !isOverstated && closed == nil ? nil : duration)
        return Built(node: node, track: summary(index, cut, byteCount, edits, timescale), duration: duration)
    }

    /// Whether a track without an edit list goes on without one.
    private func needsNoEdits(_ index: Int, _ cut: TrackCut) -> Bool {
        let timeline = kept[index].timeline
        return timeline.isImplicit && timeline.end > 0 && range.lowerBound == 0 && timeline.end <= range.upperBound
            && cut.sampleCount == kept[index].tables.count && cut.durations.isEmpty && cut.offsetShift == 0
    }

    private func summary(
        _ index: Int, _ cut: TrackCut, _ byteCount: UInt64, _ edits: [EditList.Segment], _ timescale: UInt32
    ) -> MovieTrimPlan.Track {
        let (track, tables, timeline) = (kept[index].track, kept[index].tables, kept[index].timeline)
        var presented = timeline.presentedRange(clock: clock, timescales: [timescale, track.timescale])
        if !isWhole {
            let lead = edits.prefix { $0.mediaTime < 0 }.reduce(0) { $0 + $1.duration }
            let end = edits.reduce(0) { $0 + $1.duration }
            let scale = Int32(clamping: timescale)
            presented = CMTimeRange(
                start: CMTime(value: Int64(clamping: lead), timescale: scale),
                end: CMTime(value: Int64(clamping: end), timescale: scale))
        }
        return MovieTrimPlan.Track(
            id: track.id, handler: track.handler, sampleCount: cut.sampleCount, sourceSampleCount: tables.count,
            byteCount: byteCount, presentedRange: presented)
    }

    /// A timecode track's samples with the start that they have after the cut;
    /// `nil` if they stay as they are.
    ///
    /// Players count on from the sample's number by the media time, but
    /// libavformat reads the number alone: cutting the sample and advancing its
    /// number makes both right.
    private func timecode(_ list: ChunkList, _ track: MovieTrack, _ cut: TrackCut) -> [UInt8]? {
        guard cut.cutFromFirst > 0, track.entries.count == 1,
            let description = TimecodeDescription(track.entries[0]), list.byteCount <= 1 << 16
        else { return nil }
        let data = list.parts.flatMap { source.file.read($0, limit: 1 << 16) ?? [] }
        guard data.count == Int(list.byteCount) else { return nil }
        return description.advanced(data, by: cut.cutFromFirst, timescale: track.timescale)
    }

    /// The tracks that may be referred to, and their new numbers.
    private var newIDs: [UInt32: UInt32] {
        guard options.trackIDs.isEmpty else { return options.trackIDs }
        return Dictionary(kept.map { ($0.track.id, $0.track.id) }) { first, _ in first }
    }

    private var conversion: BrandConversion {
        BrandConversion(from: brand, to: options.targetBrand ?? brand)
    }

    // MARK: The movie

    private mutating func movieNode(_ built: [Built], timescale: UInt32) throws(MovieError) -> MovieNode {
        let trackBoxes = source.movieBoxes.filter { $0.type == "trak" }
        if trackBoxes.count > source.tracks.count {
            losses.append(MovieLoss(item: "trak", reason: "a track without a header"))
        }
        var children: [MovieNode] = []
        let keptBoxes = Dictionary(zip(kept.map(\.track.box.start), built.map(\.node))) { first, _ in first }
        let source = source
        for box in source.movieBoxes {
            let content = { source.reader.bytes(of: box, limit: .max) }
            switch box.type {
            case "trak": if let node = keptBoxes[box.start] { children.append(node) }
            case "mvhd": children.append(.bytes(movieHeader(built, timescale: timescale)))
            // Without fragments there is nothing that they could begin.
            case "mvex": break
            case "iods":
                if namesDroppedTrack(content()) {
                    losses.append(MovieLoss(item: "iods", reason: "it names tracks that are left out"))
                } else {
                    children.append(.bytes(.box(box.type, content())))
                }
            case "meta":
                try MovieItems.check(content())
                children.append(.bytes(conversion.metadata(content())))
            case PlacedData.camera: children += cameraBlocks(content())
            default:
                let canon = PlacedData.withoutCanonTable(box, source.reader)
                if canon != nil { lose(PlacedData.canonLoss) }
                children.append(.bytes(canon ?? .box(box.type, content())))
            }
        }
        return .container("moov", children)
    }

    /// A camera's blocks of positions, which come with the media of a whole movie.
    private mutating func cameraBlocks(_ content: [UInt8]) -> [MovieNode] {
        func lost(_ reason: String) -> [MovieNode] {
            lose(MovieLoss(item: PlacedData.cameraPositions, reason: reason))
            return []
        }
        guard !options.isForTracks else { return [] }
        guard isWhole else { return lost("they do not say which times they belong to, so a part cannot be cut out") }
        guard let blocks = CameraBlocks(content, in: source.movieFile) else {
            return [.bytes(.box(PlacedData.camera, content))]
        }
        let ranges = blocks.ranges.filter { !$0.isEmpty }
        // The new file is hardly larger than the old one.
        guard source.file.byteCount + UInt64(MovieSource.maximumMovieBytes) < UInt64(UInt32.max) else {
            return lost("their table cannot name places beyond 4 GiB")
        }
        self.ranges.formUnion(ranges)
        return [.cameraBlocks(blocks)]
    }

    /// Notes what of the movie is lost, unless only its tracks are taken.
    private mutating func lose(_ loss: MovieLoss) { if !options.isForTracks { losses.append(loss) } }

    private func movieHeader(_ built: [Built], timescale: UInt32) -> [UInt8] {
        var header = source.header
        let last = built.map(\.duration).max() ?? 0
        let hasEdits = kept.contains { !$0.track.edits.isEmpty }
        let isUntouched = isWhole && kept.count == source.tracks.count
        let keepsDuration = isUntouched && (!hasEdits || header.duration.map { $0 < last } == true)
        header.timescale = timescale
        if !keepsDuration { header.duration = last }
        if !isWhole {
            for (index, isMoment) in [true, false, true, true, false, true].enumerated() {
                guard case let value = header[time: index], value > 0,
                    let ticks = try? clock.ticks(Int128(value), per: source.timescale, .nearest)
                else { continue }
                let moved = isMoment ? ticks - range.lowerBound : ticks
                let inside = min(max(0, moved), range.upperBound - range.lowerBound)
                header[time: index] = UInt32(clamping: clock.value(inside, per: timescale, .nearest))
            }
        }
        let highest = source.tracks.map(\.id).max() ?? 0
        if header.nextTrackID <= highest, highest < .max { header.nextTrackID = highest + 1 }
        return header.box
    }

    /// Whether an object descriptor includes a track that is left out.
    private func namesDroppedTrack(_ content: [UInt8]) -> Bool {
        let ids = Set(kept.map(\.track.id))
        return source.tracks.contains { track in
            guard !ids.contains(track.id) else { return false }
            var id: [UInt8] = []
            id.append(bigEndian: track.id)
            // A descriptor of type 14 with a length of 4, in one byte or in four.
            return [[14, 4], [14, 0x80, 0x80, 0x80, 4]].contains { content.firstIndex(of: $0 + id) != nil }
        }
    }

    // MARK: The file

    /// The boxes beside movie and media data: before and after these.
    private mutating func fileBoxes() throws(MovieError) -> (
        head: [FileRewrite.Segment], tail: [FileRewrite.Segment]
    ) {
        let left = FourCC.freeSpace.union(PlacedData.indexes).union(["moov", "mdat", "styp", "pdin", "ftyp"])
        let target = options.targetBrand ?? brand
        var head: [FileRewrite.Segment] = []
        if let type = source.movieFile.boxes.first(where: { $0.type == "ftyp" }), target == brand {
            head.append(.source(type.range))
        } else if target != brand {
            head.append(.bytes(target.typeBox))
        }
        var tail: [FileRewrite.Segment] = []
        let reader = source.movieFile.reader
        var isAfterMedia = false
        for box in source.movieFile.boxes {
            if box.type == "mdat" { isAfterMedia = true }
            if left.contains(box.type) { continue }
            if box.type == "meta" {
                try MovieItems.check(source.file.read(at: box.content.lowerBound, count: 1 << 16))
            }
            if PlacedData.isCredentials(box, reader) {
                lose(MovieLoss(item: PlacedData.credentials, reason: PlacedData.credentialsReason))
                continue
            }
            if isAfterMedia { tail += reader.segments(of: box) } else { head += reader.segments(of: box) }
        }
        let rest = source.file.read(at: source.rest.lowerBound, count: 4096)
        let isCutMedia = rest.fourCC(at: 4) == "mdat"
        if rest.contains(where: { $0 != 0 }), !isCutMedia {
            losses.append(
                MovieLoss(item: "file", reason: "\(source.rest.count) bytes after the last box that are no box"))
        }
        return (head, tail)
    }
}

/// Items, such as still pictures, that a metadata box keeps in the file's media data.
enum MovieItems {
    /// Refuses metadata whose items lie at places that the cut changes.
    static func check(_ content: [UInt8]) throws(MovieError) {
        let reader = BoxReader(file: RandomAccessFile(bytes: content))
        for start in [0, 4] as [UInt64] where UInt64(content.count) > start {
            if reader.boxes(in: start..<UInt64(content.count)).contains(where: { $0.type == "iloc" }) {
                throw MovieError(.unsupported, "the file keeps items in its media data")
            }
        }
    }
}

extension [UInt8] {
    /// Where some bytes occur first.
    fileprivate func firstIndex(of part: [UInt8]) -> Int? {
        guard count >= part.count else { return nil }
        return (0...(count - part.count)).first { self[$0] == part[0] && Array(self[$0..<($0 + part.count)]) == part }
    }
}
