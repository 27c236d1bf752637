/// The content of a table box, read number by number.
///
/// Every position is checked by the caller through `count(of:from:)`.
struct TableBytes {
    let bytes: [UInt8]

    /// The version of the box, its first byte.
    var version: UInt8 { bytes.first ?? 0 }
    /// The 24 bits after the version.
    var flags: UInt32 { bytes.count >= 4 ? u32(0) & 0xFF_FFFF : 0 }

    func u16(_ at: Int) -> UInt16 { UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1]) }

    func u32(_ at: Int) -> UInt32 {
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
    }

    func u64(_ at: Int) -> UInt64 { UInt64(u32(at)) << 32 | UInt64(u32(at + 4)) }

    /// The entries that a table claims at a position, but no more than it has bytes for.
    ///
    /// - Parameters:
    ///   - position: Where the count is; the entries follow it.
    ///   - size: Bytes of an entry.
    func count(at position: Int, entrySize size: Int) -> Int {
        guard bytes.count >= position + 4 else { return 0 }
        return min(Int(u32(position)), (bytes.count - position - 4) / size)
    }
}

extension TableBytes {
    /// Rows of tables that take more memory in use than in the file; twenty hours of film have no more.
    private static let maximumRows = 1 << 22

    /// The entries of a table, if they are not too many.
    func limitedCount(at position: Int, entrySize size: Int) throws(MovieTrimError) -> Int {
        let count = count(at: position, entrySize: size)
        guard count <= Self.maximumRows else {
            throw MovieTrimError(.limit, "one of its tables has more than \(Self.maximumRows) rows")
        }
        return count
    }
}

extension [UInt8] {
    /// Adds a 32-bit number, the high byte first, without a loop: tables have millions of them.
    mutating func append32(_ number: UInt32) {
        append(UInt8(truncatingIfNeeded: number >> 24))
        append(UInt8(truncatingIfNeeded: number >> 16))
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    mutating func append64(_ number: UInt64) {
        append32(UInt32(truncatingIfNeeded: number >> 32))
        append32(UInt32(truncatingIfNeeded: number))
    }

    mutating func append16(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    /// Writes a number over the bytes at a position.
    mutating func set32(_ number: UInt32, at position: Int) {
        for index in 0..<4 { self[position + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
    }

    mutating func set64(_ number: UInt64, at position: Int) {
        set32(UInt32(truncatingIfNeeded: number >> 32), at: position)
        set32(UInt32(truncatingIfNeeded: number), at: position + 4)
    }
}
