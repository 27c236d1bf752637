public import Foundation
public import MediaCore

/// A block buffer, or a part of one.
public protocol CMBlockBufferProtocol {
    /// The buffer.
    var owner: CMBlockBuffer { get }
    /// Bytes of the buffer before those that count.
    var startIndex: Int { get }
    /// The place after the last byte that counts.
    var endIndex: Int { get }
}

extension CMBlockBuffer: CMBlockBufferProtocol {
    /// The buffer itself.
    public var owner: CMBlockBuffer { self }
    /// 0.
    public var startIndex: Int { 0 }
    /// How many bytes there are.
    public var endIndex: Int { pieces.length }

    /// A part of a buffer; its places are those of the buffer.
    ///
    /// - Note: Core Media's traps where there are no such bytes; here the functions of the part throw.
    public struct Slice: CMBlockBufferProtocol, Sendable {
        /// The buffer.
        public let owner: CMBlockBuffer
        /// Bytes of the buffer before those that count.
        public let startIndex: Int
        /// The place after the last byte that counts.
        public let endIndex: Int
    }
}

extension Range<Int> {
    /// How many places there are, as many as can be counted.
    var spannedLength: Int {
        let (length, tooMany) = upperBound.subtractingReportingOverflow(lowerBound)
        return tooMany ? .max : length
    }
}

extension CMBlockBufferProtocol {
    /// How many bytes count.
    public var dataLength: Int { endIndex < startIndex ? 0 : (startIndex..<endIndex).spannedLength }

    /// The bytes at places of the buffer.
    public subscript(bounds: Range<Int>) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: bounds.lowerBound, endIndex: bounds.upperBound)
    }

    /// The bytes at places of the buffer, the last one included.
    public subscript(bounds: ClosedRange<Int>) -> CMBlockBuffer.Slice {
        self[bounds.lowerBound..<place(after: bounds.upperBound)]
    }

    /// The bytes from the start to before a place of the buffer.
    public subscript(bounds: PartialRangeUpTo<Int>) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: startIndex, endIndex: bounds.upperBound)
    }

    /// The bytes from the start to a place of the buffer.
    public subscript(bounds: PartialRangeThrough<Int>) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: startIndex, endIndex: place(after: bounds.upperBound))
    }

    /// The bytes from a place of the buffer to the end.
    public subscript(bounds: PartialRangeFrom<Int>) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: bounds.lowerBound, endIndex: endIndex)
    }

    /// All bytes.
    public subscript(bounds: (UnboundedRange_) -> Void) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: startIndex, endIndex: endIndex)
    }

    private func place(after place: Int) -> Int { place == .max ? place : place + 1 }
}

extension CMBlockBufferProtocol {
    /// Whether the bytes lie in one piece; false for none.
    public var isContiguous: Bool {
        dataLength > 0 && CMBlockBufferIsRangeContiguous(owner, atOffset: startIndex, length: dataLength)
    }

    /// A buffer with the bytes in one piece: a reference if they are, otherwise a copy.
    ///
    /// - Parameters:
    ///   - allocator: Gives out the memory of a copy: nil for `malloc` and `free`.
    ///   - flags: ``CMBlockBuffer/Flags/alwaysCopyData`` for a copy in any case.
    /// - Throws: ``CMBlockBuffer/Error/emptyBlockBuffer``, ``CMBlockBuffer/Error/unallocatedBlock``,
    ///   ``CMBlockBuffer/Error/blockAllocationFailed``.
    public func makeContiguous(
        allocator: CFAllocator? = kCFAllocatorDefault, flags: CMBlockBuffer.Flags = []
    ) throws -> CMBlockBuffer {
        try makeContiguous(BlockSource(allocator), flags)
    }

    /// A buffer with the bytes in one piece: a reference if they are, otherwise a copy.
    ///
    /// - Parameters:
    ///   - allocator: Gives out the memory of a copy.
    ///   - deallocator: Takes it back when no buffer needs it.
    ///   - flags: ``CMBlockBuffer/Flags/alwaysCopyData`` for a copy in any case.
    /// - Throws: ``CMBlockBuffer/Error/emptyBlockBuffer``, ``CMBlockBuffer/Error/unallocatedBlock``,
    ///   ``CMBlockBuffer/Error/blockAllocationFailed``.
    public func makeContiguous(
        allocator: @escaping CMBlockBuffer.CustomBlockAllocator,
        deallocator: @escaping CMBlockBuffer.CustomBlockDeallocator, flags: CMBlockBuffer.Flags = []
    ) throws -> CMBlockBuffer {
        try makeContiguous(BlockSource(allocate: allocator, release: deallocator), flags)
    }

    private func makeContiguous(_ source: BlockSource, _ flags: CMBlockBuffer.Flags) throws -> CMBlockBuffer {
        try orError { () throws(CoreMediaFailure) in
            try owner.contiguous(at: startIndex, length: dataLength, source: source, flags: flags.rawValue)
        }
    }

    /// Lends the bytes in one piece: where they are if they are in one, otherwise as a copy.
    ///
    /// - Throws: ``CMBlockBuffer/Error/emptyBlockBuffer``, ``CMBlockBuffer/Error/unallocatedBlock``,
    ///   ``CMBlockBuffer/Error/blockAllocationFailed``; what the body throws.
    public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        let one = try makeContiguous()
        let bytes = try orError { () throws(CoreMediaFailure) in try one.bytes(at: 0) }
        return try withExtendedLifetime(one) { try body(UnsafeRawBufferPointer(bytes)) }
    }

    /// A copy of the bytes; empty for none.
    ///
    /// - Throws: ``CMBlockBuffer/Error/badOffsetParameter``, ``CMBlockBuffer/Error/badLengthParameter``,
    ///   ``CMBlockBuffer/Error/unallocatedBlock``, ``CMBlockBuffer/Error/blockAllocationFailed``.
    public func dataBytes() throws -> Data {
        let length = dataLength
        guard length > 0 else { return Data() }
        return try orError { () throws(CoreMediaFailure) in
            // A part may be longer than its buffer, and memory be promised that nobody has: `Data` itself would trap.
            for piece in try owner.pieces.pieces(at: startIndex, length: length) { _ = try piece.start() }
            guard let memory = malloc(length) else { throw CoreMediaFailure(kCMBlockBufferBlockAllocationFailedErr) }
            do throws(CoreMediaFailure) {
                try owner.copyBytes(at: startIndex, length: length, to: memory)
            } catch {
                free(memory)
                throw error
            }
            return Data(bytesNoCopy: memory, count: length, deallocator: .free)
        }
    }

    /// Copies the bytes to somewhere else.
    ///
    /// - Parameter destination: At least as long as the bytes.
    /// - Throws: ``CMBlockBuffer/Error/insufficientSpace`` if it is not, ``CMBlockBuffer/Error/emptyBlockBuffer``,
    ///   ``CMBlockBuffer/Error/badOffsetParameter``, ``CMBlockBuffer/Error/badLengthParameter``,
    ///   ``CMBlockBuffer/Error/unallocatedBlock``.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        try orError { () throws(CoreMediaFailure) in
            guard let start = destination.baseAddress, destination.count >= dataLength else {
                throw CoreMediaFailure(kCMBlockBufferInsufficientSpaceErr)
            }
            try owner.copyBytes(at: startIndex, length: dataLength, to: start)
        }
    }

    /// Copies other bytes into the buffer, in place of the first ones; memory is allocated if that is still to be done.
    ///
    /// - Parameter sourceBytes: At least one, at most as many as there are.
    /// - Throws: ``CMBlockBuffer/Error/insufficientSpace`` for more, ``CMBlockBuffer/Error/badLengthParameter`` for
    ///   none, ``CMBlockBuffer/Error/emptyBlockBuffer``, ``CMBlockBuffer/Error/badOffsetParameter``,
    ///   ``CMBlockBuffer/Error/blockAllocationFailed``.
    public func replaceDataBytes(with sourceBytes: UnsafeRawBufferPointer) throws {
        try orError { () throws(CoreMediaFailure) in
            guard sourceBytes.count <= dataLength else { throw CoreMediaFailure(kCMBlockBufferInsufficientSpaceErr) }
            try owner.write(at: startIndex, length: sourceBytes.count) { part, done in
                part.copyMemory(from: UnsafeRawBufferPointer(rebasing: sourceBytes[done..<(done + part.count)]))
            }
        }
    }

    /// Sets all bytes to a value; memory is allocated if that is still to be done.
    ///
    /// - Throws: ``CMBlockBuffer/Error/emptyBlockBuffer``, ``CMBlockBuffer/Error/badOffsetParameter``,
    ///   ``CMBlockBuffer/Error/badLengthParameter``, ``CMBlockBuffer/Error/blockAllocationFailed``.
    public func fillDataBytes(with fillByte: UInt8) throws {
        try orError { () throws(CoreMediaFailure) in
            try owner.write(at: startIndex, length: dataLength) { part, _ in
                part.initializeMemory(as: UInt8.self, repeating: fillByte)
            }
        }
    }
}

extension CMBlockBuffer {
    /// Whether the buffer has neither memory nor references; memory that is still to be allocated counts.
    public var isEmpty: Bool { CMBlockBufferIsEmpty(self) }
    /// The number of the type of block buffers.
    public class var typeID: CFTypeID { CMBlockBufferGetTypeID() }

    /// Lends the bytes from an offset on that lie in one piece, to read and to write.
    ///
    /// - Parameters:
    ///   - offset: Bytes before those that count.
    ///   - body: Given the bytes, which last as long as the call.
    /// - Throws: ``Error/emptyBlockBuffer``, ``Error/badOffsetParameter``, ``Error/unallocatedBlock``; what the body
    ///   throws.
    public func withUnsafeMutableBytes<R>(
        atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) throws -> R {
        let found = try orError { () throws(CoreMediaFailure) in try bytes(at: offset) }
        return try withExtendedLifetime(self) { try body(found) }
    }
}
