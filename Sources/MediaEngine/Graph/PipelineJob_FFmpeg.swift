package import FFmpegKit
package import MediaAsset
package import MediaCore
package import MediaIO
package import MetadataFormats

/// What the pipeline makes of one file: which streams, what becomes of each, in which container.
package struct PipelineJob: Sendable {
    /// One track of the new file.
    package struct Track: Sendable {
        /// The stream's index in the source.
        package var stream: Int
        package var treatment: Treatment
        /// What the new track says of itself besides its codec.
        package var traits: StreamTraits
        /// Pictures at the beginning that the source hides and the new file has to show, because others need them.
        package var unhiddenPictures = 0
        /// How copied pictures are to be seen, for a file whose muxer does not write that.
        package var shape: MatroskaPictureShape?
        /// The source's track in the words of a loss.
        package var name = ""
        /// The source's number of the track.
        package var trackID: CMPersistentTrackID?

        package init(stream: Int, treatment: Treatment, traits: StreamTraits) {
            (self.stream, self.treatment, self.traits) = (stream, treatment, traits)
        }
    }

    /// What becomes of a stream.
    package enum Treatment: Sendable {
        /// Its coded samples stay as they are.
        case passthrough
        /// It is decoded, filtered and encoded anew.
        case encoding(TrackEncoding)
        /// Its text is kept and coded as subtitles of another kind.
        case subtitles(codec: Codec)
    }

    /// What to keep, on the timeline of the source's container: the asset's
    /// times plus its origin; `nil` for all.
    package var range: CMTimeRange?
    /// The new file's tracks in its order.
    package var tracks: [Track]
    package var format: ContainerFormat
    /// Options of the muxer, by FFmpeg's names.
    package var muxerOptions: [String: String] = [:]
    /// What the muxer itself is to write of the file, by FFmpeg's keys: when it was made.
    package var fileMetadata: [String: String] = [:]
    /// Whether pictures are analysed in a pass of their own first.
    package var analyzesPictures: Bool { encodings.contains(where: \.isAnalyzed) }
    /// Whether some tracks are analysed in a pass of their own first.
    package var isTwoPass: Bool { analyzesPictures || encodings.contains { $0.effects.loudness != nil } }

    private var encodings: [TrackEncoding] {
        tracks.compactMap { if case .encoding(let encoding) = $0.treatment { encoding } else { nil } }
    }
    /// Where temporary files go; `nil` for the system's folder.
    package var temporaryDirectory: String?
    /// Whether damaged pictures and sound, and a source that ends early, are
    /// accepted and counted rather than an error.
    package var allowsDamage = false

    /// The films that are put one after the other, if their coded samples stay as they are; else empty.
    package var pieces: [JoinedPiece] = []

    /// Whether what cameras and encoders wrote among coded samples is overwritten.
    package var isForSharing = false

    package init(tracks: [Track], format: ContainerFormat) { (self.tracks, self.format) = (tracks, format) }
}

/// How a track is encoded anew.
package struct TrackEncoding: Sendable {
    package var encoder: EncoderSettings
    /// The filters, in FFmpeg's syntax, for decoded frames of a format.
    ///
    /// They give frames of just the size and format that the encoder expects.
    package var filters: @Sendable (FrameFormat) -> String
    /// The filters that make one picture of all: the palette that ``filters`` get beside
    /// the frames in a second pass, as `[palette]`; `nil` where there is none.
    package var paletteFilters: (@Sendable (FrameFormat) -> String)?
    /// Which frames are left out before the filters.
    package var rateLimit: FrameRateLimit?
    /// The segments that are encoded apart from each other; `nil` if one encoder gets all pictures.
    package var segments: PictureSegments?
    /// The segments' packets, if other processes have encoded them.
    package var pieces: PieceSet?
    /// What is filtered before a segment for the filters' sake.
    package var context = CMTime.zero
    /// The pieces that a composition's track consists of, and those of other tracks that are mixed with it; empty for
    /// a track of a file.
    package var reels: [Reel] = []
    /// Which frames of reels are left out once they have the new file's times.
    package var reelLimit: FrameRateLimit?
    /// What pictures are composed of, if they are; ``reels`` is empty then.
    package var canvas: PictureCanvas?
    /// Whether pictures are analysed in a pass of their own first.
    package var isAnalyzed = false
    /// What is done to pictures and sound before they are encoded.
    package var effects = TrackEffects()

    package init(
        encoder: EncoderSettings, rateLimit: FrameRateLimit? = nil, filters: @escaping @Sendable (FrameFormat) -> String
    ) {
        (self.encoder, self.rateLimit, self.filters) = (encoder, rateLimit, filters)
    }
}

/// How a frame rate is kept below a limit, each frame that stays keeping its own time.
package enum FrameRateLimit: Sendable, Hashable {
    /// One frame of so many, for a fixed rate: motion stays even.
    case oneOf(Int)
    /// So many frames for each second at most, for a variable rate.
    case atMost(Ratio)
}
