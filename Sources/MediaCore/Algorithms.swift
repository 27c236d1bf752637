/// The largest number that divides both; the other number if one is 0.
@inlinable package func greatestCommonDivisor<T: UnsignedInteger>(_ a: T, _ b: T) -> T {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

/// The smallest number that both divide; neither may be 0.
@inlinable package func leastCommonMultiple<T: UnsignedInteger>(_ a: T, _ b: T) -> T {
    a / greatestCommonDivisor(a, b) * b
}

extension RandomAccessCollection {
    /// The first index from which on a condition holds, in a collection where
    /// it holds from some element on; `endIndex` if it never does.
    ///
    /// - Complexity: The logarithm of the count.
    @inlinable package func partitioningIndex(where belongsInSecond: (Element) throws -> Bool) rethrows -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try belongsInSecond(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}

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

/// MD5 of RFC 1321, which names of shared caches are made of: no protection against anybody.
package enum MD5 {
    private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    /// The whole part of 2³² · |sin n|, for n from 1 to 64.
    private static let sines: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]

    /// The digest as 32 hexadecimal digits.
    package static func hexadecimalDigest(of bytes: [UInt8]) -> String {
        let padding = [0x80] + [UInt8](repeating: 0, count: (119 - bytes.count % 64) % 64)
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (UInt64(bytes.count) &* 8) >> (8 * UInt64($0))) }
        let message = bytes + padding + length
        var state: SIMD4<UInt32> = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + 4 * word + $1]) << (8 * UInt32($1)) }
            }
            state = state &+ mixed(state, words)
        }
        return (0..<16).map { index in
            let byte = UInt8(truncatingIfNeeded: state[index / 4] >> (8 * UInt32(index % 4)))
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func mixed(_ state: SIMD4<UInt32>, _ words: [UInt32]) -> SIMD4<UInt32> {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mix, word) =
                switch step / 16 {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mix &+ sines[step] &+ words[word]
            let shift = shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        return [a, b, c, d]
    }
}

/// A random generator with a seed (SplitMix64), so that what was found with it can be had again.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
