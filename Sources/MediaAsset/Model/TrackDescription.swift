package import MediaContainers
public import MediaCore
package import SampleBuffers

/// What one track contains; beyond AVFoundation's API.
public struct TrackDescription: Sendable {
    /// The container's number for the track, or its position counted from 1.
    public var trackID: Int32
    /// The stream's position in the file, counted from 0.
    public var streamIndex: Int
    /// What the track holds.
    public var mediaType: AVMediaType
    /// Whether the file asks for the track to be played; true where the container cannot say.
    public var isEnabled: Bool
    /// The codec's name, as FFmpeg spells it: `h264`.
    public var codec: String
    /// The codec's four-character code in the container, empty if none.
    public var codecTag: String
    /// The codec's code in format descriptions, never 0.
    package var mediaSubType: FourCharCode
    /// The codec's profile by FFmpeg's name, such as `High`; `nil` if unknown.
    public var profile: String?
    /// Ticks in each second of the media.
    public var timescale: Int32
    /// Where on the asset's timeline the track lies; a start after zero is a gap.
    public var timeRange: CMTimeRange
    /// Whether the container does not say where the track ends, so that the asset's end stands for it.
    package var isEndAssumed = false
    /// ISO 639-2 code, `nil` if unknown.
    public var language: String?
    /// BCP 47 tag, `nil` if the file has none.
    public var extendedLanguageTag: String?
    /// The track's name, `nil` if it has none.
    public var title: String?
    /// Bits for each second on average, as the container states or implies it; 0 if unknown.
    public var estimatedDataRate: Int64
    /// How many samples there are; `nil` where the container does not count them.
    public var sampleCount: Int64?
    /// How media time maps to the asset's timeline, in ascending order; empty without an edit list.
    public var editList: [CMTimeMapping]
    /// Whether the samples are encrypted.
    public var isEncrypted = false
    /// Whether there is a decoder for the samples that may be used.
    package var hasDecoder = false
    /// Whether not all samples of sound can be decoded from themselves on.
    package var hasAudioSampleDependencies = false
    /// The number of the group of tracks of which one is to be played, 0 for none.
    package var alternateGroup = 0
    /// Whether the file says of the track that it is the one to play where nobody chooses.
    package var isDefault = false
    /// What the file says the track is for, by the names of AVFoundation's characteristics, each once.
    package var tags: [String] = []
    /// How the track refers to others, in file order.
    package var references: [Reference] = []
    /// How a movie describes the track if that is of no pictures, sound or subtitles; `nil` where it does so in several ways,
    /// or at great length.
    package var dataDescription: DataTrackDescription?
    /// What decoders of H.264 and HEVC are set up with, as the container has it; empty for other codecs.
    package var parameterSets: [UInt8] = []
    /// The picture side, `nil` for a track that shows nothing.
    public var video: VideoDescription?
    /// The sound side, `nil` for a track without sound.
    public var audio: AudioDescription?

    /// One way in which a track refers to others.
    package struct Reference: Hashable, Sendable {
        /// The code of four characters: `chap`, `tmcd` and so on.
        var type: String
        /// The other tracks' numbers.
        var trackIDs: [Int32]
    }
}
