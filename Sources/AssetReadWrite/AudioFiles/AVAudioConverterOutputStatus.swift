/// What a conversion has come to.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The buffer is full, or holds the last frames.
    case haveData = 0
    /// The buffer holds what could be made: there was no more input at the moment.
    case inputRanDry = 1
    /// There is no more; the buffer is empty.
    case endOfStream = 2
    /// The conversion failed.
    case error = 3
}
