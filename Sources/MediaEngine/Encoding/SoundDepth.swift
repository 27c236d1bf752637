package import MediaCore

/// How many bits samples of sound need so that nothing of them is lost.
package enum SoundDepth: Int, Comparable {
    case bits16 = 16
    case bits24 = 24
    case bits32 = 32
    /// More than any number of whole ones.
    case floating = 33

    package static func < (left: SoundDepth, right: SoundDepth) -> Bool { left.rawValue < right.rawValue }

    /// Plain samples of so many bits.
    package var pcm: Codec {
        switch self {
        case .bits16: .pcm16
        case .bits24: .pcm24
        case .bits32: .pcm32
        case .floating: .pcmFloat
        }
    }
}
