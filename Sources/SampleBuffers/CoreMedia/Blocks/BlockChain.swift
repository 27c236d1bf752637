/// Pieces of memory that follow one another as one range of bytes.
struct BlockChain: Sendable {
    private(set) var pieces: [BlockPiece] = []
    /// Bytes of all pieces.
    private(set) var length = 0

    /// No pieces.
    init() {}

    /// A chain of one piece.
    init(_ piece: BlockPiece) { (pieces, length) = ([piece], piece.length) }

    /// Adds a piece at the end.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` for more bytes than can be counted.
    mutating func append(_ piece: BlockPiece) throws(CoreMediaFailure) {
        let (sum, tooMany) = length.addingReportingOverflow(piece.length)
        guard !tooMany else { throw CoreMediaFailure(kCMBlockBufferBadLengthParameterErr) }
        length = sum
        if let last = pieces.last, last.memory === piece.memory, last.offset + last.length == piece.offset {
            // Side by side in memory: one piece, which can be read at once.
            pieces[pieces.count - 1].length += piece.length
        } else {
            pieces.append(piece)
        }
    }

    /// Adds pieces at the end, all or none.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` for more bytes than can be counted.
    mutating func append(_ pieces: [BlockPiece]) throws(CoreMediaFailure) {
        var longer = self
        for piece in pieces { try longer.append(piece) }
        self = longer
    }

    /// Bytes from an offset to the end.
    ///
    /// - Throws: `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`.
    func rest(after offset: Int) throws(CoreMediaFailure) -> Int {
        guard !pieces.isEmpty else { throw CoreMediaFailure(kCMBlockBufferEmptyBBufErr) }
        guard (0..<length).contains(offset) else { throw CoreMediaFailure(kCMBlockBufferBadOffsetParameterErr) }
        return length - offset
    }

    /// The pieces of a range.
    ///
    /// - Parameter length: At least 1.
    /// - Throws: `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
    ///   `kCMBlockBufferBadLengthParameterErr`.
    func pieces(at offset: Int, length: Int) throws(CoreMediaFailure) -> [BlockPiece] {
        let rest = try rest(after: offset)
        guard (1...rest).contains(length) else { throw CoreMediaFailure(kCMBlockBufferBadLengthParameterErr) }
        var (skipped, missing, found) = (offset, length, [BlockPiece]())
        for piece in pieces where missing > 0 {
            guard skipped < piece.length else {
                skipped -= piece.length
                continue
            }
            let part = min(piece.length - skipped, missing)
            found.append(BlockPiece(memory: piece.memory, offset: piece.offset + skipped, length: part))
            (skipped, missing) = (0, missing - part)
        }
        return found
    }
}
