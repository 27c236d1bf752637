/// The usual kinds of samples, in the order of this machine's bytes.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// None of the usual ones: compressed, of the other order of bytes, of 8 or 24 bits.
    case otherFormat = 0
    /// Floating-point numbers of 32 bits.
    case pcmFormatFloat32 = 1
    /// Floating-point numbers of 64 bits.
    case pcmFormatFloat64 = 2
    /// Signed whole numbers of 16 bits.
    case pcmFormatInt16 = 3
    /// Signed whole numbers of 32 bits.
    case pcmFormatInt32 = 4
}

extension AVAudioCommonFormat {
    /// Bits of a sample, 0 for other formats.
    var bits: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatFloat32, .pcmFormatInt32: 32
        case .pcmFormatFloat64: 64
        case .pcmFormatInt16: 16
        }
    }

    /// Whether samples are floating-point numbers.
    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }
}
