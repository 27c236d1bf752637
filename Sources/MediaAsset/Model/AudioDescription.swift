/// The sound side of a track.
public struct AudioDescription: Sendable {
    /// Samples for each second, of one channel.
    public var sampleRate: Int
    /// How many channels there are.
    public var channels: Int
    /// The channels' meaning by FFmpeg's name, such as `stereo`; `nil` if it is not known.
    public var channelLayout: String?
    /// How many bits of a sample the source uses; `nil` if unknown, or for coding that has none.
    package var bitsPerSample: Int?
    /// How many frames a packet holds; `nil` where packets differ, or unknown.
    package var framesPerPacket: Int?
}
