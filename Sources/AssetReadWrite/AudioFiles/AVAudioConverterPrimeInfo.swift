public import SampleBuffers

/// How many frames are needed around a conversion of rates.
public struct AVAudioConverterPrimeInfo: Sendable {
    /// Before.
    public var leadingFrames: AVAudioFrameCount
    /// After.
    public var trailingFrames: AVAudioFrameCount

    /// None.
    public init() { (leadingFrames, trailingFrames) = (0, 0) }

    /// Some.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        (self.leadingFrames, self.trailingFrames) = (leadingFrames, trailingFrames)
    }
}
