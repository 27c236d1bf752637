internal import Foundation
internal import MediaCore

/// What functions of C and forms of Swift do with bytes.
extension CMBlockBuffer {
    /// Allocates all memory that is still to be allocated.
    ///
    /// - Throws: `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBlockAllocationFailedErr`.
    func assureMemory() throws(CoreMediaFailure) {
        let pieces = pieces.pieces
        guard !pieces.isEmpty else { throw CoreMediaFailure(kCMBlockBufferEmptyBBufErr) }
        for piece in pieces { try piece.memory.assure() }
    }

    /// The bytes at an offset that can be read at once.
    ///
    /// - Throws: `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
    ///   `kCMBlockBufferUnallocatedBlockErr`.
    func bytes(at offset: Int) throws(CoreMediaFailure) -> UnsafeMutableRawBufferPointer {
        let chain = pieces
        let pieces = try chain.pieces(at: offset, length: try chain.rest(after: offset))
        // There is a first one: the range is not empty.
        guard let first = pieces.first else { throw CoreMediaFailure(kCMBlockBufferBadOffsetParameterErr) }
        return UnsafeMutableRawBufferPointer(start: try first.start(), count: first.length)
    }

    /// The bytes of a range, `nil` if they lie in several pieces.
    ///
    /// - Throws: As ``BlockChain/pieces(at:length:)``; `kCMBlockBufferUnallocatedBlockErr`.
    func contiguousBytes(at offset: Int, length: Int) throws(CoreMediaFailure) -> UnsafeMutableRawBufferPointer? {
        let found = try pieces.pieces(at: offset, length: length)
        guard found.count == 1, let piece = found.first else { return nil }
        return UnsafeMutableRawBufferPointer(start: try piece.start(), count: length)
    }

    /// Copies the bytes of a range to somewhere else.
    ///
    /// - Throws: As ``BlockChain/pieces(at:length:)``; `kCMBlockBufferUnallocatedBlockErr`, with what came before
    ///   copied.
    func copyBytes(at offset: Int, length: Int, to destination: UnsafeMutableRawPointer) throws(CoreMediaFailure) {
        var destination = destination
        for piece in try pieces.pieces(at: offset, length: length) {
            destination.copyMemory(from: try piece.start(), byteCount: piece.length)
            destination += piece.length
        }
    }

    /// Hands out the parts of a range one after another, allocated.
    ///
    /// - Parameter body: Given a part and how many bytes of the range come before it.
    /// - Throws: As ``BlockChain/pieces(at:length:)``; `kCMBlockBufferBlockAllocationFailedErr`.
    func write(
        at offset: Int, length: Int, _ body: (UnsafeMutableRawBufferPointer, Int) -> Void
    ) throws(CoreMediaFailure) {
        try assureMemory()
        var done = 0
        for piece in try pieces.pieces(at: offset, length: length) {
            body(UnsafeMutableRawBufferPointer(start: try piece.start(), count: piece.length), done)
            done += piece.length
        }
    }

    /// Adds a block of memory, or the promise of one.
    ///
    /// - Throws: As ``BlockPiece/init(block:blockLength:source:offset:length:flags:)``; the memory stays the caller's.
    func append(
        block: UnsafeMutableRawPointer?, blockLength: Int, source: BlockSource, offset: Int, length: Int,
        flags: CMBlockBufferFlags
    ) throws(CoreMediaFailure) {
        // Looked at before the block is taken over: it would be given back with the piece.
        guard !pieces.length.addingReportingOverflow(length).overflow else {
            throw CoreMediaFailure(kCMBlockBufferBadLengthParameterErr)
        }
        try append([
            try BlockPiece(
                block: block, blockLength: blockLength, source: source, offset: offset, length: length, flags: flags)
        ])
    }

    /// A buffer that refers to a range of this one.
    ///
    /// - Parameter length: 0 for all that follows the offset.
    /// - Throws: As ``BlockChain/pieces(at:length:)``.
    func reference(
        at offset: Int, length: Int, flags: CMBlockBufferFlags = 0
    ) throws(CoreMediaFailure) -> CMBlockBuffer {
        let new = CMBlockBuffer()
        try new.append(try referredPieces(at: offset, length: length, flags: flags))
        return new
    }

    /// The pieces that a reference to a range takes over.
    ///
    /// - Parameter length: 0 for all that follows the offset.
    /// - Throws: As ``BlockChain/pieces(at:length:)``.
    func referredPieces(
        at offset: Int, length: Int, flags: CMBlockBufferFlags
    ) throws(CoreMediaFailure) -> [BlockPiece] {
        let chain = pieces
        if chain.length == 0, offset == 0, length == 0, flags & kCMBlockBufferPermitEmptyReferenceFlag != 0 {
            return chain.pieces
        }
        return try chain.pieces(at: offset, length: length == 0 ? try chain.rest(after: offset) : length)
    }

    /// A buffer with the bytes of a range in one piece: a reference if they are, otherwise a copy.
    ///
    /// - Parameters:
    ///   - length: 0 for all that follows the offset.
    ///   - source: Where the memory of a copy comes from.
    /// - Throws: As ``BlockChain/pieces(at:length:)``; `kCMBlockBufferUnallocatedBlockErr`,
    ///   `kCMBlockBufferBlockAllocationFailedErr`.
    func contiguous(
        at offset: Int, length: Int, source: BlockSource, flags: CMBlockBufferFlags
    ) throws(CoreMediaFailure) -> CMBlockBuffer {
        let length = length == 0 ? try pieces.rest(after: offset) : length
        let isCopied = flags & kCMBlockBufferAlwaysCopyDataFlag != 0
        if !isCopied, try pieces.pieces(at: offset, length: length).count == 1 {
            return try reference(at: offset, length: length)
        }
        _ = try pieces.pieces(at: offset, length: length)
        let piece = try BlockPiece(
            block: nil, blockLength: length, source: source, offset: 0, length: length,
            flags: kCMBlockBufferAssureMemoryNowFlag)
        try copyBytes(at: offset, length: length, to: try piece.start())
        return CMBlockBuffer(piece)
    }
}
