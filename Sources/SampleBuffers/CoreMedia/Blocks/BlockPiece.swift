/// A part of a block of memory.
struct BlockPiece: Sendable {
    /// The block; it lasts as long as its pieces.
    let memory: BlockMemory
    /// Bytes from the start of the block to the piece.
    var offset: Int
    /// Bytes of the piece.
    var length: Int

    /// The first byte.
    ///
    /// - Throws: `kCMBlockBufferUnallocatedBlockErr`.
    func start() throws(CoreMediaFailure) -> UnsafeMutableRawPointer {
        guard let pointer = memory.pointer else { throw CoreMediaFailure(kCMBlockBufferUnallocatedBlockErr) }
        return pointer + offset
    }
}

extension BlockPiece {
    /// A piece of a new block of memory.
    ///
    /// - Parameters:
    ///   - block: `nil` for memory to be allocated. It is given back if this does not fail, and only then.
    ///   - blockLength: Bytes of the block.
    ///   - offset: Bytes from the start of the block to the piece.
    ///   - length: Bytes of the piece.
    /// - Throws: `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferBadOffsetParameterErr`,
    ///   `kCMBlockBufferBlockAllocationFailedErr`.
    init(
        block: UnsafeMutableRawPointer?, blockLength: Int, source: BlockSource, offset: Int, length: Int,
        flags: CMBlockBufferFlags
    ) throws(CoreMediaFailure) {
        guard blockLength > 0 else { throw CoreMediaFailure(kCMBlockBufferBadLengthParameterErr) }
        guard (0...blockLength).contains(offset) else { throw CoreMediaFailure(kCMBlockBufferBadOffsetParameterErr) }
        guard (0...(blockLength - offset)).contains(length) else {
            throw CoreMediaFailure(kCMBlockBufferBadLengthParameterErr)
        }
        self.init(memory: BlockMemory(block, length: blockLength, source: source), offset: offset, length: length)
        if flags & kCMBlockBufferAssureMemoryNowFlag != 0 { try memory.assure() }
    }
}
