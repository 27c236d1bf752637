internal import MediaMetadata

/// The checksum of Ogg pages: a CRC of 32 bits, the high one first, that begins with zero.
///
/// It is linear, so that a page's checksum after a change follows from the
/// change alone: checksum(a XOR b) = checksum(a) XOR checksum(b).
///
/// Source: RFC 3533, section 6; polynomial 0x04C11DB7.
enum OggChecksum {
    private static let polynomial: UInt32 = 0x04C1_1DB7

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in times2(value) }
    }

    /// At place `n` what 2 to the power of `n` zero bytes multiply by.
    private static let powers: [UInt32] = {
        // One byte is x to the power of 8.
        var powers: [UInt32] = [1 << 8]
        while powers.count < 32, let last = powers.last { powers.append(product(last, last)) }
        return powers
    }()

    private static func times2(_ value: UInt32) -> UInt32 { value << 1 ^ (value >> 31 == 0 ? 0 : polynomial) }

    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        (0..<32).reversed().reduce(0) { sum, bit in times2(sum) ^ (right >> UInt32(bit) & 1 == 0 ? 0 : left) }
    }

    /// The checksum of bytes.
    static func of(_ bytes: some Sequence<UInt8>, after value: UInt32 = 0) -> UInt32 {
        let table = table
        var value = value
        for byte in bytes { value = value << 8 ^ table[Int(UInt8(value >> 24) ^ byte)] }
        return value
    }

    /// The checksum of bytes with another checksum, followed by zero bytes.
    static func appendingZeros(_ count: Int, to value: UInt32) -> UInt32 {
        var value = value
        for (place, power) in powers.enumerated() where count >> place & 1 == 1 { value = product(value, power) }
        return value
    }
}
