internal import MediaIO

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
