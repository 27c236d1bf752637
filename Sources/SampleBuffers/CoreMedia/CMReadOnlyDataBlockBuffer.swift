public import Foundation

/// Bytes that nobody changes any more, perhaps in several pieces, which threads may share.
public struct CMReadOnlyDataBlockBuffer: Sendable {
    private let block: CMBlockBuffer

    /// No bytes.
    ///
    /// - Parameter subBlockCapacity: Of no effect.
    public init(subBlockCapacity: Int = 0) { block = CMBlockBuffer() }

    /// A copy of bytes; none where there is no memory for it.
    public init(_ data: Data) { block = (try? CMBlockBuffer(copying: data)) ?? CMBlockBuffer() }

    /// The bytes of a buffer that nobody else writes to from now on.
    ///
    /// Memory that is still to be allocated is allocated now; where there is none, there are no bytes.
    public init(unsafeBlockBuffer: sending CMBlockBuffer) {
        let isThere = unsafeBlockBuffer.isEmpty || (try? unsafeBlockBuffer.assureBlockMemory()) != nil
        block = isThere ? unsafeBlockBuffer : CMBlockBuffer()
    }

    /// Lends the buffer, which is not to be written to.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withUnsafeBlockBuffer<R>(_ body: (CMBlockBuffer) throws -> sending R) rethrows -> sending R
    where R: ~Copyable {
        try body(block)
    }

    /// Whether the bytes lie in one piece; false for none.
    public var isContiguous: Bool { block.isContiguous }

    /// Adds the bytes of another buffer at the end, without a copy.
    ///
    /// - Parameter optimizeDepth: Of no effect: references are always to memory.
    public mutating func append(referenceOf other: CMReadOnlyDataBlockBuffer, optimizeDepth: Bool = true) {
        // Others may hold the same buffer.
        let joined = CMBlockBuffer()
        for part in [block, other.block] where !part.isEmpty { try? joined.append(bufferReference: part) }
        self = CMReadOnlyDataBlockBuffer(unsafeBlockBuffer: joined)
    }

    /// The bytes of both, without a copy.
    public static func + (left: Self, right: Self) -> Self {
        var joined = left
        joined.append(referenceOf: right)
        return joined
    }

    /// Adds the bytes of another buffer at the end, without a copy.
    public static func += (left: inout Self, right: Self) { left.append(referenceOf: right) }
}

extension CMReadOnlyDataBlockBuffer: RandomAccessCollection, DataProtocol {
    /// Bytes that lie in one piece.
    public struct BlockRegion: RandomAccessCollection, DataProtocol, ContiguousBytes, Sendable {
        fileprivate let block: CMBlockBuffer
        /// How many bytes of the buffer come before it.
        public let startIndex: Int
        /// The place after its last byte.
        public let endIndex: Int

        /// The byte at a place of the buffer.
        public subscript(position: Int) -> UInt8 { withUnsafeBytes { $0[position - startIndex] } }

        /// The region itself.
        public var regions: CollectionOfOne<BlockRegion> { CollectionOfOne(self) }

        /// Lends the bytes.
        ///
        /// - Returns: What the body returns.
        /// - Throws: What the body throws.
        public func withUnsafeBytes<ResultType>(
            _ body: (UnsafeRawBufferPointer) throws -> ResultType
        ) rethrows -> ResultType {
            let bytes = (try? block.contiguousBytes(at: startIndex, length: count)) ?? nil
            return try withExtendedLifetime(block) {
                try body(UnsafeRawBufferPointer(bytes ?? .init(start: nil, count: 0)))
            }
        }

        /// Lends the bytes.
        ///
        /// - Returns: What the body returns.
        /// - Throws: What the body throws.
        public func withContiguousStorageIfAvailable<R>(
            _ body: (UnsafeBufferPointer<UInt8>) throws -> R
        ) rethrows -> R? {
            try withUnsafeBytes { try body($0.assumingMemoryBound(to: UInt8.self)) }
        }
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many bytes there are.
    public var endIndex: Int { block.dataLength }

    /// The byte at a place.
    public subscript(position: Int) -> UInt8 {
        let byte = try? block.bytes(at: position).first
        precondition(byte != nil, "there is no such byte")
        return byte ?? 0
    }

    /// The pieces that the bytes lie in.
    public var regions: [BlockRegion] {
        var regions: [BlockRegion] = []
        var start = 0
        while start < endIndex, let piece = try? block.bytes(at: start), !piece.isEmpty {
            regions.append(BlockRegion(block: block, startIndex: start, endIndex: start + piece.count))
            start += piece.count
        }
        return regions
    }

    /// Lends the bytes if they lie in one piece.
    ///
    /// - Returns: What the body returns, `nil` for several pieces.
    /// - Throws: What the body throws.
    public func withContiguousStorageIfAvailable<R>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R? {
        let regions = regions
        guard regions.count <= 1 else { return nil }
        guard let only = regions.first else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        return try only.withContiguousStorageIfAvailable(body)
    }
}
