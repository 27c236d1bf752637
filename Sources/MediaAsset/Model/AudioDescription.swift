/// The sound side of a track.
public struct AudioDescription: Sendable {
    /// Samples for each second.
    public var sampleRate: Int
    /// Channels.
    public var channels: Int
    /// The channels' meaning, such as `stereo`.
    public var channelLayout: String?
}
