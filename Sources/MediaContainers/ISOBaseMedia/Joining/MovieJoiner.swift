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
        _ pieces: [MovieJoin.Piece]
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
    ) throws(MovieError) -> JoinedTrack.Piece {
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
        return JoinedTrack.Piece(
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
