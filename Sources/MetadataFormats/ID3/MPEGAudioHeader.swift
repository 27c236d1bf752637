internal import MediaIO
internal import MediaMetadata

/// The header of a frame of MPEG audio or ADTS AAC.
///
/// Source: ISO/IEC 11172-3 and 13818-3, section 2.4.2.3; 14496-3, section 1.A.2.2.
enum MPEGAudioHeader {
    static let length = 6

    /// The length of the frame that bytes begin; `nil` if they begin none, or one of free format.
    static func frameLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= length, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
        return bytes[1] & 0x06 == 0 ? adtsLength(bytes) : audioLength(bytes)
    }

    private static func adtsLength(_ bytes: [UInt8]) -> Int? {
        guard bytes[1] & 0xF0 == 0xF0, bytes[2] >> 2 & 15 < 13 else { return nil }
        let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
        return length > 7 ? length : nil
    }

    private static func audioLength(_ bytes: [UInt8]) -> Int? {
        let version = bytes[1] >> 3 & 3
        let layer = 4 - Int(bytes[1] >> 1 & 3)
        let rateIndex = Int(bytes[2] >> 4)
        let frequencyIndex = Int(bytes[2] >> 2 & 3)
        guard version != 1, rateIndex != 0, rateIndex != 15, frequencyIndex != 3 else { return nil }
        let isVersion1 = version == 3
        let kilobits = isVersion1 ? rates[layer - 1][rateIndex] : rates[layer == 1 ? 3 : 4][rateIndex]
        let frequency = [44_100, 48_000, 32_000][frequencyIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
        let padding = Int(bytes[2] >> 1 & 1)
        if layer == 1 { return (12_000 * kilobits / frequency + padding) * 4 }
        return (layer == 3 && !isVersion1 ? 72_000 : 144_000) * kilobits / frequency + padding
    }

    /// Kilobits per second: layers I, II, III of version 1; layer I, then II and III of versions 2 and 2.5.
    private static let rates = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Whether a file begins with a frame that another one, or the end, follows.
    ///
    /// Zero bytes may come first: some encoders leave such, which only show once the tag before them is gone.
    static func begins(_ file: RandomAccessFile) -> Bool {
        let zeros = file.read(at: 0, count: 4096).prefix { $0 == 0 }.count
        let start = UInt64(zeros < 4096 ? zeros : 0)
        guard let first = frameLength(file.read(at: start, count: length)) else { return false }
        let next = file.read(at: start + UInt64(first), count: length)
        return next.count < length || frameLength(next) != nil || next.starts(with: "TAG".utf8)
            || next.starts(with: "APETAG".utf8)
    }
}
