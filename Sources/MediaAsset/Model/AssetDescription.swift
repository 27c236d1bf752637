package import MediaContainers
public import MediaCore
package import SampleBuffers

/// What a media file contains, as one value: the facts that opening it gives.
///
/// Beyond AVFoundation's API, for callers that want everything at once. Times
/// are on the asset's timeline: that of the movie after edit lists; in other
/// containers, and in fragmented movies without an edit list, it starts at zero
/// where the earliest audible or visible track starts.
public struct AssetDescription: Sendable {
    /// The container's names, as FFmpeg spells them: `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// How long the asset lasts on its timeline; indefinite if the file does not tell.
    public var duration: CMTime
    /// Whether the duration is only guessed from size and bit rate.
    public var durationIsEstimate: Bool
    /// The container's time of the asset's zero: zero for movies, but for
    /// fragmented ones without an edit list.
    ///
    /// A time in the container, as players in pages count it, is the asset's time plus this one.
    public var origin: CMTime
    /// Size of the file in bytes, `nil` for a pipe.
    public var byteCount: Int64?
    /// The tracks in container order.
    public var tracks: [TrackDescription]
    /// Still pictures that come with the file, such as cover art; no tracks.
    public var attachedPictures: [TrackDescription]
    /// The speed to play at that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public var preferredRate: Float
    /// The volume that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public var preferredVolume: Float
    /// Whether the movie may go on in fragments (`mvex`).
    public var canContainFragments: Bool
    /// Whether there are fragments (`moof`).
    package var containsFragments = false
    /// How long the fragments last in all, as the movie header announces it; invalid if it does not.
    package var overallDurationHint = CMTime.invalid
    /// Whether samples of any track are encrypted.
    public var hasProtectedContent: Bool
    /// The number of the video track that pictures are made of, where one was
    /// asked for (`AVURLAssetVideoTrackIDKey`); else `nil`.
    public var chosenVideoTrackID: Int32?
    /// The timecode of the first frame, `nil` if the file has none.
    public var startTimecode: Timecode?
    /// How the frames of the video track are labelled with timecodes: from
    /// `startTimecode` on, or by the frame rate from zero; `nil` if there is no
    /// rate, or the file's timecode is none at its rate.
    public var timecodeScale: TimecodeScale?
}

extension AssetDescription {
    /// Bits for each second over the whole file and its ``duration``, `nil` if unknown.
    public var bitRate: Int64? {
        guard let byteCount, duration.isNumeric, duration > .zero else { return nil }
        let rate = Double(byteCount) * 8 / duration.seconds
        return rate < 1e15 ? Int64(rate.rounded()) : nil
    }
}

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
    /// Whether the container says that there is one frame only, as of a preview beside the video.
    var isSinglePicture = false
    /// How media time maps to the asset's timeline, in ascending order; empty without an edit list.
    public var editList: [CMTimeMapping]
    /// Whether the samples are encrypted.
    public var isEncrypted = false
    /// Whether there is a decoder for the samples that may be used.
    var hasDecoder = false
    /// Whether not all samples of sound can be decoded from themselves on.
    package var hasAudioSampleDependencies = false
    /// The number of the group of tracks of which one is to be played, 0 for none.
    var alternateGroup = 0
    /// Whether the file says of the track that it is the one to play where nobody chooses.
    var isDefault = false
    /// What the file says the track is for, by the names of AVFoundation's characteristics, each once.
    var tags: [String] = []
    /// How the track refers to others, in file order.
    var references: [Reference] = []
    /// How a movie describes the track if that is of no pictures, sound or subtitles; `nil` where it does so in several ways,
    /// or at great length.
    package var dataDescription: DataTrackDescription?
    /// What decoders of H.264 and HEVC are set up with, as the container has it; empty for other codecs.
    var parameterSets: [UInt8] = []
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

/// The sync samples of a video track, on the asset's timeline; those before its zero do not count.
///
/// Beyond AVFoundation.
public struct SyncSampleList: Sendable, Hashable {
    /// The times of those that are there, in ascending order.
    public let times: [CMTime]
    /// The times of those that the container's index lists and a truncated file does not hold, in ascending order.
    public let missingTimes: [CMTime]
    /// The time of the last frame that is there, `nil` if there is none.
    public let lastFrameTime: CMTime?
    /// Why there should be more than is there, in one line; `nil` if nothing tells that there should.
    public let truncation: String?
}

/// The names that descriptions have for clients, as what they stand for.
extension AssetDescription {
    package var containerType: Container { Container(rawValue: container) }
}

extension TrackDescription {
    package var codecType: Codec { Codec(rawValue: codec) }
}

extension VideoDescription {
    package var fields: FieldOrder? { fieldOrder.flatMap(FieldOrder.init) }
}

extension ColorDescription {
    package var tags: ColorInfo {
        ColorInfo(
            primaries: primaries.flatMap(ColorPrimaries.init),
            transferFunction: transferFunction.flatMap(TransferFunction.init),
            yCbCrMatrix: yCbCrMatrix.flatMap(MatrixCoefficients.init), range: range.flatMap(ColorRange.init),
            chromaLocation: chromaLocation.flatMap(ChromaLocation.init))
    }
}

extension AssetDescription {
    /// Where the track that stills are made of shows pictures; sound may begin
    /// earlier and go on longer.
    ///
    /// `nil` where the asset's duration is not known.
    package var pictureRange: CMTimeRange? {
        guard duration.isNumeric else { return nil }
        let whole = CMTimeRange(start: .zero, duration: duration)
        guard let track = videoTrack, track.timeRange.start.isNumeric, track.timeRange.duration.isNumeric else {
            return whole
        }
        let common = whole.intersection(track.timeRange)
        return common.duration > .zero ? common : whole
    }

    /// The middles of so many equal shares of the time in which there are pictures.
    ///
    /// - Throws: `AVError.operationNotSupportedForAsset` where the asset's
    ///   duration is not known.
    package func evenTimes(_ count: Int, in part: CMTimeRange? = nil) throws -> [CMTime] {
        guard let pictureRange else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "the file does not tell its duration, so that there are no even times in it")
        }
        let common = part.map { $0.intersection(pictureRange) } ?? pictureRange
        let range = common.duration > .zero ? common : part ?? pictureRange
        return range.middles(ofShares: Int32(clamping: count))
    }
}
