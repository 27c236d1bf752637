/// Digests that tell apart what nobody has made to look alike: no protection against those who would.
package enum FowlerNollVo {
    private static let (offset, prime): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x100_0000_01b3)

    /// FNV-1a of 64 bits.
    package static func digest64(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(offset) { ($0 ^ UInt64($1)) &* prime }
    }

    /// The same over eight bytes at a time, with zeros after the last ones, for many bytes.
    package static func digest64(ofWordsIn bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { buffer in
            var digest = offset
            let whole = buffer.count & ~7
            for index in stride(from: 0, to: whole, by: 8) {
                digest = (digest ^ buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* prime
            }
            let rest = buffer[whole...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (digest ^ rest) &* prime
        }
    }

    /// FNV-1a of 128 bits of several texts, whose lengths keep one's end from being taken for the next one's beginning.
    package static func digest128(of texts: [String]) -> UInt128 {
        let prime: UInt128 = 1 << 88 | 0x13b
        let bytes = texts.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
        return bytes.reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d) { ($0 ^ UInt128($1)) &* prime }
    }
}
