package import MediaCore
package import MediaIO

/// What the frames can say in which AAC stands in transport streams and in files of its own (ADTS).
///
/// Source: ISO/IEC 14496-3, 1.6.2.1 (AudioSpecificConfig), 4.4.1 (GASpecificConfig), 1.A.2.2 (ADTS).
package enum ADTSFrames {
    /// Why frames cannot say what a configuration does; `nil` if they can.
    ///
    /// - Parameter configuration: The stream's AudioSpecificConfig; empty for what stands in such frames already.
    package static func refusal(of configuration: [UInt8]) -> String? {
        guard !configuration.isEmpty else { return nil }
        return BitReader.reading(configuration) { refusal(&$0) }
    }

    private static func refusal(_ bits: inout BitReader) -> String? {
        let damaged = "the configuration of the sound is cut short"
        guard var kind = objectType(&bits), var rate = rateIndex(&bits), let channels = bits.read(4) else {
            return damaged
        }
        // Spectral band replication and parametric stereo, told first: what is coded comes after it.
        if kind == 5 || kind == 29 {
            let core = rate
            guard rateIndex(&bits) != nil, let coded = objectType(&bits) else { return damaged }
            (kind, rate) = (coded, core)
        }
        guard (1...4).contains(kind) else { return "AAC of the object type \(kind), of which ADTS has 1 to 4" }
        guard rate < 13 else { return "a sample rate that ADTS has no number for" }
        guard channels < 8 else { return "a layout of channels that ADTS has no number for" }
        guard let isShort = bits.readFlag(), let hasCore = bits.readFlag(), let isExtended = bits.readFlag() else {
            return damaged
        }
        if isShort { return "frames of 960 samples, where those of ADTS have 1024" }
        return hasCore || isExtended ? "AAC in layers, which ADTS has not" : nil
    }

    private static func objectType(_ bits: inout BitReader) -> UInt32? {
        guard let kind = bits.read(5) else { return nil }
        return kind == 31 ? bits.read(6).map { 32 + $0 } : kind
    }

    private static func rateIndex(_ bits: inout BitReader) -> UInt32? {
        guard let index = bits.read(4) else { return nil }
        return index == 15 && bits.read(24) == nil ? nil : index
    }
}

/// The frames of adaptive multi-rate speech in a sample: several of 20 ms each may lie behind one another, where a decoder
/// takes one.
///
/// Source: RFC 4867, 5.3; 3GPP TS 26.101 and 26.201, annex A; 3GPP TS 26.244, 6.7.
package enum AMRFrames {
    /// The bytes of a frame by its type, without the one that tells the type.
    ///
    /// Of the speech modes, of silence and of nothing; `nil` for types that there are not.
    private static let narrow: [Int?] = [12, 13, 15, 17, 19, 20, 26, 31, 5, 6, 5, 5, nil, nil, nil, 0]
    private static let wide: [Int?] = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, nil, nil, nil, nil, 0, 0]

    /// Where the frames of a sample lie; `nil` if it does not consist of whole frames, or of more than a movie can tell.
    ///
    /// - Parameter isWide: Whether it is AMR-WB.
    package static func ranges(in sample: UnsafeRawBufferPointer, isWide: Bool) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        var position = 0
        while position < sample.count {
            guard let size = (isWide ? wide : narrow)[Int(sample[position] >> 3 & 15)], ranges.count < 255,
                size < sample.count - position
            else { return nil }
            ranges.append(position..<(position + 1 + size))
            position += 1 + size
        }
        return ranges
    }
}

/// What has to be decoded before a packet of sound for it to be right.
package struct AudioPreroll: Equatable, Sendable {
    /// So many packets at the least.
    package var packets: Int
    /// As many packets as last so long.
    package var milliseconds: Int

    package init(packets: Int = 0, milliseconds: Int = 0) {
        (self.packets, self.milliseconds) = (packets, milliseconds)
    }

    /// What a codec needs.
    ///
    /// - Parameters:
    ///   - hasBandReplication: Whether it is AAC with spectral band replication.
    package init(codec: Codec, hasBandReplication: Bool) {
        switch codec {
        // The headers of spectral band replication come twice a second.
        case .aac where hasBandReplication: self.init(milliseconds: 500)
        // It converges in 80 ms (RFC 7845), however long its packets are.
        case .opus: self.init(milliseconds: 80)
        // MPEG-1 sound lends its bits to later frames: at most 511 bytes, ten of the smallest frames.
        case .mp3: self.init(packets: 10)
        case _ where codec.isPCM || Self.independent.contains(codec): self.init()
        default: self.init(packets: 1)
        }
    }

    /// Codecs each packet of which holds its sound whole.
    private static let independent: Set<Codec> = [.flac, .alac, .wavPack, .tta]
}

/// The header of a frame of MPEG audio or ADTS AAC.
///
/// Source: ISO/IEC 11172-3 and 13818-3, section 2.4.2.3; 14496-3, section 1.A.2.2.
package enum MPEGAudioHeader {
    package static let length = 6

    /// The length of the frame that bytes begin; `nil` if they begin none, or one of free format.
    package static func frameLength(_ bytes: [UInt8]) -> Int? {
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
    package static func begins(_ file: RandomAccessFile) -> Bool {
        let zeros = file.read(at: 0, count: 4096).prefix { $0 == 0 }.count
        let start = UInt64(zeros < 4096 ? zeros : 0)
        guard let first = frameLength(file.read(at: start, count: length)) else { return false }
        let next = file.read(at: start + UInt64(first), count: length)
        return next.count < length || frameLength(next) != nil || next.starts(with: "TAG".utf8)
            || next.starts(with: "APETAG".utf8)
    }
}
