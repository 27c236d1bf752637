public import MediaCore

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
