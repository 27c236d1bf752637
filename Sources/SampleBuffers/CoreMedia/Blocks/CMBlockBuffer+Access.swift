internal import Foundation
public import MediaCore

/// Allocates all memory of a buffer that is still to be allocated.
///
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBlockAllocationFailedErr`.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
    status { () throws(CoreMediaFailure) in try theBuffer.assureMemory() }
}

/// Gives bytes in one piece: where they are if they are in one, otherwise as a copy.
///
/// - Parameters:
///   - offset: Bytes before those that count.
///   - length: Bytes that count, at least 1.
///   - temporaryBlock: Memory of so many bytes for a copy.
///   - returnedPointerOut: Is given the first byte, in the buffer or in the temporary block, nil if it fails.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferUnallocatedBlockErr`.
@discardableResult
public func CMBlockBufferAccessDataBytes(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int, temporaryBlock: UnsafeMutableRawPointer,
    returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
    made(returnedPointerOut) { () throws(CoreMediaFailure) in
        if let there = try theBuffer.contiguousBytes(at: offset, length: length)?.baseAddress {
            return there.assumingMemoryBound(to: CChar.self)
        }
        try theBuffer.copyBytes(at: offset, length: length, to: temporaryBlock)
        return temporaryBlock.assumingMemoryBound(to: CChar.self)
    }
}

/// Copies bytes out of a buffer.
///
/// - Parameters:
///   - offsetToData: Bytes before those that count.
///   - dataLength: Bytes that count, at least 1.
///   - destination: Memory for so many bytes.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferUnallocatedBlockErr`.
@discardableResult
public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
    destination: UnsafeMutableRawPointer
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        try theSourceBuffer.copyBytes(at: offsetToData, length: dataLength, to: destination)
    }
}

/// Copies bytes into a buffer, in place of those that it has; memory is allocated if that is still to be done.
///
/// - Parameters:
///   - sourceBytes: The first of the new bytes.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: Bytes that stay before them.
///   - dataLength: How many, at least 1.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferBlockAllocationFailedErr`; the bytes stay as they are then.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
    dataLength: Int
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        try destinationBuffer.write(at: offsetIntoDestination, length: dataLength) { part, done in
            part.baseAddress?.copyMemory(from: sourceBytes + done, byteCount: part.count)
        }
    }
}

/// Sets bytes of a buffer to a value; memory is allocated if that is still to be done.
///
/// - Parameters:
///   - fillByte: The value.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: Bytes that stay before them.
///   - dataLength: How many, 0 for all that follow the offset.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferBlockAllocationFailedErr`; the bytes stay as they are then.
@discardableResult
public func CMBlockBufferFillDataBytes(
    with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        let rest = try destinationBuffer.pieces.rest(after: offsetIntoDestination)
        let byte = UInt8(truncatingIfNeeded: fillByte)
        try destinationBuffer.write(at: offsetIntoDestination, length: dataLength == 0 ? rest : dataLength) { part, _ in
            part.initializeMemory(as: UInt8.self, repeating: byte)
        }
    }
}

/// Gives the address of bytes.
///
/// - Parameters:
///   - offset: Bytes before the one that is asked for.
///   - lengthAtOffsetOut: Is given how many bytes follow in one piece, with that one; may be nil, as all others.
///   - totalLengthOut: Is given how many bytes the buffer has.
///   - dataPointerOut: Is given the address, which lasts as long as the buffer.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferUnallocatedBlockErr`; nothing is given then.
@discardableResult
public func CMBlockBufferGetDataPointer(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
    totalLengthOut: UnsafeMutablePointer<Int>?,
    dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        let bytes = try theBuffer.bytes(at: offset)
        lengthAtOffsetOut?.pointee = bytes.count
        totalLengthOut?.pointee = theBuffer.pieces.length
        dataPointerOut?.pointee = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    }
}

/// How many bytes a buffer has, in all pieces; 0 if it is empty.
@discardableResult
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.pieces.length }

/// Whether bytes lie in one piece.
///
/// - Parameters:
///   - offset: Bytes before those that count.
///   - length: Bytes that count, 0 for all that follow the offset.
/// - Returns: False also for bytes that there are not.
@discardableResult
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    let chain = theBuffer.pieces
    guard let rest = try? chain.rest(after: offset),
        let pieces = try? chain.pieces(at: offset, length: length == 0 ? rest : length)
    else { return false }
    return pieces.count == 1
}

/// Whether a buffer has neither memory nor references; memory that is still to be allocated counts.
@discardableResult
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.pieces.pieces.isEmpty }

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
