public import MediaCore

/// The number of the type of block buffers.
@discardableResult
public func CMBlockBufferGetTypeID() -> CFTypeID { 3 }

/// Makes a buffer without bytes, to add to.
///
/// - Parameters:
///   - structureAllocator: Any; the buffer itself is Swift's.
///   - subBlockCapacity: How many pieces it will have, a hint.
///   - flags: None has an effect.
///   - blockBufferOut: Is given the buffer.
/// - Returns: 0.
@discardableResult
public func CMBlockBufferCreateEmpty(
    allocator structureAllocator: CFAllocator?, capacity subBlockCapacity: UInt32, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    blockBufferOut.pointee = CMBlockBuffer()
    return kCMBlockBufferNoErr
}

/// Makes a buffer of a block of memory, or of the promise of one.
///
/// - Parameters:
///   - structureAllocator: Any; the buffer itself is Swift's.
///   - memoryBlock: The first byte. It is given back when no buffer needs it, by the allocator or the custom source.
///     Nil for memory to be allocated when it is first needed; it is zero then.
///   - blockLength: Bytes of the block, at least 1.
///   - blockAllocator: Gives the memory out and takes it back: nil for `malloc` and `free`, `kCFAllocatorNull` for
///     memory that stays the caller's.
///   - customBlockSource: Does so in place of the allocator; nil for none.
///   - offsetToData: Bytes of the block before those that count.
///   - dataLength: Bytes that count.
///   - flags: `kCMBlockBufferAssureMemoryNowFlag` to allocate at once.
///   - blockBufferOut: Is given the buffer, nil if it fails; the memory stays the caller's then.
/// - Returns: 0, `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadCustomBlockSourceErr`, `kCMBlockBufferBlockAllocationFailedErr`.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
    allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    made(blockBufferOut) { () throws(CoreMediaFailure) in
        let source = try BlockSource(blockAllocator, custom: customBlockSource, allocates: memoryBlock == nil)
        return CMBlockBuffer(
            try BlockPiece(
                block: memoryBlock, blockLength: blockLength, source: source, offset: offsetToData,
                length: dataLength, flags: flags))
    }
}

/// Makes a buffer that refers to bytes of another one, without a copy.
///
/// - Parameters:
///   - structureAllocator: Any; the buffer itself is Swift's.
///   - bufferReference: Its memory lasts as long as the new buffer. What is added to it later is not seen.
///   - offsetToData: Bytes before those that count.
///   - dataLength: Bytes that count, 0 for all that follow the offset.
///   - flags: `kCMBlockBufferPermitEmptyReferenceFlag` for buffers that may be empty.
///   - blockBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
    allocator structureAllocator: CFAllocator?, referenceBuffer bufferReference: CMBlockBuffer, offsetToData: Int,
    dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    made(blockBufferOut) { () throws(CoreMediaFailure) in
        try bufferReference.reference(at: offsetToData, length: dataLength, flags: flags)
    }
}

/// Makes a buffer with bytes of another one in one piece: a reference where they are in one, otherwise a copy.
///
/// - Parameters:
///   - structureAllocator: Any; the buffer itself is Swift's.
///   - sourceBuffer: The bytes.
///   - blockAllocator: Gives out the memory of a copy: nil for `malloc` and `free`.
///   - customBlockSource: Does so in place of the allocator; nil for none.
///   - offsetToData: Bytes before those that count.
///   - dataLength: Bytes that count, 0 for all that follow the offset.
///   - flags: `kCMBlockBufferAlwaysCopyDataFlag` for a copy in any case.
///   - blockBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferBadCustomBlockSourceErr`,
///   `kCMBlockBufferBlockAllocationFailedErr`, `kCMBlockBufferUnallocatedBlockErr` if bytes are still to be allocated.
@discardableResult
public func CMBlockBufferCreateContiguous(
    allocator structureAllocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    made(blockBufferOut) { () throws(CoreMediaFailure) in
        let source = try BlockSource(blockAllocator, custom: customBlockSource, allocates: true)
        return try sourceBuffer.contiguous(at: offsetToData, length: dataLength, source: source, flags: flags)
    }
}

/// Adds a block of memory, or the promise of one, to a buffer.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - memoryBlock: The first byte. It is given back when no buffer needs it, by the allocator or the custom source.
///     Nil for memory to be allocated when it is first needed; it is zero then.
///   - blockLength: Bytes of the block, at least 1.
///   - blockAllocator: Gives the memory out and takes it back: nil for `malloc` and `free`, `kCFAllocatorNull` for
///     memory that stays the caller's.
///   - customBlockSource: Does so in place of the allocator; nil for none.
///   - offsetToData: Bytes of the block before those that count.
///   - dataLength: Bytes that count.
///   - flags: `kCMBlockBufferAssureMemoryNowFlag` to allocate at once.
/// - Returns: 0, `kCMBlockBufferBadLengthParameterErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadCustomBlockSourceErr`, `kCMBlockBufferBlockAllocationFailedErr`; the memory stays the caller's
///   then.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
    _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        let source = try BlockSource(blockAllocator, custom: customBlockSource, allocates: memoryBlock == nil)
        try theBuffer.append(
            block: memoryBlock, blockLength: blockLength, source: source, offset: offsetToData, length: dataLength,
            flags: flags)
    }
}

/// Adds bytes of another buffer to a buffer, without a copy.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - targetBBuf: Its memory lasts as long as the buffer. What is added to it later is not seen.
///   - offsetToData: Bytes before those that count.
///   - dataLength: Bytes that count, 0 for all that follow the offset.
///   - flags: `kCMBlockBufferPermitEmptyReferenceFlag` for buffers that may be empty.
/// - Returns: 0, `kCMBlockBufferEmptyBBufErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferBadLengthParameterErr`.
@discardableResult
public func CMBlockBufferAppendBufferReference(
    _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        try theBuffer.append(try targetBBuf.referredPieces(at: offsetToData, length: dataLength, flags: flags))
    }
}
