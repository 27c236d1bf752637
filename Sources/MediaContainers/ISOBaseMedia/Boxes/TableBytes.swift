/// The content of a table box, read number by number: there may be millions.
///
/// What lies beyond the end reads as zero; ``count(at:entrySize:)`` tells how many entries do not.
package struct TableBytes {
    /// The content.
    package let bytes: [UInt8]

    /// The content of a box.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The version of the box, its first byte.
    package var version: UInt8 { bytes.first ?? 0 }
    /// The 24 bits after the version.
    package var flags: UInt32 { bytes.count >= 4 ? u32(0) & 0xFF_FFFF : 0 }

    /// The 16-bit number at a position.
    package func u16(_ at: Int) -> UInt16 {
        guard at >= 0, at <= bytes.count - 2 else { return 0 }
        return UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
    }

    /// The 32-bit number at a position.
    package func u32(_ at: Int) -> UInt32 {
        guard at >= 0, at <= bytes.count - 4 else { return 0 }
        return UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
            | UInt32(bytes[at + 3])
    }

    /// The 64-bit number at a position.
    package func u64(_ at: Int) -> UInt64 { UInt64(u32(at)) << 32 | UInt64(u32(at + 4)) }

    /// The entries that a table claims at a position, but no more than it has bytes for.
    ///
    /// - Parameters:
    ///   - position: Where the count is; the entries follow it.
    ///   - size: Bytes of an entry.
    package func count(at position: Int, entrySize size: Int) -> Int {
        guard bytes.count >= position + 4 else { return 0 }
        return min(Int(u32(position)), (bytes.count - position - 4) / size)
    }
}

extension TableBytes {
    /// Rows of tables that take more memory in use than in the file; twenty hours of film have no more.
    private static let maximumRows = 1 << 22

    /// The entries of a table, if they are not too many.
    func limitedCount(at position: Int, entrySize size: Int) throws(MovieError) -> Int {
        let count = count(at: position, entrySize: size)
        guard count <= Self.maximumRows else {
            throw MovieError(.limit, "one of its tables has more than \(Self.maximumRows) rows")
        }
        return count
    }
}

extension [UInt8] {
    /// Writes a number over the bytes at a position, the high byte first.
    package mutating func set(bigEndian number: some FixedWidthInteger, at position: Int) {
        let width = number.bitWidth / 8
        for index in 0..<width {
            self[position + index] = UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - index)))
        }
    }
}
