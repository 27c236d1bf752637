/// Digests that tell apart what nobody has made to look alike: no protection against those who would.
package enum FowlerNollVo {
    /// FNV-1a of 64 bits.
    package static func digest64(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// FNV-1a of 128 bits.
    package static func digest128(of bytes: some Sequence<UInt8>) -> UInt128 {
        let prime: UInt128 = 1 << 88 | 0x13b
        return bytes.reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d) { ($0 ^ UInt128($1)) &* prime }
    }

    /// FNV-1a of 128 bits of several texts, whose lengths keep one's end from being taken for the next one's beginning.
    package static func digest128(of texts: [String]) -> UInt128 {
        digest128(of: texts.lazy.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
    }
}
