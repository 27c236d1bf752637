internal import MediaCore
internal import MediaIO

/// The work of joining pieces.
struct MovieJoiner {
    let join: MovieJoin
    let gaps: MovieJoin.GapForm
    let clock: MovieClock
    /// Of each new track.
    let timescales: [UInt32]
    /// Where each piece's movie begins among all files.
    private let bases: [ObjectIdentifier: UInt64]
    let files: [RandomAccessFile]
    /// Where the last file ends.
    let filesEnd: UInt64
    private(set) var tracks: [JoinedTrack?]
    /// The bytes of samples, by where their file begins.
    private(set) var ranges: [UInt64: SourceRanges] = [:]
    private(set) var newData = JoinedData()
    /// What changes in files, by where they begin.
    private(set) var overlays: [UInt64: FileOverlay] = [:]
    /// The first movie, which all is of that is no track's.
    private(set) var first: MovieSource?
    /// What is lost of what the movies say of positions, each once.
    private var lostPositions: [MovieLoss] = []
    /// What was joined so far, in the clock's ticks.
    private(set) var length: Int128 = 0

    init(_ join: MovieJoin, gaps: MovieJoin.GapForm) throws(MovieError) {
        (self.join, self.gaps) = (join, gaps)
        var timescales: [UInt32] = []
        for track in 0..<join.trackCount {
            let all = Set(join.outlines.compactMap { $0[track]?.timescale })
            timescales.append(try Self.commonTimescale(all, track: track))
        }
        self.timescales = timescales
        let lengths = Set(join.pieces.map(\.duration.timescale)).sorted().map { UInt32(max(0, $0)) }
        clock = MovieClock(timescales: lengths + join.movieTimescales + timescales)
        (bases, files, filesEnd) = try Self.sequence(join.pieces)
        tracks = Array(repeating: nil, count: join.trackCount)
    }

    /// The coarsest timescale whose ticks those of all pieces are whole numbers of.
    private static func commonTimescale(_ all: Set<UInt32>, track: Int) throws(MovieError) -> UInt32 {
        var common: UInt64 = 1
        for timescale in all.sorted() {
            guard timescale > 0 else { throw MovieError(.damaged, "a timescale of track \(track + 1) is zero") }
            common = common / greatestCommonDivisor(common, UInt64(timescale)) * UInt64(timescale)
            guard common <= UInt64(Int32.max) else {
                throw MovieError(.unsupported, "no timescale holds all times of track \(track + 1)")
            }
        }
        return UInt32(common)
    }

    /// The pieces' files, each once, and where they begin.
    private static func sequence(
        _ pieces: [MovieJoin.Segment]
    ) throws(MovieError) -> ([ObjectIdentifier: UInt64], [RandomAccessFile], UInt64) {
        var (bases, files, end): ([ObjectIdentifier: UInt64], [RandomAccessFile], UInt64) = ([:], [], 0)
        for case let movie? in pieces.map(\.movie) where bases[ObjectIdentifier(movie)] == nil {
            guard movie.byteCount < JoinedData.base / 2 - end else {
                throw MovieError(.limit, "the pieces are longer than can be")
            }
            bases[ObjectIdentifier(movie)] = end
            files.append(movie)
            end += movie.byteCount
        }
        return (bases, files, end)
    }

    /// The files with what changes in them, and the new bytes.
    var joinedFile: RandomAccessFile {
        let changed = files.map { file in
            overlays[base(of: file)].map { RandomAccessFile($0.rewrite(of: file), of: file) } ?? file
        }
        return RandomAccessFile(joining: changed + [RandomAccessFile(bytes: newData.bytes)])
    }

    /// Where a movie begins among all files.
    func base(of movie: RandomAccessFile) -> UInt64 { bases[ObjectIdentifier(movie)] ?? 0 }

    /// Joins all pieces.
    mutating func plan() throws(MovieError) -> MovieJoinPlan {
        for (index, piece) in join.pieces.enumerated() {
            let timescale = UInt32(max(1, piece.duration.timescale))
            let end = length + (try clock.ticks(Int128(piece.duration.value), per: timescale, .nearest))
            guard end / clock.ticksPerSecond <= MovieClock.maximumSeconds else {
                throw MovieError(.limit, "the pieces together are longer than 68 years")
            }
            if let movie = piece.movie { try add(piece.tracks, of: movie, index, span: length..<end) }
            length = end
        }
        return try assembled()
    }

    // MARK: Pieces

    private mutating func add(
        _ ids: [UInt32?], of movie: RandomAccessFile, _ index: Int, span: Range<Int128>
    ) throws(MovieError) {
        let source = try MovieSource(file: movie)
        if first == nil { first = source }
        for loss in Self.lostPositions(of: source) where !lostPositions.contains(loss) { lostPositions.append(loss) }
        for (number, id) in ids.enumerated() {
            guard let id else { continue }
            do throws(MovieError) {
                guard let track = source.tracks.first(where: { $0.id == id }) else {
                    throw MovieError(.damaged, "there is no such track")
                }
                let piece = try self.piece(track, source, timescale: timescales[number], span: span)
                var joined =
                    tracks[number]
                    ?? JoinedTrack(piece, index: index, hasCodings: join.hasCodings(track: number), clock: clock)
                guard joined.model.handler == track.handler else {
                    throw MovieError(.unsupported, "it is of another medium than the pieces before")
                }
                if joined.timeline.sampleCount > 0 {
                    for change in SplicePicture(piece.track, piece.tables, file: movie).changes {
                        overlays[piece.base, default: FileOverlay()].replace(at: change.position, with: [change.byte])
                    }
                }
                // Held once only, or each piece would copy all tables.
                tracks[number] = nil
                let bytes = try joined.append(piece, gaps: gaps, &newData)
                tracks[number] = joined
                ranges[piece.base, default: SourceRanges()].formUnion(bytes)
            } catch {
                throw MovieError(error.kind, "piece \(index + 1), track \(id): \(error.reason)", limit: error.limit)
            }
        }
    }

    /// A track of a piece, with its times in the common timescale.
    private func piece(
        _ track: MovieTrack, _ source: MovieSource, timescale: UInt32, span: Range<Int128>
    ) throws(MovieError) -> JoinedTrack.Segment {
        try source.checkReferences(of: track)
        guard track.timescale > 0, timescale.isMultiple(of: track.timescale) else {
            throw MovieError(.damaged, "its timescale is not what it was")
        }
        let factor = timescale / track.timescale
        var track = track
        track.timescale = timescale
        for edit in track.edits.indices where track.edits[edit].mediaTime > 0 {
            let (time, overflow) = track.edits[edit].mediaTime.multipliedReportingOverflow(by: Int64(factor))
            guard !overflow else { throw MovieError(.damaged, "its edit list is longer than can be") }
            track.edits[edit].mediaTime = time
        }
        let tables = try SampleTables(track, source.reader, factor: factor)
        let timeline = try EditTimeline(track, tables, movieTimescale: source.timescale, clock: clock)
        return JoinedTrack.Segment(
            track: track, tables: tables,
            shown: tables.count == 0
                ? [] : shown(timeline, tick: clock.ticksPerSecond / Int128(source.timescale) + 1, span),
            reader: source.reader, base: base(of: source.file), file: source.file)
    }

    /// What a piece's track shows, on the new movie's timeline.
    ///
    /// - Parameter tick: What rounding may have made of the end.
    private func shown(_ timeline: EditTimeline, tick: Int128, _ span: Range<Int128>) -> [JoinedTimeline.Shown] {
        let length = span.upperBound - span.lowerBound
        var result = timeline.segments(in: 0..<length).compactMap { segment, part -> JoinedTimeline.Shown? in
            guard let media = segment.media else { return nil }
            return JoinedTimeline.Shown(
                span: (span.lowerBound + part.lowerBound)..<(span.lowerBound + part.upperBound), media: media)
        }
        if let last = result.last, last.span.upperBound < span.upperBound,
            span.upperBound - last.span.upperBound <= tick
        {
            result[result.count - 1].span = last.span.lowerBound..<span.upperBound
        }
        return result
    }

    mutating func removeSplitEdits() {
        for index in tracks.indices { tracks[index]?.removeSplitEdits() }
    }
}

extension MovieJoiner {
    /// Puts the new movie together.
    mutating func assembled() throws(MovieError) -> MovieJoinPlan {
        guard let first else { throw MovieError(.emptyRange, "no piece is a movie") }
        let timescale = movieTimescale(first)
        let ids = newIDs
        var (nodes, chunks, infos): ([MovieNode], [MovieAssembly.Chunks], [MovieJoinPlan.Track]) = ([], [], [])
        var losses: [MovieLoss] = []
        for (number, track) in tracks.enumerated() {
            let id = ids[number]
            guard let track, track.timeline.sampleCount > 0 else {
                losses.append(MovieLoss(item: "track \(id)", reason: "the pieces show nothing of it"))
                continue
            }
            nodes.append(try node(track, ids, index: chunks.count, timescale: timescale))
            let offsets = track.chunks.offsets.map { JoinedData.place($0, after: filesEnd) }
            chunks.append(MovieAssembly.Chunks(offsets: offsets, isNewData: false))
            infos.append(
                MovieJoinPlan.Track(
                    id: id, handler: track.model.handler, timescale: track.timeline.timescale,
                    sampleCount: track.timeline.sampleCount, editCount: track.timeline.edits.count))
            losses += track.losses(trackID: id)
        }
        guard !nodes.isEmpty else { throw MovieError(.emptyRange, "the pieces show nothing") }
        let movie = try movieNode(first, nodes, ids, timescale: timescale)
        let (head, tail) = try fileBoxes(first)
        losses += lostPositions
        guard Self.byteCount(of: movie, chunks: chunks) <= MovieSource.maximumMovieBytes else {
            throw MovieError(.limit, "the movie box would have more than \(MovieSource.maximumMovieBytes >> 20) MiB")
        }
        let assembly = MovieAssembly(
            head: head, tail: tail, movie: movie, chunks: chunks, newData: [], media: mediaLayout)
        return MovieJoinPlan(
            file: joinedFile, tracks: infos, duration: clock.time(length, preferring: [first.timescale, timescale]),
            losses: losses, assembly: assembly)
    }

    /// The most that a movie box may take.
    private static func byteCount(of movie: MovieNode, chunks: [MovieAssembly.Chunks]) -> Int {
        let writer = MovieNodeWriter(
            chunkOffsets: { _ in [] }, chunkCounts: chunks.map { ($0.offsets.count, true) }, newDataStart: 0)
        return writer.byteCount(of: movie)
    }

    /// All samples' bytes in the order of the pieces, then the new ones.
    private var mediaLayout: MediaDataLayout {
        var all = ranges.sorted { $0.key < $1.key }.flatMap(\.value.ranges)
        if !newData.bytes.isEmpty { all.append(filesEnd..<(filesEnd + UInt64(newData.bytes.count))) }
        return MediaDataLayout(all)
    }

    // MARK: Numbers

    /// The numbers of the new tracks: those of the first pieces that have them, as far as they differ.
    private var newIDs: [UInt32] {
        var used: Set<UInt32> = []
        var next = (tracks.compactMap { $0?.model.id }.max() ?? 0) &+ 1
        return tracks.map { track in
            if let id = track?.model.id, id > 0, used.insert(id).inserted { return id }
            while next == 0 || used.contains(next) { next &+= 1 }
            used.insert(next)
            return next
        }
    }

    /// The coarsest timescale that holds all edits, the first movie's if it does.
    private mutating func movieTimescale(_ first: MovieSource) -> UInt32 {
        let best = bestTimescale(first)
        guard best.misses > 0 else { return best.timescale }
        // What is there for the packets of sound alone may ask for too much.
        removeSplitEdits()
        return bestTimescale(first).timescale
    }

    private func bestTimescale(_ first: MovieSource) -> (timescale: UInt32, misses: Int) {
        var moments: Set<Int128> = [length]
        for track in tracks { for edit in track?.timeline.edits ?? [] { moments.insert(edit.span.upperBound) } }
        var candidates = [Int128(first.timescale)]
        let pictures = tracks.first { $0?.model.handler == "vide" }.flatMap { $0?.timeline.timescale }
        if let pictures { candidates.append(Int128(pictures)) }
        candidates.append(candidates[0] * clock.factor(for: moments, per: first.timescale))
        candidates.append(clock.ticksPerSecond)
        let usable = candidates.filter { $0 <= Int128(Int32.max) }.map { UInt32($0) }
        var best = (timescale: first.timescale, misses: Int.max)
        for timescale in usable {
            let misses = moments.count { !clock.isExact($0, per: timescale) }
            if misses < best.misses { best = (timescale, misses) }
            if misses == 0 { break }
        }
        return best
    }

    // MARK: Boxes

    private func node(
        _ track: JoinedTrack, _ ids: [UInt32], index: Int, timescale: UInt32
    ) throws(MovieError) -> MovieNode {
        let edits = track.timeline.fileEdits(per: timescale)
        var newIDs: [UInt32: UInt32] = [:]
        for (number, id) in join.pieces[track.modelPiece].tracks.enumerated() {
            guard let id, let other = tracks[number], other.timeline.sampleCount > 0 else { continue }
            newIDs[id] = newIDs[id] ?? ids[number]
        }
        // One of the piece's tracks may go on in several.
        if let own = tracks.firstIndex(where: { $0?.model.id == track.model.id && $0?.modelPiece == track.modelPiece })
        {
            newIDs[track.model.id] = ids[own]
        }
        let conversion = BrandConversion(from: .mp4, to: .mp4)
        let writer = TrackWriter(
            track: track.model, reader: track.modelReader, conversion: conversion, newIDs: newIDs)
        let duration = edits.reduce(UInt64(0)) { $0 + $1.duration }
        return try writer.node(
            tables: try track.nodes(index: index), mediaDuration: UInt64(max(0, track.timeline.end)),
            edits: track.timeline.isPlain ? [] : edits, duration: duration)
    }

    private func movieNode(
        _ first: MovieSource, _ nodes: [MovieNode], _ ids: [UInt32], timescale: UInt32
    ) throws(MovieError) -> MovieNode {
        var children: [MovieNode] = []
        var isWritten = false
        for box in first.movieBoxes {
            switch box.type {
            case "trak":
                if !isWritten { children += nodes }
                isWritten = true
            case "mvhd": children.append(.bytes(movieHeader(first, ids, timescale: timescale)))
            // Without fragments there is nothing that they could begin.
            case "mvex": break
            // Object descriptors name tracks of the first piece.
            case "iods" where first.tracks.map(\.id) != ids: break
            case "meta":
                try MovieItems.check(first.reader.bytes(of: box, limit: .max))
                children.append(.bytes(first.reader.wholeBytes(of: box)))
            case PlacedData.camera: break
            default:
                children.append(
                    .bytes(PlacedData.withoutCanonTable(box, first.reader) ?? first.reader.wholeBytes(of: box)))
            }
        }
        return .container("moov", children)
    }

    private func movieHeader(_ first: MovieSource, _ ids: [UInt32], timescale: UInt32) -> [UInt8] {
        var header = first.header
        header.timescale = timescale
        header.duration = UInt64(max(0, clock.value(length, per: timescale, .up)))
        for index in 0..<MovieHeader.timeCount {
            guard case let value = header[time: index], value > 0 else { continue }
            header[time: index] = UInt32(clamping: UInt64(value) * UInt64(timescale) / UInt64(first.timescale))
        }
        let highest = ids.max() ?? 0
        if header.nextTrackID <= highest, highest < .max { header.nextTrackID = highest + 1 }
        return header.box
    }

    /// What a movie says of positions in its file, none of which the new file has.
    private static func lostPositions(of source: MovieSource) -> [MovieLoss] {
        var losses: [MovieLoss] = []
        if source.movieBoxes.contains(where: { $0.type == PlacedData.camera }) {
            let reason = "they belong to the times of one segment"
            losses.append(MovieLoss(item: PlacedData.cameraPositions, reason: reason))
        }
        if source.movieBoxes.contains(where: { PlacedData.canonTable($0, source.reader) != nil }) {
            losses.append(PlacedData.canonLoss)
        }
        if source.movieFile.hasCredentials {
            losses.append(MovieLoss(item: PlacedData.credentials, reason: PlacedData.credentialsReason))
        }
        return losses
    }

    /// The first file's boxes beside movie and media data: before and after these.
    private func fileBoxes(
        _ first: MovieSource
    ) throws(MovieError) -> (head: [FileRewrite.Segment], tail: [FileRewrite.Segment]) {
        let left = FourCC.freeSpace.union(PlacedData.indexes).union(["moov", "mdat", "styp", "pdin"])
        let base = base(of: first.file)
        var (head, tail): ([FileRewrite.Segment], [FileRewrite.Segment]) = ([], [])
        var isAfterMedia = false
        for box in first.movieFile.boxes {
            if box.type == "mdat" { isAfterMedia = true }
            if left.contains(box.type) { continue }
            if PlacedData.isCredentials(box, first.movieFile.reader) { continue }
            if box.type == "meta" {
                try MovieItems.check(first.file.read(at: box.content.lowerBound, count: 1 << 16))
            }
            let segments = first.movieFile.reader.segments(of: box).map { segment -> FileRewrite.Segment in
                guard case .source(let range) = segment else { return segment }
                return .source((base + range.lowerBound)..<(base + range.upperBound))
            }
            if isAfterMedia { tail += segments } else { head += segments }
        }
        return (head, tail)
    }
}
