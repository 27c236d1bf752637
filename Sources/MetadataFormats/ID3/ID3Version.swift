internal import MediaMetadata

extension ID3Version {
    var identifierLength: Int { self == .v22 ? 3 : 4 }
    var frameHeaderLength: Int { self == .v22 ? 6 : 10 }
    /// The most bytes that a frame's size can count.
    var maximumFrameSize: Int { self == .v22 ? 0xFF_FFFF : ID3Size.maximum }
}

/// Numbers of seven bits to the byte, so that no byte looks like MPEG audio.
enum ID3Size {
    /// The greatest number in four such bytes.
    static let maximum = 1 << 28 - 1

    /// The number in four bytes, `nil` if one of them has its high bit set.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    static func bytes(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0) & 0x7F }
    }
}

/// Unsynchronisation: zero bytes put in where players that do not know ID3
/// could take the tag for MPEG audio.
enum ID3Unsynchronization {
    static func removed(from bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(0xFF) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var last: UInt8 = 0
        for byte in bytes {
            if last != 0xFF || byte != 0 { result.append(byte) }
            last = byte
        }
        return result[...]
    }

    static func added(to bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0xFF) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xFF, byte == 0 || byte >= 0xE0 { result.append(0) }
            result.append(byte)
            last = byte
        }
        if last == 0xFF { result.append(0) }
        return result
    }

    /// Whether bytes could be the outcome of unsynchronisation.
    static func isPlausible(_ bytes: ArraySlice<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xFF, byte >= 0xE0 { return false }
            last = byte
        }
        return last != 0xFF
    }
}
