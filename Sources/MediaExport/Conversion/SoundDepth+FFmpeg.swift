internal import FFmpegKit

/// How many bits samples of sound need so that nothing of them is lost.
enum SoundDepth: Int, Comparable {
    case bits16 = 16
    case bits24 = 24
    case bits32 = 32
    /// More than any number of whole ones.
    case floating = 33

    /// - Parameter codec: FFmpeg's name.
    init(of sound: AudioInfo, codec: String) {
        switch sound.sampleFormat {
        case "s32", "s32p", "s64", "s64p":
            let bits = sound.bitsPerSample ?? 24
            self = bits <= 16 ? .bits16 : bits <= 24 ? .bits24 : .bits32
        // Decoders of lossy coding give such numbers too, of which 16 bits are as good as all.
        case "flt", "fltp", "dbl", "dblp": self = codec.hasPrefix("pcm_") ? .floating : .bits16
        default: self = .bits16
        }
    }

    static func < (left: SoundDepth, right: SoundDepth) -> Bool { left.rawValue < right.rawValue }

    /// FFmpeg's name of the encoder of plain samples.
    var pcmEncoder: String {
        switch self {
        case .bits16: "pcm_s16le"
        case .bits24: "pcm_s24le"
        case .bits32: "pcm_s32le"
        case .floating: "pcm_f32le"
        }
    }
}
