internal import Foundation
public import MediaCore
internal import Synchronization

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

/// One block of memory of block buffers, allocated or promised, until no buffer needs it.
final class BlockMemory: Sendable {
    /// `@unchecked Sendable`: an address alone; who uses the memory when is for the clients to say.
    private struct Address: @unchecked Sendable {
        var pointer: UnsafeMutableRawPointer?
    }

    /// Bytes of the block.
    let length: Int
    private let source: BlockSource
    private let address: Mutex<Address>

    /// Takes over memory, or promises some.
    ///
    /// - Parameters:
    ///   - block: `nil` for memory to be allocated when it is first needed.
    ///   - length: Bytes of the block, at least 1.
    init(_ block: UnsafeMutableRawPointer?, length: Int, source: BlockSource) {
        (self.length, self.source) = (length, source)
        address = Mutex(Address(pointer: block))
    }

    deinit {
        if let pointer { source.release(pointer, length) }
    }

    /// The first byte, `nil` if the memory is still to be allocated.
    var pointer: UnsafeMutableRawPointer? { address.withLock { $0 }.pointer }

    /// Allocates the memory if that is still to be done.
    ///
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`; the next call tries again.
    func assure() throws(CoreMediaFailure) {
        // The source is asked under the lock: it is to be asked once, whoever else comes meanwhile.
        let isThere = address.withLock { address in
            if address.pointer == nil { address.pointer = source.allocate(length) }
            return address.pointer != nil
        }
        guard isThere else { throw CoreMediaFailure(kCMBlockBufferBlockAllocationFailedErr) }
    }
}

/// Where memory of block buffers comes from, and where it goes.
///
/// `@unchecked Sendable`: the functions are the client's, who lets them be called on any thread, as in Core Media.
struct BlockSource: @unchecked Sendable {
    /// Given a number of bytes; `nil` if there is no memory.
    let allocate: (Int) -> UnsafeMutableRawPointer?
    /// Given the memory and its bytes.
    let release: (UnsafeMutableRawPointer, Int) -> Void

    /// A source of a client's functions.
    init(
        allocate: @escaping (Int) -> UnsafeMutableRawPointer?,
        release: @escaping (UnsafeMutableRawPointer, Int) -> Void
    ) {
        (self.allocate, self.release) = (allocate, release)
    }

    /// A source for memory that is there already.
    init(release: @escaping (UnsafeMutableRawPointer, Int) -> Void) {
        self.init(allocate: { _ in nil }, release: release)
    }

    /// The source that an allocator stands for.
    init(_ allocator: CFAllocator?) {
        if let allocator, allocator === kCFAllocatorNull {
            self.init { _, _ in }
        } else {
            // `calloc` gets large pieces from the kernel, clean: nobody sees what others left in the memory.
            self.init(allocate: { calloc(1, $0) }, release: { memory, _ in free(memory) })
        }
    }

    /// The source that functions of C stand for: the custom one if there is one, otherwise the allocator.
    ///
    /// - Parameter allocates: Whether memory will be asked for.
    /// - Throws: `kCMBlockBufferBadCustomBlockSourceErr`.
    init(
        _ allocator: CFAllocator?, custom: UnsafePointer<CMBlockBufferCustomBlockSource>?, allocates: Bool
    ) throws(CoreMediaFailure) {
        guard let custom = custom?.pointee else {
            self.init(allocator)
            return
        }
        guard custom.version == kCMBlockBufferCustomBlockSourceVersion, custom.AllocateBlock != nil || !allocates else {
            throw CoreMediaFailure(kCMBlockBufferBadCustomBlockSourceErr)
        }
        self.init(
            allocate: { custom.AllocateBlock?(custom.refCon, $0) },
            release: { custom.FreeBlock?(custom.refCon, $0, $1) })
    }
}

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
