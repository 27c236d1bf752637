internal import Foundation

/// What becomes of a track that is encoded anew, for people to read.
public enum ConversionSummary: Hashable, Sendable {
    /// A track with pictures.
    case video(ConvertedVideo)
    /// A track with sound.
    case audio(ConvertedAudio)

    /// FFmpeg's name of the codec.
    public var codec: String {
        switch self {
        case .video(let video): video.codec
        case .audio(let audio): audio.codec
        }
    }

    /// What the new track will be, and what is done for that, each in a few words.
    var details: [String] {
        switch self {
        case .video(let video):
            let rate = video.frameRate.map { [String(format: "%.4g fps", $0)] } ?? []
            return ["\(video.width)x\(video.height)"] + rate + [video.pixelFormat]
                + ConvertedVideo.Change.allCases.filter(video.changes.contains).map(\.words)
        case .audio(let audio):
            return ["\(audio.sampleRate) Hz", audio.channelLayout]
                + ConvertedAudio.Change.allCases.filter(audio.changes.contains).map(\.words)
        }
    }

    /// What is done to pictures.
    var videoChanges: Set<ConvertedVideo.Change> { if case .video(let video) = self { video.changes } else { [] } }

    /// Bits for each second: the rate that is asked for, or else an estimate.
    public var bitRate: Int64 {
        switch self {
        case .video(let video): video.bitRate
        case .audio(let audio): audio.bitRate
        }
    }
}

/// What becomes of pictures that are encoded anew.
public struct ConvertedVideo: Hashable, Sendable {
    /// FFmpeg's name of the codec.
    public var codec: String
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// Pixels in each row, as stored.
    public var width: Int
    /// Rows, as stored.
    public var height: Int
    /// Frames for each second, on average where that varies; `nil` if unknown.
    public var frameRate: Double?
    /// Whether frames come at no fixed rate.
    public var hasVariableFrameRate: Bool
    /// The layout of samples, by FFmpeg's name.
    public var pixelFormat: String
    /// Bits for each second: the rate that is asked for, or else an estimate.
    public var bitRate: Int64
    /// How often the pictures are gone through.
    public var passes: Int
    /// What is done to the pictures.
    public var changes: Set<Change>

    /// Something that is done to pictures.
    public enum Change: String, CaseIterable, Codable, Sendable {
        /// They become smaller.
        case scaled
        /// What lies outside the clean aperture, or a row or column that chroma has no place for, is cut off.
        case cropped
        /// Frames are left out.
        case frameRateReduced
        /// Fields become frames.
        case deinterlaced
        /// HDR becomes SDR.
        case toneMapped
        /// Pixels are turned or mirrored.
        case turned
        /// Components have fewer bits.
        case depthReduced
        /// Chroma has fewer samples.
        case chromaReduced
        /// Transparency becomes black.
        case flattened
    }
}

/// What becomes of sound that is encoded anew.
public struct ConvertedAudio: Hashable, Sendable {
    /// FFmpeg's name of the codec.
    public var codec: String
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// Samples for each second.
    public var sampleRate: Int
    /// Channels.
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

extension ConvertedVideo.Change {
    fileprivate var words: String {
        switch self {
        case .scaled: "made smaller"
        case .cropped: "cropped"
        case .frameRateReduced: "fewer frames"
        case .deinterlaced: "deinterlaced"
        case .toneMapped: "HDR mapped to SDR"
        case .turned: "turned upright"
        case .depthReduced: "fewer bits"
        case .chromaReduced: "fewer chroma samples"
        case .flattened: "transparency dropped"
        }
    }
}

extension ConvertedAudio.Change {
    fileprivate var words: String {
        switch self {
        case .resampled: "resampled"
        case .mixedDown: "mixed down"
        case .channelsDropped: "channels dropped"
        case .depthReduced: "fewer bits"
        }
    }
}
