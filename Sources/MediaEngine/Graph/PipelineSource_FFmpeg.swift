package import FFmpegKit
package import MediaAsset
package import MediaCore
package import MediaIO
package import MetadataFormats

/// The source of one pass, opened at the entry point from which it is read.
struct PipelineSource {
    let demuxer: Demuxer
    let entry: SeekPoint
    let range: KeptRange

    /// Opens what is read for all tracks.
    ///
    /// - Parameter others: Streams that are read elsewhere.
    init(
        _ job: PipelineJob, _ source: AssetSource, _ description: AssetDescription, _ cancellation: Cancellation,
        without others: Set<Int> = []
    ) throws {
        let opening = SourceOpening(source: source, cancellation: cancellation, copied: job.copiedStreams)
        let first = try opening.first()
        let streams = Set(job.tracks.map(\.stream))
        for index in streams where !first.streams.indices.contains(index) {
            throw FFmpegError(kind: .other, operation: .read, reason: "there is no stream \(index)")
        }
        let origin = description.origin
        var range = KeptRange(start: job.range?.start ?? origin, end: job.range?.end)
        entry = try EntrySearch(first, start: range.start, streams: streams, copied: job.copiedStreams)
            .find(origin: origin, reopen: opening.fresh)
        let demuxer = try opening.positioned(first, at: entry.position)
        if let start = Self.actualStart(job, demuxer, entry) { range.start = start }
        self.range = range
        demuxer.select(streams: streams.subtracting(others))
        demuxer.infersPresentationTimes = job.copiedStreams.contains { demuxer.streams[$0].kind == .video }
        self.demuxer = demuxer
    }

    /// Opens one stream from a time on.
    ///
    /// - Parameters:
    ///   - range: What is kept of the whole film.
    ///   - time: On the timeline of the source's container.
    ///   - isCopied: Whether its samples stay as they are.
    init(
        only stream: Int, from time: CMTime, in range: KeptRange, of source: AssetSource, origin: CMTime,
        isCopied: Bool = false, _ cancellation: Cancellation
    ) throws {
        let opening = SourceOpening(source: source, cancellation: cancellation, copied: isCopied ? [stream] : [])
        let first = try opening.following()
        guard first.streams.indices.contains(stream) else {
            throw FFmpegError(kind: .other, operation: .read, reason: "there is no stream \(stream) any more")
        }
        entry = try EntrySearch(first, start: time, streams: [stream], copied: [])
            .find(origin: origin, reopen: opening.following)
        demuxer = try opening.positioned(first, at: entry.position)
        demuxer.select(streams: [stream])
        self.range = range
    }

    /// Where the new file starts instead of the time asked for, if it does.
    ///
    /// Pictures that stay as they are begin at an entry point where no edit list
    /// can hide what comes before the start. Where one can, they begin with a
    /// whole picture: many readers leave out one that an edit list cuts.
    private static func actualStart(_ job: PipelineJob, _ demuxer: Demuxer, _ entry: SeekPoint) -> CMTime? {
        job.copiedStreams.compactMap { index -> CMTime? in
            let found = entry.video[index]
            let ticks = job.hidesByEditList ? found?.shown : found?.point.map { found?.firstShown ?? $0.ticks }
            return ticks.map { demuxer.streams[index].timeBase.time(of: $0) }
        }.min()
    }
}

extension PipelineJob {
    /// The tracks whose pictures are encoded in segments, by their place in the new file.
    var segmentedTracks: Set<Int> {
        Set(
            tracks.indices.filter {
                if case .encoding(let it) = tracks[$0].treatment { it.segments != nil } else { false }
            })
    }

    /// How many segments there are of the pictures; `nil` if they are not divided.
    var segmentCount: Int? {
        for case .encoding(let encoding) in tracks.map(\.treatment) {
            if let segments = encoding.segments { return segments.count }
        }
        return nil
    }

    /// The streams that segments read by themselves, and nothing else does.
    var segmentedStreams: Set<Int> {
        let others = tracks.indices.filter { !segmentedTracks.contains($0) }
        return Set(segmentedTracks.map { tracks[$0].stream }).subtracting(others.map { tracks[$0].stream })
    }

    /// The streams whose samples stay as they are.
    var copiedStreams: Set<Int> {
        Set(tracks.filter { if case .passthrough = $0.treatment { true } else { false } }.map(\.stream))
    }
}

/// Opening the source so that the work can be stopped meanwhile.
private struct SourceOpening {
    let source: AssetSource
    let cancellation: Cancellation
    /// The streams whose samples stay as they are.
    let copied: Set<Int>

    /// A demuxer that nothing was read from yet.
    func first() throws -> Demuxer {
        let parked = try source.checkOut()
        let isFresh = parked.packetsRead == 0 && parked.seeks == 0
        guard isFresh else { return try following() }
        parked.interrupt.follow(cancellation)
        return try timed(parked)
    }

    /// The same source where reading is to start.
    func positioned(_ demuxer: Demuxer, at position: SeekPoint.Position) throws -> Demuxer {
        switch position {
        case .beginning:
            if demuxer.packetsRead == 0, demuxer.seeks == 0 { return demuxer }
            return try following()
        case .seek(let stream, let ticks):
            guard try demuxer.seek(stream: stream, toTicks: ticks) else {
                throw FFmpegError(kind: .damaged, operation: .seek, reason: "the entry point cannot be found again")
            }
            return demuxer
        }
    }

    func fresh() throws -> Demuxer {
        let interrupt = Interrupt()
        interrupt.follow(cancellation)
        return try timed(source.open(interrupt: interrupt))
    }

    private func timed(_ demuxer: Demuxer) throws -> Demuxer {
        for index in copied { try source.timePictures(of: demuxer, stream: index) }
        return demuxer
    }

    /// Another demuxer, whose reading stops with everything else.
    func following() throws -> Demuxer {
        let demuxer = try fresh()
        demuxer.interrupt.follow(cancellation)
        return demuxer
    }
}

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
        /// Samples at the beginning that the source has decoders leave out, and the new file cannot.
        package var leadInSamples: Int64 = 0
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
    /// Which of them this is the job of, where another one comes before it.
    package var laterPiece: Int?

    /// Whether what cameras and encoders wrote among coded samples is overwritten.
    package var isForSharing = false

    package init(tracks: [Track], format: ContainerFormat) { (self.tracks, self.format) = (tracks, format) }
}

/// How a track is encoded anew.
package struct TrackEncoding: Sendable {
    package var encoder: EncoderSettings
    /// The filters, which give frames of just the size and format that the encoder expects.
    package var filters: FilterChoice
    /// The filters that make one picture of all: the palette that ``filters`` get beside the frames in a second pass,
    /// as a still called `palette`; `nil` where there is none.
    package var paletteFilters: FilterChoice?
    /// Which frames are left out before the filters.
    package var rateLimit: FrameRateLimit?
    /// The segments that are encoded apart from each other; `nil` if one encoder gets all pictures.
    package var segments: PictureSegments?
    /// The segments' packets, if other processes have encoded them.
    package var pieces: PieceSet?
    /// What is filtered before a segment for the filters' sake.
    var context = CMTime.zero
    /// The pieces that a composition's track consists of, and those of other tracks that are mixed with it; empty for
    /// a track of a file.
    var reels: [Reel] = []
    /// Which frames of reels are left out once they have the new file's times.
    var reelLimit: FrameRateLimit?
    /// What pictures are composed of, if they are; ``reels`` is empty then.
    var canvas: PictureCanvas?
    /// Whether pictures are analysed in a pass of their own first.
    package var isAnalyzed = false
    /// What is done to pictures and sound before they are encoded.
    package var effects = TrackEffects()

    package init(
        encoder: EncoderSettings, rateLimit: FrameRateLimit? = nil, filters: @escaping FilterChoice
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
