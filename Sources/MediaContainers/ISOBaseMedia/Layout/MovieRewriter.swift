package import MediaIO

/// A track that a movie gets.
package struct AddedTrack {
    /// The samples, which go into an `mdat` box.
    let sampleData: [UInt8]
    /// The `trak` box, by where in the file the samples begin.
    let box: (UInt64) -> [UInt8]

    /// Makes a track of samples and of what makes its box.
    package init(sampleData: [UInt8], box: @escaping (_ sampleDataStart: UInt64) -> [UInt8]) {
        (self.sampleData, self.box) = (sampleData, box)
    }
}

/// Makes a new version of a movie file from changes of its boxes.
package struct MovieRewriter {
    typealias Segment = FileRewrite.Segment

    /// A part of the file that is replaced, or, if it is empty, a place for something new.
    struct Change {
        let range: Range<UInt64>
        var segments: [Segment]
    }

    /// A `moov` box that takes more is not put together in memory.
    static let maximumMovie: UInt64 = 64 << 20

    let movieFile: MovieFile
    let movie: Box
    let edits: BoxEdits
    let outer: [(range: Range<UInt64>, bytes: [UInt8])]
    let additions: [UInt8]
    let tracks: [AddedTrack]

    /// A rewriter of a movie file.
    ///
    /// - Parameters:
    ///   - edits: Changes within the movie.
    ///   - outer: Changes beside it that keep sizes.
    ///   - additions: Boxes to add at the file's end, but for media.
    ///   - tracks: New tracks, whose samples are added too.
    package init(
        _ movieFile: MovieFile, movie: Box, edits: BoxEdits, outer: [(range: Range<UInt64>, bytes: [UInt8])] = [],
        additions: [UInt8] = [], tracks: [AddedTrack] = []
    ) {
        (self.movieFile, self.movie, self.edits) = (movieFile, movie, edits)
        (self.outer, self.additions, self.tracks) = (outer, additions, tracks)
    }

    /// The new version of the file.
    ///
    /// - Throws: `MovieError` if something that has to move cannot.
    package func rewrite() throws(MovieError) -> FileRewrite {
        let file = movieFile.file
        guard !edits.isEmpty || !outer.isEmpty || !additions.isEmpty || !tracks.isEmpty else {
            return FileRewrite(segments: [.source(0..<file.byteCount)])
        }
        let layout = MovieLayout(movieFile, movie, additions: newBoxes)
        let offsets = ChunkOffsets(movie, in: movieFile)
        var length = movie.range.length
        // Each round can only find more offsets that need 64 bits.
        for _ in 0..<16 {
            let arrangement = layout.arrangement(movieLength: length)
            var edits = edits
            if !arrangement.map.isIdentity { try offsets.adjust(&edits, by: arrangement.map) }
            addTracks(to: &edits, at: arrangement.additionsStart)
            let segments = edits.result(for: movie, reader: movieFile.reader)
            guard segments.byteCount == length else {
                length = segments.byteCount
                continue
            }
            let isCut = !layout.isWhole || offsets.reach(past: layout.end)
            return try rewrite(layout, arrangement, segments, isCut: isCut)
        }
        throw MovieError(.unsupported, "no arrangement of the file was found")
    }

    private func rewrite(
        _ layout: MovieLayout, _ arrangement: MovieLayout.Arrangement, _ movieSegments: [Segment], isCut: Bool
    ) throws(MovieError) -> FileRewrite {
        let moved = try FragmentOffsets(movieFile: movieFile).changes(by: arrangement.map)
        var changes = layout.changes(arrangement, movie: movieSegments)
        for change in outer + moved { changes.append(Change(range: change.range, segments: [.bytes(change.bytes)])) }
        var rewrite = FileRewrite(segments: try segments(changes, end: layout.end))
        if isCut {
            // What comes after the end would be taken for the media that are missing there.
            guard rewrite.byteCount == movieFile.file.byteCount, arrangement.map.isIdentity else {
                throw MovieError(
                    .unsupported, "the file is cut off: media are missing at its end, where nothing else may be written"
                )
            }
            return rewrite
        }
        if rewrite.byteCount == movieFile.file.byteCount { gatherSmallMoves(&rewrite) }
        if outer.isEmpty, arrangement.map.isIdentity {
            rewrite.steps = layout.steps(arrangement, movie: movieSegments)
        }
        return rewrite
    }

    // MARK: Additions

    private var newBoxes: [UInt8] {
        let media = tracks.flatMap(\.sampleData)
        return additions + (tracks.isEmpty ? [] : .box("mdat", media))
    }

    private func addTracks(to edits: inout BoxEdits, at start: UInt64) {
        var position = start + UInt64(additions.count) + 8
        for track in tracks {
            edits.append([.bytes(track.box(position))], to: movie)
            position += UInt64(track.sampleData.count)
        }
    }

    // MARK: Segments

    /// The whole file with changes.
    private func segments(_ changes: [Change], end: UInt64) throws(MovieError) -> [Segment] {
        var segments: [Segment] = []
        var position: UInt64 = 0
        let sorted = changes.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
        }
        for (_, change) in sorted {
            guard change.range.lowerBound >= position else {
                throw MovieError(.damaged, "parts of the file lie within one another")
            }
            segments.append(.source(position..<change.range.lowerBound))
            segments += change.segments
            position = change.range.upperBound
        }
        segments.append(.source(position..<max(position, end)))
        return segments.filter { $0.byteCount > 0 }
    }

    /// Turns parts that move a little within a file of the same length into
    /// bytes, so that it shows when all that changes lies in one page.
    private func gatherSmallMoves(_ rewrite: inout FileRewrite) {
        var position: UInt64 = 0
        var moved: [Int] = []
        var total: UInt64 = 0
        for (index, segment) in rewrite.segments.enumerated() {
            if case .source(let range) = segment, range.lowerBound != position {
                moved.append(index)
                total += segment.byteCount
            }
            position += segment.byteCount
        }
        guard total <= FileRewrite.pageSize else { return }
        for index in moved {
            guard case .source(let range) = rewrite.segments[index] else { continue }
            rewrite.segments[index] = .bytes(
                movieFile.file.read(at: range.lowerBound, count: Int(range.length)))
        }
    }
}

/// What a rewrite leaves in a file when it is broken off: copies of `moov` boxes.
///
/// They do not harm, but they hold metadata that may be meant to be gone, and
/// would become more with each time.
struct RewriteLeftovers {
    /// The boxes of the file without copies at its end.
    private(set) var boxes: [Box]
    /// Where the file ends without them.
    private(set) var end: UInt64
    /// The place of a former `moov` box before the one that counts now.
    let hole: Box?

    init(_ movieFile: MovieFile, _ movie: Box) {
        boxes = movieFile.boxes
        end = movieFile.file.byteCount
        let reader = movieFile.reader
        hole = boxes.first { box in
            box.start < movie.start && box.length < 1 << 31 && movieFile.hasExplicitSize(box)
                && Self.isFormerMovie(box, reader)
        }
        let count = boxes.count
        if let tail = Self.cutBox(at: boxes.last?.range.upperBound ?? 0, movieFile) { end = tail }
        guard boxes.last?.range.upperBound == end else { return }
        while let last = boxes.last, last.start > movie.start,
            Self.isCopy(last, of: movie, reader) || Self.isFormerMovie(last, reader)
        {
            boxes.removeLast()
        }
        let isDirty = boxes.count < count || end < movieFile.file.byteCount
        // A copy may have needed a gap before it.
        while isDirty, let last = boxes.last, last.start > movie.range.upperBound, last.padding(reader) != nil {
            boxes.removeLast()
        }
        end = boxes.last?.range.upperBound ?? end
    }

    /// Whether a box is another `moov` box of the same movie, which no reader takes.
    private static func isCopy(_ box: Box, of movie: Box, _ reader: BoxReader) -> Bool {
        guard box.type == "moov" else { return false }
        let headers = [movie, box].map { reader.box(["mvhd"], in: $0.content).map { reader.bytes(of: $0, limit: 256) } }
        guard let old = headers[0], let new = headers[1] else { return false }
        // The last four bytes number the next track, which chapters change.
        return old.dropLast(4) == new.dropLast(4)
    }

    /// Whether a box is free space that was a `moov` box.
    private static func isFormerMovie(_ box: Box, _ reader: BoxReader) -> Bool {
        box.type == "free" && reader.bytes(of: box, limit: 8).fourCC(at: 4) == "mvhd"
    }

    /// Where free space begins that claims more than the rest of the file, if it does.
    private static func cutBox(at position: UInt64, _ movieFile: MovieFile) -> UInt64? {
        let head = movieFile.file.read(at: position, count: 16)
        guard let size = head.bigEndian32(at: 0), head.fourCC(at: 4) == "free",
            UInt64(size) > movieFile.file.byteCount - position,
            head.count < 16 || head.fourCC(at: 12) == "mvhd"
        else { return nil }
        return position
    }
}
