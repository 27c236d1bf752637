package import MediaCore

/// Divides packets of H.264 and HEVC into NAL units.
package struct NALUnits: Sendable {
    /// The size of a NAL unit's length field, `nil` for start codes.
    let lengthSize: Int?

    package init(codec: Codec, extradata: [UInt8]) {
        switch codec {
        case .h264 where extradata.count > 6 && extradata[0] == 1: lengthSize = Int(extradata[4] & 3) + 1
        case .hevc where extradata.count > 22 && extradata[0] == 1: lengthSize = Int(extradata[21] & 3) + 1
        default: lengthSize = nil
        }
    }

    /// Calls `body` with each NAL unit, its header byte first, until it returns
    /// false; nothing is read outside the packet whatever the lengths say.
    package func forEach(in bytes: UnsafeRawBufferPointer, _ body: (Slice<UnsafeRawBufferPointer>) -> Bool) {
        guard let lengthSize else {
            var position = 0
            while let start = Self.startCode(in: bytes, from: position) {
                guard start < bytes.count else { return }
                let end = Self.startCode(in: bytes, from: start).map { $0 - 3 } ?? bytes.count
                if end > start, !body(bytes[start..<end]) { return }
                position = start
            }
            return
        }
        var position = 0
        while position + lengthSize < bytes.count {
            let length = bytes[position..<(position + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            let start = position + lengthSize
            let end = min(bytes.count, start + length)
            if end > start, !body(bytes[start..<end]) { return }
            position = start + length
        }
    }

    /// Puts a unit behind others of a packet.
    ///
    /// - Returns: Whether its length can be told.
    @discardableResult func append(_ unit: [UInt8], to packet: inout [UInt8]) -> Bool {
        if let lengthSize {
            guard unit.count >> (8 * lengthSize) == 0 else { return false }
            packet += (0..<lengthSize).map { UInt8(truncatingIfNeeded: unit.count >> (8 * (lengthSize - 1 - $0))) }
        } else {
            packet += [0, 0, 0, 1]
        }
        packet += unit
        return true
    }

    /// A unit without zeros that stand before the next start code: no unit ends with one.
    static func withoutTrailingZeros(_ unit: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let end = unit.lastIndex { $0 != 0 } ?? unit.startIndex
        return unit[unit.startIndex...end]
    }

    /// Whether a packet's picture makes those after it count their order anew.
    package func resetPictureOrder(in bytes: UnsafeRawBufferPointer, isHEVC: Bool) -> Bool {
        var resets = false
        forEach(in: bytes) { unit in
            let header = unit[unit.startIndex]
            // IDR pictures; in HEVC also those after a break (BLA).
            resets = isHEVC ? (16...20).contains(header >> 1 & 0x3f) : header & 0x1f == 5
            return !resets
        }
        return resets
    }

    /// The payload of the first message of a type in a packet; `nil` without one.
    package func message(_ type: Int, in bytes: UnsafeRawBufferPointer, isHEVC: Bool) -> [UInt8]? {
        var payload: [UInt8]?
        forEach(in: bytes) { unit in
            let header = unit[unit.startIndex]
            let isMessage = isHEVC ? header >> 1 & 0x3f == 39 : header & 0x1f == 6
            if isMessage {
                payload = Self.message(type, in: UnsafeRawBufferPointer(rebasing: unit.dropFirst(isHEVC ? 2 : 1)))
            }
            return payload == nil
        }
        return payload
    }

    /// The payload of the first message of a type.
    ///
    /// - Parameter bytes: What follows the header of a unit.
    package static func message(_ type: Int, in bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        let plain = unescaped(bytes)
        return SEIMessages(plain).first { $0.type == type }.map { Array(plain[$0.payload]) }
    }

    /// The index after the next `00 00 01`.
    package static func startCode(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int? {
        var index = position + 2
        while index < bytes.count {
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                return index + 1
            } else {
                index += 1
            }
        }
        return nil
    }

    /// The first bytes of a unit without the bytes that keep start codes from
    /// appearing in it (ISO/IEC 14496-10, 7.4.1).
    static func payload(of unit: Slice<UnsafeRawBufferPointer>, limit: Int) -> [UInt8] {
        unescaped(UnsafeRawBufferPointer(rebasing: unit.dropFirst()), limit: limit)
    }

    /// The first bytes of what follows a unit's header, without the bytes that keep start codes from appearing in it.
    package static func unescaped(_ bytes: UnsafeRawBufferPointer, limit: Int = .max) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(limit, bytes.count))
        var zeros = 0
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
            if result.count == limit { break }
        }
        return result
    }

    /// The payload with the bytes that keep start codes from appearing in it.
    package static func escaped(_ payload: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(payload.count + 8)
        var zeros = 0
        for byte in payload {
            if zeros >= 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}

extension NALUnits {
    private static let (sequenceParameterSet, delimiter): (UInt8, UInt8) = (7, 9)

    /// A packet of H.264 with start codes that a decoder may begin with, with
    /// parameter sets before its first unit that is no access unit delimiter.
    ///
    /// - Parameter parameterSets: With start codes.
    /// - Returns: `nil` if the packet has some of its own.
    package static func packet(
        _ bytes: UnsafeRawBufferPointer, beginningWith parameterSets: [UInt8]
    ) -> [UInt8]? {
        var place = 0
        var position = 0
        while let start = startCode(in: bytes, from: position), start < bytes.count {
            switch bytes[start] & 0x1f {
            case sequenceParameterSet: return nil
            case delimiter where place == 0: place = startCode(in: bytes, from: start).map { $0 - 3 } ?? bytes.count
            default: break
            }
            position = start
        }
        return Array(bytes[..<place]) + parameterSets + Array(bytes[place...])
    }
}

/// The messages of one SEI unit, one after the other (ISO/IEC 14496-10, 7.3.2.3.1; ITU-T H.265, 7.3.5).
///
/// They end where one is longer than what is left, and nothing is read outside the bytes whatever sizes say.
package struct SEIMessages<Bytes: RandomAccessCollection<UInt8>>: Sequence, IteratorProtocol where Bytes.Index == Int {
    package struct Message {
        package let type: Int
        /// Type, size and payload.
        package let range: Range<Int>
        package let payload: Range<Int>
    }

    private let bytes: Bytes
    private var position: Int

    /// - Parameter bytes: What follows the header of the unit.
    package init(_ bytes: Bytes) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package mutating func next() -> Message? {
        let start = position
        guard let type = readNumber(), let size = readNumber(), size <= bytes.endIndex - position
        else {
            position = bytes.endIndex
            return nil
        }
        position += size
        return Message(type: type, range: start..<position, payload: (position - size)..<position)
    }

    /// A number as a run of bytes of 255 and one below.
    private mutating func readNumber() -> Int? {
        var sum = 0
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            sum += Int(byte)
            if byte != 0xff { return sum }
        }
        return nil
    }
}

/// Captions of CEA-608 and CEA-708 among the user data of coded pictures (ATSC A/53, part 4).
package enum ClosedCaptions {
    /// FFmpeg's names of the codecs whose pictures may have user data.
    package static let codecs: Set<Codec> = [.h264, .hevc, .mpeg2Video, .mpeg1Video]

    /// The identifier of the user data and the type of captions: `GA94`, 3.
    private static let mark: [UInt8] = [0x47, 0x41, 0x39, 0x34, 0x03]

    /// Whether a sample holds any.
    package static func areHeld(by bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position + mark.count <= bytes.count {
            if bytes[position + 3] == 0x34, bytes[position..<(position + mark.count)].elementsEqual(mark) {
                return true
            }
            position += 1
        }
        return false
    }
}

/// Reads bits, most significant first, and `nil` past the end.
package struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// What `body` reads from the beginning of a payload.
    static func reading<T>(_ payload: [UInt8], _ body: (inout BitReader) -> T?) -> T? {
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
    mutating func readSignedExpGolomb() -> Int? {
        readExpGolomb().map { code in code % 2 == 1 ? Int(code / 2) + 1 : -Int(code / 2) }
    }
}
