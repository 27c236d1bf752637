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
    package var details: [String] {
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
    package var videoChanges: Set<ConvertedVideo.Change> {
        if case .video(let video) = self { video.changes } else { [] }
    }

    /// Bits for each second: the rate that is asked for, or else an estimate.
    public var bitRate: Int64 {
        switch self {
        case .video(let video): video.bitRate
        case .audio(let audio): audio.bitRate
        }
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
