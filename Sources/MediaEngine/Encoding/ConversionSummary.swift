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

    /// Adds what is done to some of the pictures.
    mutating func note(_ change: ConvertedVideo.Change) {
        guard case .video(var video) = self else { return }
        video.changes.insert(change)
        self = .video(video)
    }

    /// What is done to pictures.
    package var videoChanges: Set<ConvertedVideo.Change> {
        if case .video(let video) = self { video.changes } else { [] }
    }

    /// What is done to sound.
    package var audioChanges: Set<ConvertedAudio.Change> {
        if case .audio(let audio) = self { audio.changes } else { [] }
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
        case .channelsRenamed: "channels renamed"
        case .depthReduced: "fewer bits"
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
    /// Rows of pixels, as stored.
    public var height: Int
    /// Frames for each second, on average where that varies; `nil` if unknown.
    public var frameRate: Double?
    /// Whether frames come at no fixed rate.
    public var hasVariableFrameRate: Bool
    /// The layout of samples, by FFmpeg's name: `yuv420p`.
    public var pixelFormat: String
    /// Bits for each second: the rate that is asked for, or else an estimate.
    public var bitRate: Int64
    /// How often the pictures are gone through: 2 with two-pass encoding, else 1.
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
        /// Channels are taken for those of another layout, as the codec has none with theirs.
        case channelsRenamed
        /// Samples have fewer bits.
        case depthReduced
    }
}

/// How many bits for each second pictures of constant quality need, about.
///
/// What pictures show matters more than their number and size. Where the
/// source's own rate is known, it counts as much as these do: calibrated on
/// six films, the estimate was right within a factor of two for five of them,
/// and within 2.5 for one of a shaking camera. It serves to warn and to
/// choose, and never as a promise.
struct BitRateEstimate {
    var width: Int
    var height: Int
    /// Frames for each second; `nil` if unknown.
    var frameRate: Double?
    /// The pictures of the source, where its bit rate is known.
    var source: Source?

    struct Source: Equatable {
        var width: Int
        var height: Int
        var frameRate: Double?
        var bitRate: Int64
    }

    /// - Parameter quality: On the encoder's own scale; `nil` where it has none.
    func bitRate(encoder: String, quality: Double?) -> Int64 {
        guard let model = Self.models[encoder] else { return 0 }
        let better = quality.map { pow(2, (model.reference - $0) / model.doubling) } ?? 1
        let amount = amount(width, height, frameRate, model)
        var bits = model.bitRate * amount / self.amount(1280, 720, 25, model)
        if let source, source.bitRate > 0, let share = model.shareOfSource {
            let own = Double(source.bitRate) * share * amount
            // Sources for editing have far more bits than what they show needs.
            let bounded = min(own / self.amount(source.width, source.height, source.frameRate, model), bits * 8)
            bits = (bits * bounded).squareRoot()
        }
        bits *= better
        return bits.isFinite ? Int64(min(max(bits, 1000), 1e11)) : 0
    }

    /// More pixels, and more frames, are more alike.
    private func amount(_ width: Int, _ height: Int, _ frameRate: Double?, _ model: Model) -> Double {
        pow(Double(max(1, width)) * Double(max(1, height)), model.pixelExponent)
            * pow(min(max(frameRate ?? 25, 1), 240), model.frameExponent)
    }

    private struct Model {
        /// For 1280x720 at 25 frames a second and the quality of reference.
        var bitRate: Double
        var reference: Double = 0
        /// How much less quality halves the bits.
        var doubling: Double = 1
        /// What part of a source's bits is enough for the quality of reference.
        var shareOfSource: Double?
        var pixelExponent = 0.75
        var frameExponent = 0.6
    }

    private static let models: [String: Model] = [
        "libx264": Model(bitRate: 1_950_000, reference: 23, doubling: 5.5, shareOfSource: 0.53),
        "libx265": Model(bitRate: 1_450_000, reference: 23, doubling: 5.5, shareOfSource: 0.37),
        "libvpx-vp9": Model(bitRate: 1_200_000, reference: 31, doubling: 9, shareOfSource: 0.6),
        "libvpx": Model(bitRate: 2_000_000, reference: 31, doubling: 9, shareOfSource: 0.8),
        "libsvtav1": Model(bitRate: 1_000_000, reference: 32, doubling: 9, shareOfSource: 0.5),
        "prores_ks": Model(bitRate: 46_000_000, pixelExponent: 0.85, frameExponent: 1),
        "ffv1": Model(bitRate: 100_000_000, pixelExponent: 1, frameExponent: 1),
        "gif": Model(bitRate: 80_000_000, pixelExponent: 1, frameExponent: 1),
    ]
}
