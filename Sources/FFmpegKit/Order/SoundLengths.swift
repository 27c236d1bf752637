internal import MediaCore

extension StreamInfo {
    /// Whether ``soundLength(of:)`` can tell.
    package var tellsSoundLengths: Bool { codec == .opus || codec == .flac || codec.has(.fillsFrames) }

    /// How many samples a packet's sound has as it is coded; `nil` where nothing tells without decoding it.
    package func soundLength(of packet: Packet) -> Int64? {
        if codec == .opus {
            return packet.withBytes { OpusPacket.duration($0) }.map {
                TimeBase(numerator: 1, denominator: 48_000).ticks(atOrAfter: $0)
            }
        }
        if codec == .flac { return packet.withBytes { FLACFrame.blockSize($0) } }
        return codec.has(.fillsFrames) ? audio?.framesPerPacket.map(Int64.init) : nil
    }
}

/// What a packet of Opus says of itself.
///
/// Source: RFC 6716, 3.1.
enum OpusPacket {
    /// How long its sound is; `nil` for what is no packet of Opus.
    static func duration(_ bytes: UnsafeRawBufferPointer) -> CMTime? {
        guard let first = bytes.first else { return nil }
        let configuration = Int(first >> 3)
        let microseconds: Int64 =
            switch configuration {
            case ..<12: [10_000, 20_000, 40_000, 60_000][configuration % 4]
            case ..<16: [10_000, 20_000][configuration % 2]
            default: [2500, 5000, 10_000, 20_000][configuration % 4]
            }
        var count: Int64 = [1, 2, 2, 0][Int(first & 3)]
        if count == 0 { count = bytes.count > 1 ? Int64(bytes[1] & 0x3F) : 0 }
        return count > 0 ? CMTime(value: microseconds * count, timescale: 1_000_000) : nil
    }
}

/// What a frame of FLAC says of itself.
///
/// Source: RFC 9639, 9.1.
enum FLACFrame {
    /// How many samples it has; `nil` for what is no frame of FLAC.
    static func blockSize(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count > 5, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
        let code = Int(bytes[2] >> 4)
        switch code {
        case 1: return 192
        case 2...5: return 576 << Int64(code - 2)
        case 8...15: return 256 << Int64(code - 8)
        case 6, 7:
            // A number of one to seven bytes precedes what is written out.
            let ones = (~bytes[4]).leadingZeroBitCount
            guard ones != 1, ones <= 7 else { return nil }
            let place = 4 + max(1, ones)
            guard bytes.count > place + 1 else { return nil }
            return code == 6 ? Int64(bytes[place]) + 1 : (Int64(bytes[place]) << 8 | Int64(bytes[place + 1])) + 1
        default: return nil
        }
    }
}
