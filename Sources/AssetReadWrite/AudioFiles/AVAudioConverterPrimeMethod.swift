/// Where frames that lie around a conversion of rates come from.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// From the input, before and after.
    case pre = 0
    /// From the input after, silence before.
    case normal = 1
    /// Silence before and after.
    case none = 2
}
