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
    blockBufferOut.initialize(to: CMBlockBuffer())
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

extension CMBlockBuffer {
    /// Makes a buffer without bytes, to add to.
    ///
    /// - Parameters:
    ///   - capacity: How many pieces it will have, a hint.
    ///   - flags: None has an effect.
    /// - Throws: Never.
    public convenience init(capacity: Int = 0, flags: CMBlockBuffer.Flags = []) throws { self.init(BlockChain()) }

    /// Makes a buffer of memory.
    ///
    /// - Parameters:
    ///   - buffer: At least one byte.
    ///   - allocator: Takes the memory back when no buffer needs it: nil for `free`, `kCFAllocatorNull` for memory that
    ///     stays the caller's.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no bytes.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(buffer: buffer, allocator: allocator, flags: flags)
    }

    /// Makes a buffer of a part of memory.
    ///
    /// - Parameters:
    ///   - buffer: The part that counts.
    ///   - allocator: Takes all of the memory back when no buffer needs it: nil for `free`, `kCFAllocatorNull` for
    ///     memory that stays the caller's.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no memory.
    public convenience init(
        buffer: Swift.Slice<UnsafeMutableRawBufferPointer>, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(buffer: buffer, allocator: allocator, flags: flags)
    }

    /// Makes a buffer of memory that is allocated when it is first needed; it is zero then.
    ///
    /// - Parameters:
    ///   - length: Bytes of the memory, at least 1.
    ///   - allocator: Gives the memory out and takes it back: nil for `malloc` and `free`.
    ///   - range: The bytes that count, nil for all.
    ///   - flags: ``Flags/assureMemoryNow`` to allocate at once.
    /// - Throws: ``Error/badLengthParameter``, ``Error/badOffsetParameter``, ``Error/blockAllocationFailed``.
    public convenience init(
        length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(length: length, allocator: allocator, range: range, flags: flags)
    }

    /// Makes a buffer of memory.
    ///
    /// - Parameters:
    ///   - buffer: At least one byte.
    ///   - deallocator: Takes the memory back when no buffer needs it; not if it fails.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no bytes.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(buffer: buffer, deallocator: deallocator, flags: flags)
    }

    /// Makes a buffer of a part of memory.
    ///
    /// - Parameters:
    ///   - buffer: The part that counts.
    ///   - deallocator: Takes all of the memory back when no buffer needs it; not if it fails.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no memory.
    public convenience init(
        buffer: Swift.Slice<UnsafeMutableRawBufferPointer>,
        deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator, flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(buffer: buffer, deallocator: deallocator, flags: flags)
    }

    /// Makes a buffer of memory that is allocated when it is first needed.
    ///
    /// - Parameters:
    ///   - length: Bytes of the memory, at least 1.
    ///   - allocator: Gives the memory out; called once.
    ///   - deallocator: Takes it back when no buffer needs it, if it was given out.
    ///   - range: The bytes that count, nil for all.
    ///   - flags: ``Flags/assureMemoryNow`` to allocate at once.
    /// - Throws: ``Error/badLengthParameter``, ``Error/badOffsetParameter``, ``Error/blockAllocationFailed``.
    public convenience init(
        length: Int, allocator: @escaping CMBlockBuffer.CustomBlockAllocator,
        deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator, range: Range<Int>? = nil,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(length: length, allocator: allocator, deallocator: deallocator, range: range, flags: flags)
    }

    /// Makes a buffer that refers to the bytes of a buffer or of a part of one, without a copy.
    ///
    /// - Parameters:
    ///   - bufferReference: Its memory lasts as long as the new buffer.
    ///   - flags: ``Flags/permitEmptyReference`` for buffers that may be empty.
    /// - Throws: ``Error/emptyBlockBuffer``, ``Error/badOffsetParameter``, ``Error/badLengthParameter``.
    public convenience init<T: CMBlockBufferProtocol>(
        bufferReference: T, flags: CMBlockBuffer.Flags = []
    ) throws {
        self.init(BlockChain())
        try append(bufferReference: bufferReference, flags: flags)
    }
}
