/// What becomes of sound that is encoded anew.
public struct ConvertedAudio: Hashable, Sendable {
    /// FFmpeg's name of the codec.
    public var codec: String
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// Samples for each second, of one channel.
    public var sampleRate: Int
    /// How many channels there will be.
    public var channels: Int
    /// The channels' meaning, by FFmpeg's name.
    public var channelLayout: String
    /// Bits for each second: the rate that is asked for, or else an estimate.
    public var bitRate: Int64
    /// What is done to the sound.
    public var changes: Set<Change>

    /// Something that is done to sound.
    public enum Change: String, CaseIterable, Codable, Sendable {
        /// It gets another sample rate.
        case resampled
        /// Channels are mixed into fewer.
        case mixedDown
        /// Channels of unknown meaning are left out.
        case channelsDropped
        /// Samples have fewer bits.
        case depthReduced
    }
}
