/// What a client's block says of the sound that it is asked for.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// Here is some.
    case haveData = 0
    /// There is none at the moment, but may be later.
    case noDataNow = 1
    /// There is no more.
    case endOfStream = 2
}
