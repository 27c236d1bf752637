internal import FFmpegKit
internal import MediaTypes

/// How many bits samples of sound need so that nothing of them is lost.
enum SoundDepth: Int, Comparable {
    case bits16 = 16
    case bits24 = 24
    case bits32 = 32
    /// More than any number of whole ones.
    case floating = 33

    init(of sound: AudioInfo, codec: Codec) {
        switch sound.sampleFormat {
        case "s32", "s32p", "s64", "s64p":
            let bits = sound.bitsPerSample ?? 24
            self = bits <= 16 ? .bits16 : bits <= 24 ? .bits24 : .bits32
        // Decoders of lossy coding give such numbers too, of which 16 bits are as good as all.
        case "flt", "fltp", "dbl", "dblp": self = codec.isPCM ? .floating : .bits16
        default: self = .bits16
        }
    }

    static func < (left: SoundDepth, right: SoundDepth) -> Bool { left.rawValue < right.rawValue }

    /// Plain samples of so many bits.
    var pcm: Codec {
        switch self {
        case .bits16: .pcm16
        case .bits24: .pcm24
        case .bits32: .pcm32
        case .floating: .pcmFloat
        }
    }
}
