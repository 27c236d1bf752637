/// Unpacks what DEFLATE has packed, as long as it is little: colour profiles in PNG, headers of old movies.
///
/// Source: RFC 1950, RFC 1951.
package struct Inflate {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var held: UInt32 = 0
    private var heldCount = 0
    private var output: [UInt8] = []
    private let limit: Int

    /// Codes of up to 15 bits: how many there are of each length, and the symbols in their order.
    private struct Codes {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: some Collection<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            symbols = lengths.enumerated().filter { $0.element > 0 }
                .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
        }
    }

    /// The content of a zlib stream, `nil` if it is damaged or more than `limit` bytes.
    package static func content(_ bytes: ArraySlice<UInt8>, limit: Int = 4 << 20) -> [UInt8]? {
        guard bytes.count > 6, let first = bytes.first, first & 15 == 8,
            bytes[bytes.startIndex + 1] & 0x20 == 0
        else { return nil }
        var inflate = Inflate(bytes: bytes, limit: limit)
        return inflate.run()
    }

    /// A zlib stream of bytes that are not packed.
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let part = rest.prefix(0xFFFF)
            rest = rest.dropFirst(part.count)
            let (low, high) = (UInt8(part.count & 255), UInt8(part.count >> 8))
            result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
        } while !rest.isEmpty
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return result + [UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)]
    }

    private init(bytes: ArraySlice<UInt8>, limit: Int) {
        (self.bytes, self.limit) = (bytes, limit)
        position = bytes.startIndex + 2
    }

    private mutating func run() -> [UInt8]? {
        while true {
            guard let isLast = bits(1), let kind = bits(2) else { return nil }
            let isWhole =
                switch kind {
                case 0: copyStored()
                case 1: block(Self.fixedLengths, Self.fixedDistances)
                case 2: dynamicBlock()
                default: false
                }
            guard isWhole else { return nil }
            if isLast == 1 { return output }
        }
    }

    private mutating func bits(_ count: Int) -> Int? {
        while heldCount < count {
            guard position < bytes.endIndex else { return nil }
            held |= UInt32(bytes[position]) << UInt32(heldCount)
            heldCount += 8
            position += 1
        }
        let value = held & (1 << UInt32(count) - 1)
        held >>= UInt32(count)
        heldCount -= count
        return Int(value)
    }

    private mutating func symbol(_ codes: Codes) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = bits(1) else { return nil }
            code |= bit
            let count = codes.counts[length]
            if code - count < first { return codes.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }

    private mutating func copyStored() -> Bool {
        (held, heldCount) = (0, 0)
        guard position + 4 <= bytes.endIndex else { return false }
        let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
        position += 4
        guard position + count <= bytes.endIndex, output.count + count <= limit else { return false }
        output += bytes[position..<(position + count)]
        position += count
        return true
    }

    private static let fixedLengths = Codes((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = Codes([Int](repeating: 5, count: 30))
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]

    private mutating func dynamicBlock() -> Bool {
        guard let literals = bits(5), let distances = bits(5), let count = bits(4) else { return false }
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<(count + 4) {
            guard let length = bits(3) else { return false }
            lengths[order[index]] = length
        }
        let codes = Codes(lengths)
        let total = literals + 257 + distances + 1
        var all: [Int] = []
        while all.count < total {
            guard let symbol = symbol(codes) else { return false }
            switch symbol {
            case 0...15: all.append(symbol)
            case 16:
                guard let last = all.last, let more = bits(2) else { return false }
                all += [Int](repeating: last, count: more + 3)
            default:
                guard let more = bits(symbol == 17 ? 3 : 7) else { return false }
                all += [Int](repeating: 0, count: more + (symbol == 17 ? 3 : 11))
            }
        }
        guard all.count == total else { return false }
        return block(Codes(all.prefix(literals + 257)), Codes(all.dropFirst(literals + 257)))
    }

    private mutating func block(_ literals: Codes, _ distances: Codes) -> Bool {
        while let symbol = symbol(literals) {
            if symbol == 256 { return true }
            if symbol < 256 {
                output.append(UInt8(symbol))
            } else {
                guard symbol - 257 < Self.lengthBases.count, let more = bits(Self.lengthBits[symbol - 257]),
                    let place = self.symbol(distances), place < Self.distanceBases.count,
                    let further = bits(max(0, place / 2 - 1))
                else { return false }
                let distance = Self.distanceBases[place] + further
                guard distance <= output.count else { return false }
                for _ in 0..<(Self.lengthBases[symbol - 257] + more) { output.append(output[output.count - distance]) }
            }
            guard output.count <= limit else { return false }
        }
        return false
    }
}
