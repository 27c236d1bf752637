package import FFmpegKit
package import MediaCore

extension SoundDepth {
    package init(of sound: AudioInfo, codec: Codec) {
        switch sound.sampleFormat {
        case "s32", "s32p", "s64", "s64p":
            let bits = sound.bitsPerSample ?? 24
            self = bits <= 16 ? .bits16 : bits <= 24 ? .bits24 : .bits32
        // Decoders of lossy coding give such numbers too, of which 16 bits are as good as all.
        case "flt", "fltp", "dbl", "dblp": self = codec.isPCM ? .floating : .bits16
        default: self = .bits16
        }
    }
}
