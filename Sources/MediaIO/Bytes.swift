extension String {
    /// Each byte as the code point of the same number.
    @inlinable
    package init(latin1 bytes: some Collection<UInt8>) {
        // By way of UTF-8, which is many times faster than scalars; that counts where texts fill megabytes.
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                utf8.append(byte)
            } else {
                utf8.append(0xC0 | byte >> 6)
                utf8.append(0x80 | byte & 0x3F)
            }
        }
        self.init(decoding: utf8, as: UTF8.self)
    }

    /// The characters as one byte each, `nil` if one lies beyond U+00FF.
    package var latin1: [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

// Inlined into other modules: without that each call goes through the collection's generic interface.
extension RandomAccessCollection<UInt8> where Index == Int {
    /// The 16-bit number whose bytes begin `offset` after the first; `nil` if it is not all there.
    @inlinable
    package func bigEndian16(at offset: Int) -> UInt16? { number(at: offset) }
    /// The 24-bit number whose bytes begin `offset` after the first.
    @inlinable
    package func bigEndian24(at offset: Int) -> UInt32? {
        guard let high = bigEndian16(at: offset), offset + 2 < count else { return nil }
        return UInt32(high) << 8 | UInt32(self[startIndex + offset + 2])
    }
    /// The 32-bit number whose bytes begin `offset` after the first.
    @inlinable
    package func bigEndian32(at offset: Int) -> UInt32? { number(at: offset) }
    /// The 64-bit number whose bytes begin `offset` after the first.
    @inlinable
    package func bigEndian64(at offset: Int) -> UInt64? { number(at: offset) }
    /// The 16-bit number, its low byte first.
    @inlinable
    package func littleEndian16(at offset: Int) -> UInt16? { bigEndian16(at: offset)?.byteSwapped }
    /// The 32-bit number, its low byte first.
    @inlinable
    package func littleEndian32(at offset: Int) -> UInt32? { bigEndian32(at: offset)?.byteSwapped }
    /// The 64-bit number, its low byte first.
    @inlinable
    package func littleEndian64(at offset: Int) -> UInt64? { bigEndian64(at: offset)?.byteSwapped }

    /// A number whose bytes begin `offset` after the first.
    @inlinable
    package func number<T: FixedWidthInteger>(at offset: Int) -> T? {
        let size = T.bitWidth / 8
        guard offset >= 0, offset <= count - size else { return nil }
        let start = startIndex + offset
        return self[start..<(start + size)].reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
    }
}

extension [UInt8] {
    /// Adds a number's bytes, the high one first.
    ///
    /// All at once: tables have millions of numbers.
    @inlinable
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Adds a number's bytes, the low one first.
    @inlinable
    package mutating func append(littleEndian number: some FixedWidthInteger) {
        append(bigEndian: number.byteSwapped)
    }
}

extension Range<UInt64> {
    /// The bytes from its beginning to its end.
    package var length: UInt64 { upperBound - lowerBound }

    /// Without the first so many.
    package func dropping(_ count: UInt64) -> Range { Swift.min(upperBound, lowerBound + count)..<upperBound }

    /// The first so many.
    package func prefix(_ count: UInt64) -> Range { lowerBound..<Swift.min(upperBound, lowerBound + count) }
}
