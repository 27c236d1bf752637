public import MediaTime

/// What one track contains.
public struct TrackDescription: Sendable {
    /// The container's number for the track, or its position counted from 1.
    public var trackID: Int32
    /// The stream's position in the file, counted from 0.
    public var streamIndex: Int
    /// What the track holds.
    public var mediaType: AVMediaType
    /// Whether the file asks for the track to be played.
    public var isEnabled: Bool
    /// The codec's name, as FFmpeg spells it: `h264`.
    public var codec: String
    /// The codec's four-character code in the container, empty if none.
    public var codecTag: String
    /// The codec's profile, if known.
    public var profile: String?
    /// Ticks in each second of the media.
    public var timescale: Int32
    /// Where on the asset's timeline the track lies.
    public var timeRange: CMTimeRange
    /// Whether the container does not say where the track ends, so that the asset's end stands for it.
    package var isEndAssumed = false
    /// ISO 639-2 code, `nil` if unknown.
    public var language: String?
    /// BCP 47 tag, `nil` if the file has none.
    public var extendedLanguageTag: String?
    /// The track's name, if it has one.
    public var title: String?
    /// Bits for each second, 0 if unknown.
    public var estimatedDataRate: Int64
    /// Samples, where the container counts them.
    public var sampleCount: Int64?
    /// How media time maps to the asset's timeline; empty without an edit list.
    public var editList: [CMTimeMapping]
    /// Whether the samples are encrypted.
    public var isEncrypted = false
    /// The picture side, for a track that has one.
    public var video: VideoDescription?
    /// The sound side, for a track that has one.
    public var audio: AudioDescription?
}
