package import MediaCore
package import MediaIO

/// Puts movies one after the other by their sample tables, every coded sample staying as it is.
///
/// The pieces are movies as ``MovieTrim`` makes them, or whole ones; their edit lists follow each other. What else a
/// movie says comes from the first one.
package struct MovieJoin: Sendable {
    /// A movie, or nothing, that is shown for some time.
    package struct Segment: Sendable {
        /// The movie; `nil` for nothing.
        package var movie: RandomAccessFile?
        /// The movie's track that goes on in each track of the new one; `nil` if that is empty meanwhile.
        package var tracks: [UInt32?]
        /// How long it is shown: what the movie has beyond that is not, and what it lacks is empty.
        package var duration: CMTime

        /// A movie.
        package init(_ movie: RandomAccessFile, tracks: [UInt32?], duration: CMTime) {
            (self.movie, self.tracks, self.duration) = (movie, tracks, duration)
        }

        /// Nothing for some time.
        package init(gapLasting duration: CMTime) { (movie, tracks, self.duration) = (nil, [], duration) }
    }

    /// How a track shows nothing after it has shown something and before it shows something again.
    package enum GapForm: Hashable, Sendable {
        /// In a form that libavformat reads too: samples of silence or of no text where these need no encoder, else a
        /// last picture that stays and sound that does not come.
        ///
        /// libavformat ends a track of pictures at an empty edit, and plays sound from its beginning instead.
        case readable
        /// As an empty edit.
        case empty
    }

    /// How one piece's track differs from what it is to go on after.
    struct Difference: Hashable, Sendable {
        /// The track's place among the new movie's, from 0.
        var track: Int
        /// The piece's place, from 0.
        var piece: Int
        var difference: MovieTrackDifference
    }

    /// A piece's track, so far as all pieces must be known before one is joined.
    struct Outline: Sendable {
        var format: Int
        var timescale: UInt32
    }

    /// The pieces in order.
    let pieces: [Segment]
    /// Tracks of the new movie.
    let trackCount: Int
    /// The tracks that pieces have for those of the new movie.
    let outlines: [[Outline?]]
    /// The timescales of the pieces' movies.
    let movieTimescales: [UInt32]
    /// The formats of all tracks, each once.
    private let formats: [MovieTrackFormat]

    /// More pieces than this are not joined.
    static let maximumPieces = 10_000

    /// Reads what the pieces say of their tracks.
    ///
    /// - Throws: `MovieError` if they cannot be joined, whatever their tracks have in common.
    package init(_ pieces: [Segment]) throws(MovieError) {
        guard pieces.count <= Self.maximumPieces else {
            throw MovieError(.limit, "there are more than \(Self.maximumPieces) pieces")
        }
        guard let count = pieces.first(where: { $0.movie != nil })?.tracks.count, count > 0 else {
            throw MovieError(.emptyRange, "no piece has a track")
        }
        (self.pieces, trackCount) = (pieces, count)
        var reading = OutlineReading()
        outlines = try reading.outlines(of: pieces, trackCount: count)
        (formats, movieTimescales) = (reading.formats, reading.movieTimescales)
        for track in 0..<count where !outlines.contains(where: { $0[track] != nil }) {
            throw MovieError(.emptyRange, "no piece has anything of track \(track + 1)")
        }
    }

    /// How the pieces' tracks differ from the first of each.
    var differences: [Difference] {
        var result: [Difference] = []
        for track in 0..<trackCount {
            guard let first = outlines.lazy.compactMap({ $0[track] }).first else { continue }
            var known: [Int: [MovieTrackDifference]] = [:]
            for (piece, tracks) in outlines.enumerated() {
                guard let format = tracks[track]?.format, format != first.format else { continue }
                let own = known[format] ?? Self.differences(between: formats[first.format], and: formats[format])
                known[format] = own
                result += own.map { Difference(track: track, piece: piece, difference: $0) }
            }
        }
        return result
    }

    /// Whether a new track's pieces are coded in more than one way.
    func hasCodings(track: Int) -> Bool {
        let used = Set(outlines.compactMap { $0[track]?.format })
        return Set(used.flatMap { formats[$0].codings }).count > 1
    }

    /// The first difference that is not allowed, in words; `nil` if there is none.
    ///
    /// - Parameter allowed: What may differ. Other codecs and media are never joined in one track.
    package func problem(allowing allowed: Set<MovieTrackDifference.Kind> = []) -> String? {
        differences.first { !allowed.contains($0.difference.kind) || $0.difference.kind == .medium }
            .map { "piece \($0.piece + 1), track \($0.track + 1): \($0.difference.text)" }
    }

    /// Works out the new movie.
    ///
    /// - Throws: `MovieError` if a piece is damaged or cannot be joined.
    package func plan(gaps: GapForm = .readable) throws(MovieError) -> MovieJoinPlan {
        var joiner = try MovieJoiner(self, gaps: gaps)
        return try joiner.plan()
    }
}

/// Reads what pieces say of their tracks.
private struct OutlineReading {
    var formats: [MovieTrackFormat] = []
    var movieTimescales: [UInt32] = []
    private var numbers: [MovieTrackFormat: Int] = [:]
    private var movies: [ObjectIdentifier: MovieOutlineTracks] = [:]

    private typealias MovieOutlineTracks = [UInt32: MovieJoin.Outline]

    mutating func outlines(
        of pieces: [MovieJoin.Segment], trackCount: Int
    ) throws(MovieError) -> [[MovieJoin.Outline?]] {
        var result: [[MovieJoin.Outline?]] = []
        for (index, piece) in pieces.enumerated() {
            guard piece.duration.isNumeric, piece.duration > .zero else {
                throw MovieError(.emptyRange, "piece \(index + 1) has no duration")
            }
            guard let movie = piece.movie else {
                result.append(Array(repeating: nil, count: trackCount))
                continue
            }
            guard piece.tracks.count == trackCount else {
                throw MovieError(.unsupported, "piece \(index + 1) has another number of tracks")
            }
            let tracks = try tracks(of: movie, piece: index)
            var row: [MovieJoin.Outline?] = []
            for id in piece.tracks {
                guard let id else {
                    row.append(nil)
                    continue
                }
                guard let track = tracks[id] else {
                    throw MovieError(.damaged, "piece \(index + 1) has no track of number \(id)")
                }
                row.append(track)
            }
            result.append(row)
        }
        return result
    }

    private mutating func tracks(of movie: RandomAccessFile, piece: Int) throws(MovieError) -> MovieOutlineTracks {
        if let known = movies[ObjectIdentifier(movie)] { return known }
        guard let outline = MovieOutline(movie) else {
            throw MovieError(.damaged, "piece \(piece + 1): there is no movie box")
        }
        if !movieTimescales.contains(outline.timescale) { movieTimescales.append(outline.timescale) }
        var tracks: MovieOutlineTracks = [:]
        for track in outline.tracks where tracks[track.id] == nil {
            let format = MovieTrackFormat(track)
            let number = numbers[format] ?? formats.count
            if number == formats.count {
                formats.append(format)
                numbers[format] = number
            }
            tracks[track.id] = MovieJoin.Outline(format: number, timescale: track.timescale)
        }
        movies[ObjectIdentifier(movie)] = tracks
        return tracks
    }
}

/// Movies put one after the other: the new tables, ready to be written.
package struct MovieJoinPlan: Sendable {
    /// What is known of one track of the new movie.
    package struct Track: Hashable, Sendable {
        package var id: UInt32
        var handler: FourCC
        var timescale: UInt32
        /// Samples, hidden ones included.
        var sampleCount: Int
        /// Rows of its edit list.
        var editCount: Int
    }

    /// The files that the new movie is made of, one after the other.
    package let file: RandomAccessFile
    /// The tracks in order.
    package let tracks: [Track]
    /// How long the new movie is: as long as all pieces together.
    package let duration: CMTime
    /// What is left out though nobody asked for that.
    package let losses: [MovieLoss]
    let assembly: MovieAssembly

    /// Bytes of the new file.
    package var byteCount: UInt64 { assembly.byteCount }

    /// The new file, made of parts of ``file``.
    package func rewrite() -> FileRewrite { assembly.rewrite() }
}
