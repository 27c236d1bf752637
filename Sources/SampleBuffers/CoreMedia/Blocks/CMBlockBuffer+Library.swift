package import Foundation

extension CMBlockBuffer {
    /// Makes a buffer of memory that is there already, without a copy: of a packet, for instance.
    ///
    /// - Parameters:
    ///   - bytes: Nobody else may write to them while the buffer lives; clients of the buffer may. Of none the buffer
    ///     is empty.
    ///   - release: Called once, when no buffer needs the memory, on whatever thread that happens.
    package convenience init(adopting bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            release()
            self.init()
            return
        }
        let memory = BlockMemory(
            UnsafeMutableRawPointer(mutating: start), length: bytes.count, source: BlockSource { _, _ in release() })
        self.init(BlockChain(BlockPiece(memory: memory, offset: 0, length: bytes.count)))
    }

    /// Makes a buffer of a copy of bytes, as those of an array.
    ///
    /// - Parameter bytes: Of none the buffer is empty.
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`.
    package convenience init(copying bytes: some ContiguousBytes) throws(CoreMediaFailure) {
        let result = bytes.withUnsafeBytes { bytes -> Result<BlockChain, CoreMediaFailure> in
            Result { () throws(CoreMediaFailure) in try BlockChain(copying: bytes) }
        }
        self.init(try result.get())
    }
}

extension BlockChain {
    /// A chain of a copy of bytes, empty if there are none.
    ///
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`.
    fileprivate init(copying bytes: UnsafeRawBufferPointer) throws(CoreMediaFailure) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            self.init()
            return
        }
        let piece = try BlockPiece(
            block: nil, blockLength: bytes.count, source: BlockSource(nil), offset: 0, length: bytes.count,
            flags: kCMBlockBufferAssureMemoryNowFlag)
        try piece.start().copyMemory(from: start, byteCount: bytes.count)
        self.init(piece)
    }
}
