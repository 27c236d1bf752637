/// Reads bits, most significant first, and `nil` past the end.
package struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var position = 0

    package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// What `body` reads from the beginning of a payload.
    package static func reading<T>(_ payload: [UInt8], _ body: (inout BitReader) -> T?) -> T? {
        payload.withUnsafeBytes { bytes in
            var bits = BitReader(bytes: bytes)
            return body(&bits)
        }
    }

    package mutating func read(_ count: Int) -> UInt32? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value: UInt32 = 0
        for _ in 0..<count {
            value = value << 1 | UInt32(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
            position += 1
        }
        return value
    }

    /// An unsigned Exp-Golomb code of up to 32 bits.
    package mutating func readExpGolomb() -> UInt32? {
        var zeros = 0
        while let bit = read(1) {
            if bit == 1 { return zeros == 0 ? 0 : read(zeros).map { (UInt32(1) << UInt32(zeros)) - 1 + $0 } }
            zeros += 1
            if zeros > 31 { return nil }
        }
        return nil
    }

    package mutating func readFlag() -> Bool? { read(1).map { $0 == 1 } }

    /// A signed Exp-Golomb code.
    package mutating func readSignedExpGolomb() -> Int? {
        readExpGolomb().map { code in code % 2 == 1 ? Int(code / 2) + 1 : -Int(code / 2) }
    }
}
