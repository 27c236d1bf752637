public import MediaCore

extension CMBlockBuffer {
    /// Adds memory that is allocated when it is first needed; it is zero then.
    ///
    /// - Parameters:
    ///   - length: Bytes of the memory, at least 1.
    ///   - allocator: Gives the memory out and takes it back: nil for `malloc` and `free`.
    ///   - range: The bytes that count, nil for all.
    ///   - flags: ``Flags/assureMemoryNow`` to allocate at once.
    /// - Throws: ``Error/badLengthParameter``, ``Error/badOffsetParameter``, ``Error/blockAllocationFailed``.
    public func append(
        length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        try append(length: length, source: BlockSource(allocator), range: range, flags: flags)
    }

    /// Adds memory.
    ///
    /// - Parameters:
    ///   - buffer: At least one byte.
    ///   - allocator: Takes the memory back when no buffer needs it: nil for `free`, `kCFAllocatorNull` for memory that
    ///     stays the caller's.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no bytes.
    public func append(
        buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        try append(buffer, 0..<buffer.count, BlockSource(allocator), flags)
    }

    /// Adds a part of memory.
    ///
    /// - Parameters:
    ///   - buffer: The part that counts.
    ///   - allocator: Takes all of the memory back when no buffer needs it: nil for `free`, `kCFAllocatorNull` for
    ///     memory that stays the caller's.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no memory.
    public func append(
        buffer: Swift.Slice<UnsafeMutableRawBufferPointer>, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        try append(buffer.base, buffer.startIndex..<buffer.endIndex, BlockSource(allocator), flags)
    }

    /// Adds memory that is allocated when it is first needed.
    ///
    /// - Parameters:
    ///   - length: Bytes of the memory, at least 1.
    ///   - allocator: Gives the memory out; called once.
    ///   - deallocator: Takes it back when no buffer needs it, if it was given out.
    ///   - range: The bytes that count, nil for all.
    ///   - flags: ``Flags/assureMemoryNow`` to allocate at once.
    /// - Throws: ``Error/badLengthParameter``, ``Error/badOffsetParameter``, ``Error/blockAllocationFailed``.
    public func append(
        length: Int, allocator: @escaping CMBlockBuffer.CustomBlockAllocator,
        deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator, range: Range<Int>? = nil,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        let source = BlockSource(allocate: allocator, release: deallocator)
        try append(length: length, source: source, range: range, flags: flags)
    }

    /// Adds memory.
    ///
    /// - Parameters:
    ///   - buffer: At least one byte.
    ///   - deallocator: Takes the memory back when no buffer needs it; not if it fails.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no bytes.
    public func append(
        buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator,
        flags: CMBlockBuffer.Flags = []
    ) throws {
        try append(buffer, 0..<buffer.count, BlockSource(release: deallocator), flags)
    }

    /// Adds a part of memory.
    ///
    /// - Parameters:
    ///   - buffer: The part that counts.
    ///   - deallocator: Takes all of the memory back when no buffer needs it; not if it fails.
    ///   - flags: None has an effect.
    /// - Throws: ``Error/badPointerParameter`` or ``Error/badLengthParameter`` for no memory.
    public func append(
        buffer: Swift.Slice<UnsafeMutableRawBufferPointer>,
        deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator, flags: CMBlockBuffer.Flags = []
    ) throws {
        try append(buffer.base, buffer.startIndex..<buffer.endIndex, BlockSource(release: deallocator), flags)
    }

    /// Adds the bytes of a buffer or of a part of one, without a copy.
    ///
    /// - Parameters:
    ///   - bufferReference: Its memory lasts as long as this buffer.
    ///   - flags: ``Flags/permitEmptyReference`` for buffers that may be empty.
    /// - Throws: ``Error/emptyBlockBuffer``, ``Error/badOffsetParameter``, ``Error/badLengthParameter``.
    public func append<T: CMBlockBufferProtocol>(bufferReference: T, flags: CMBlockBuffer.Flags = []) throws {
        try orError { () throws(CoreMediaFailure) in
            try append(
                try bufferReference.owner.referredPieces(
                    at: bufferReference.startIndex, length: bufferReference.dataLength, flags: flags.rawValue))
        }
    }

    /// Allocates all memory that is still to be allocated.
    ///
    /// - Throws: ``Error/emptyBlockBuffer``, ``Error/blockAllocationFailed``.
    public func assureBlockMemory() throws { try orError { () throws(CoreMediaFailure) in try assureMemory() } }

    private func append(length: Int, source: BlockSource, range: Range<Int>?, flags: Flags) throws {
        try orError { () throws(CoreMediaFailure) in
            try append(
                block: nil, blockLength: length, source: source, offset: range?.lowerBound ?? 0,
                length: range?.spannedLength ?? length, flags: flags.rawValue)
        }
    }

    private func append(
        _ buffer: UnsafeMutableRawBufferPointer, _ range: Range<Int>, _ source: BlockSource, _ flags: Flags
    ) throws {
        try orError { () throws(CoreMediaFailure) in
            guard let start = buffer.baseAddress else { throw CoreMediaFailure(kCMBlockBufferBadPointerParameterErr) }
            try append(
                block: start, blockLength: buffer.count, source: source, offset: range.lowerBound,
                length: range.spannedLength, flags: flags.rawValue)
        }
    }
}
