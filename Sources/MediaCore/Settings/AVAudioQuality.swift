/// How good sound is to be coded or converted.
public enum AVAudioQuality: Int, Sendable {
    /// As bad as it gets.
    case min = 0
    /// Low.
    case low = 0x20
    /// Medium.
    case medium = 0x40
    /// High.
    case high = 0x60
    /// As good as it gets.
    case max = 0x7F
}
