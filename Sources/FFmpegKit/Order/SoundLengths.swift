internal import MediaContainers
internal import MediaCore

extension StreamInfo {
    /// Whether ``soundLength(of:)`` can tell.
    package var tellsSoundLengths: Bool {
        codec == .opus || codec == .flac || codec.has(.fillsFrames) || audio?.bytesPerFrame != nil
    }

    /// How many samples a packet's sound has as it is coded; `nil` where nothing tells without decoding it.
    package func soundLength(of packet: Packet) -> Int64? {
        if codec == .opus {
            return packet.withBytes { OpusPacket.duration($0) }.map {
                TimeBase(numerator: 1, denominator: 48_000).ticks(atOrAfter: $0)
            }
        }
        if let bytes = audio?.bytesPerFrame { return Int64(packet.byteCount / bytes) }
        if codec == .flac { return packet.withBytes { FLACFrame.blockSize($0) } }
        return codec.has(.fillsFrames) ? audio?.framesPerPacket.map(Int64.init) : nil
    }
}

extension StreamInfo {
    /// Whether a packet is shorter than its own header says, or ends otherwise than a whole one.
    ///
    /// - Returns: `nil` for what does not tell: all but MPEG audio, AAC with headers, FLAC and AC-3.
    package func lacksEnd(of packet: Packet) -> Bool? {
        packet.withBytes { bytes in
            switch codec {
            case .mp3, .mp2, .aac:
                MPEGAudioHeader.frameLength(Array(bytes.prefix(MPEGAudioHeader.length))).map { $0 > bytes.count }
            case .flac: !FLACFrame.isWhole(bytes)
            case .ac3, .eac3: AC3Frame.byteCount(bytes).map { $0 > bytes.count }
            default: nil
            }
        }
    }
}

/// What a frame of AC-3 says of itself.
///
/// Source: ETSI TS 102 366, 4.4.1 and E.1.3.1.
enum AC3Frame {
    private static let kilobits = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// How many bytes it has; `nil` for what is no frame of AC-3.
    static func byteCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count > 5, bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
        if bytes[5] >> 3 > 10 { return ((Int(bytes[2]) & 7) << 8 | Int(bytes[3])) * 2 + 2 }
        let (rate, code) = (Int(bytes[4] >> 6), Int(bytes[4] & 63))
        guard code / 2 < kilobits.count, rate < 3 else { return nil }
        let words = kilobits[code / 2] * 96_000 / [48_000, 44_100, 32_000][rate]
        return (words + (rate == 1 ? code & 1 : 0)) * 2
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

    /// Whether it ends with its own checksum, or would without the tags that follow the last one of a file.
    static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sum: UInt16 = 0
        for (index, byte) in bytes.enumerated() {
            sum = (0..<8).reduce(sum ^ UInt16(byte) << 8) { rest, _ in
                rest & 0x8000 != 0 ? rest << 1 ^ 0x8005 : rest << 1
            }
            // Over all of a frame the remainder is zero.
            guard sum == 0 else { continue }
            let rest = bytes[(index + 1)...]
            if rest.isEmpty || tags.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }

    private static let tags = ["TAG", "APETAGEX", "LYRICS", "ID3"].map { Array($0.utf8) }
}
