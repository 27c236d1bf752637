package import MediaCore

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
