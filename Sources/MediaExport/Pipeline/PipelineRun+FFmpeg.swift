internal import FFmpegKit
internal import MediaAsset
internal import MediaConcurrency
internal import MediaFile
internal import MediaTime
internal import MediaTypes

/// One pass over the source: the stages, and how they are put together.
final class PipelineRun {
    enum Pass {
        case only
        case first(PassFolder)
        case second(PassFolder, FirstPass)

        var number: Int { if case .second = self { 2 } else { 1 } }
    }

    let job: PipelineJob
    let source: AssetSource
    let cancellation: Cancellation
    let pass: Pass
    let demuxer: Demuxer
    let reader: ReadStage
    let entry: EntryPoint
    let range: KeptRange
    let description: AssetDescription
    let frames = FrameCount()
    var stages: [(name: String, run: @Sendable () throws -> Void)] = []
    var pictures: [Int: (decoding: PictureStage, encoding: EncodeStage)] = [:]
    var palettes: [Int: PaletteStage] = [:]
    var sounds: [Int: SoundStage] = [:]
    var copies: [Int: PassthroughTrack] = [:]
    /// The file as it was at the beginning, if it is one.
    private let version: FileVersion?
    private var earlyEnd: String?

    init(_ job: PipelineJob, source: AssetSource, cancellation: Cancellation, pass: Pass) throws {
        (self.job, self.source, self.cancellation, self.pass) = (job, source, cancellation, pass)
        cancellation.onCancel { source.cancelOpening() }
        description = try source.describe()
        version = source.openedVersion
        let opening = SourceOpening(source: source, cancellation: cancellation)
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
        demuxer.select(streams: streams)
        demuxer.infersPresentationTimes = job.copiedStreams.contains { demuxer.streams[$0].kind == .video }
        self.demuxer = demuxer
        reader = ReadStage(demuxer, cancellation: cancellation, allowsDamage: job.allowsDamage, origin: origin)
    }

    /// Where the new file starts instead of the time asked for, if it does.
    ///
    /// Pictures that stay as they are begin at an entry point where no edit list
    /// can hide what comes before the start. Where one can, they begin with a
    /// whole picture: many readers leave out one that an edit list cuts.
    private static func actualStart(_ job: PipelineJob, _ demuxer: Demuxer, _ entry: EntryPoint) -> CMTime? {
        job.copiedStreams.compactMap { index -> CMTime? in
            let ticks =
                job.format.container.isMovie
                ? entry.shown[index] : entry.entries[index].map { entry.firstShown[index] ?? $0.presentationTicks }
            return ticks.map { demuxer.streams[index].timeBase.time(of: $0) }
        }.min()
    }

    // MARK: Running

    /// Analyses the pictures.
    ///
    /// - Returns: What the second pass wants to know, by track.
    func analyze(_ progress: @escaping @Sendable (PipelineProgress) -> Void) throws -> FirstPass {
        let progress = ProgressReport(progress)
        for (index, track) in job.tracks.enumerated() {
            guard case .encoding(let encoding) = track.treatment, case .video = encoding.encoder.media else { continue }
            if let filters = encoding.paletteFilters {
                try addPaletteSearch(index, track, encoding, filters, progress)
            } else {
                try addPictures(index, track, encoding, .analysis(progress))
            }
        }
        try runStages()
        return FirstPass(
            statistics: pictures.mapValues { $0.encoding.statistics }, palettes: palettes.compactMapValues(\.palette))
    }

    /// Makes the file.
    func run(
        into sink: any MuxerSink, _ progress: @escaping @Sendable (PipelineProgress) -> Void
    ) throws -> PipelineResult {
        let mux = try MuxStage(
            job.format, sink: sink, cancellation: cancellation, pass: pass.number, frames: frames,
            progress: ProgressReport(progress))
        mux.setMetadata(job.fileMetadata)
        if range.end != nil { mux.endsAtATime() }
        for (index, track) in job.tracks.enumerated() { try addTrack(index, track, mux) }
        try mux.start(options: muxerOptions)
        stages.append(("mux", { try mux.run() }))
        try runStages()
        return result(mux)
    }

    private func runStages() throws {
        let threads = StageThreads(cancellation)
        let reader = reader
        stages.append(("read", { try reader.run() }))
        for stage in stages { threads.start(stage.name, stage.run) }
        stages.removeAll()
        threads.wait()
        try cancellation.check()
        cancellation.forgetAll()
        try checkEnd()
    }

    /// What is missing at the source's end, or has changed while it was read, is
    /// an error unless damage is allowed.
    private func checkEnd() throws {
        var reason: String? =
            reader.failure?.reason
            ?? SourceEnd(demuxer: demuxer, description: description, range: range, file: source.file)
            .shortfall(reader, streams: Set(job.tracks.map(\.stream)))
        if let version, RandomAccessFile(path: source.path)?.version != version {
            reason = "the file changed while it was read"
        }
        guard let reason else { return }
        earlyEnd = reason
        guard job.allowsDamage else { throw FFmpegError(kind: .damaged, operation: .read, reason: reason) }
    }

    private var muxerOptions: [String: String] {
        var options = job.muxerOptions
        // Thousandths of a second, which is FFmpeg's default, would round edit lists.
        if job.format.container.isMovie, options["movie_timescale"] == nil { options["movie_timescale"] = "90000" }
        return options
    }

    private func result(_ mux: MuxStage) -> PipelineResult {
        var tracks = mux.results
        for (index, stages) in pictures {
            tracks[index].frames = stages.encoding.frames
            tracks[index].droppedFrames = stages.decoding.dropped + stages.encoding.dropped
            tracks[index].damagedFrames = stages.decoding.damagedFrames
        }
        for (index, stage) in sounds {
            tracks[index].frames = stage.frames
            tracks[index].damagedFrames = stage.damagedFrames
            (tracks[index].filledSamples, tracks[index].overlappingSamples) = (
                stage.filledSamples, stage.overlappingSamples
            )
        }
        for (index, track) in copies {
            tracks[index].damagedFrames = track.damaged
            tracks[index].unhiddenPictures = track.unhidden
            tracks[index].lead = track.lead
        }
        let end = zip(tracks, job.tracks).compactMap { track, wanted in
            [.video, .audio].contains(demuxer.streams[wanted.stream].kind) ? track.end : nil
        }.max()
        var last = range.start + (end ?? .zero)
        if job.format.container.isMovie, let end = range.end { last = min(last, end) }
        return PipelineResult(
            range: CMTimeRange(start: range.start, end: last), tracks: tracks, byteCount: mux.byteCount,
            earlyEnd: earlyEnd, jumps: reader.jumps,
            removed: copies.sorted { $0.key < $1.key }.flatMap(\.value.removed))
    }
}

extension PipelineJob {
    /// The streams whose samples stay as they are.
    var copiedStreams: Set<Int> {
        Set(tracks.filter { if case .passthrough = $0.treatment { true } else { false } }.map(\.stream))
    }
}

/// Opening the source so that the work can be stopped meanwhile.
struct SourceOpening {
    let source: AssetSource
    let cancellation: Cancellation

    /// A demuxer that nothing was read from yet.
    func first() throws -> Demuxer {
        let parked = try source.checkOut()
        let isFresh = parked.packetsRead == 0 && parked.seeks == 0
        let demuxer = isFresh ? parked : try fresh()
        demuxer.interrupt.follow(cancellation)
        return demuxer
    }

    /// The same source where reading is to start.
    func positioned(_ demuxer: Demuxer, at position: EntryPoint.Position) throws -> Demuxer {
        switch position {
        case .beginning:
            if demuxer.packetsRead == 0, demuxer.seeks == 0 { return demuxer }
            let other = try fresh()
            other.interrupt.follow(cancellation)
            return other
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
        return try source.open(interrupt: interrupt)
    }
}
