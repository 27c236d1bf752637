package import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaIO

/// One pass over the source: the stages, and how they are put together.
///
/// What a stage alone uses is made here and handed over to its thread, which
/// the compiler checks; what several use are queues and counters. Results come
/// back as values when all have ended.
struct PipelineRun: Sendable {
    enum Pass: Sendable {
        case only
        case first(PassFolder)
        case second(PassFolder, FirstPass)

        var number: Int { if case .second = self { 2 } else { 1 } }
    }

    let job: PipelineJob
    let source: AssetSource
    let cancellation: Cancellation
    let pass: Pass
    let threads: StageThreads
    let description: AssetDescription
    let frames = FrameCount()
    /// How loud tracks have become whose peaks are held down.
    let reached: [LoudnessRecord]
    /// Whether the source is what all of the run is made of, so that it has to stay what it is.
    private let checksSource: Bool

    init(_ job: PipelineJob, source: AssetSource, cancellation: Cancellation, pass: Pass) throws {
        (self.job, self.source, self.cancellation, self.pass) = (job, source, cancellation, pass)
        threads = StageThreads(cancellation)
        cancellation.onCancel { source.cancelReading() }
        description = try source.describe()
        checksSource = true
        reached = job.tracks.map { _ in LoudnessRecord() }
    }

    /// What reads another file for a run that puts several together, on the threads of that.
    ///
    /// - Parameter job: What is done of it there; the run's own by default.
    init(reading source: AssetSource, for run: PipelineRun, job: PipelineJob? = nil) throws {
        (self.job, self.source, cancellation) = (job ?? run.job, source, run.cancellation)
        (pass, threads, reached) = (run.pass, run.threads, run.reached)
        description = try source.describe()
        checksSource = false
    }

    /// An encoding with what the run adds to it.
    ///
    /// - Parameter light: Finds the light of HDR content as the first picture tells it.
    func completed(
        _ encoding: TrackEncoding, track index: Int, light: () throws -> HDRMetadata
    ) throws -> TrackEncoding {
        var settings = encoding.encoder
        settings.usesGlobalHeader = job.format.wantsGlobalHeader
        if case .video(var video) = settings.media, video.hdr.isEmpty, video.color.isHDR {
            video.hdr = try light()
            settings.media = .video(video)
        }
        switch pass {
        case .only: settings.pass = .only
        case _ where !encoding.isAnalyzed: settings.pass = .only
        case .first(let folder): settings.pass = .first(directory: try folder.path(ofTrack: index))
        case .second where encoding.paletteFilters != nil: settings.pass = .only
        case .second(let folder, let found):
            settings.pass = .second(
                directory: try folder.path(ofTrack: index), statistics: found.statistics[index] ?? "")
        }
        var completed = encoding
        completed.encoder = settings
        return completed
    }

    /// The light of HDR content as the first picture tells it.
    func firstPictureLight(of stream: Int) throws -> HDRMetadata {
        let interrupt = Interrupt()
        interrupt.follow(cancellation)
        let other = try source.open(interrupt: interrupt)
        other.select(streams: [stream])
        let session = DecodeSession(try other.makeDecoder(stream: stream), of: other.streams[stream])
        // The bound is there for a stream that nothing comes out of.
        for _ in 0..<512 {
            switch try session.receive().output {
            case .frame(let frame, _): return frame.hdr
            case .end: return HDRMetadata()
            case .needsPacket: _ = try session.send(try other.readPacket())
            }
        }
        return HDRMetadata()
    }

    // MARK: Running

    /// Analyses pictures and sound.
    ///
    /// - Returns: What the second pass wants to know, by track.
    func analyze(_ progress: @escaping @Sendable (PipelineProgress) -> Void) throws -> FirstPass {
        if source.composition != nil { return try analyzeReels(ProgressReport(progress)) }
        return try leavingNoThread {
            let progress = ProgressReport(progress)
            let input = try PipelineSource(job, source, description, cancellation)
            let reader = makeReader(input)
            var pictures: [Int: StageOutcome<EncodeStage.Outcome>] = [:]
            var palettes: [Int: StageOutcome<Frame?>] = [:]
            var loudness: [Int: LoudnessRecord] = [:]
            for (index, track) in job.tracks.enumerated() {
                guard case .encoding(let encoding) = track.treatment else { continue }
                let stages = TrackStages(self, index, track, input, reader)
                if case .audio(let audio) = encoding.encoder.media {
                    if encoding.effects.loudness == nil { continue }
                    loudness[index] = try stages.addMeasuring(encoding, audio, progress)
                    continue
                }
                guard encoding.isAnalyzed else { continue }
                if let filters = encoding.paletteFilters {
                    palettes[index] = try stages.addPaletteSearch(encoding, filters, progress)
                } else {
                    pictures[index] = try stages.addPictures(encoding, .analysis(progress)).encoding
                }
            }
            _ = try finish(reading: threads.start("read", reader))
            return FirstPass(
                statistics: pictures.compactMapValues { $0.value?.statistics },
                palettes: palettes.compactMapValues { $0.value ?? nil }, loudness: loudness.compactMapValues(\.value))
        }
    }

    /// Makes the file.
    func run(
        into sink: any MuxerSink, _ progress: @escaping @Sendable (PipelineProgress) -> Void
    ) throws -> PipelineResult {
        let sink = CountingSink(sink)
        if !job.pieces.isEmpty { return try runJoin(into: sink, ProgressReport(progress)) }
        if source.composition != nil { return try runReels(into: sink, ProgressReport(progress)) }
        return try leavingNoThread {
            let input = try PipelineSource(
                job, source, description, cancellation, without: job.segmentedStreams)
            let (range, kinds) = (input.range, job.tracks.map { input.demuxer.streams[$0.stream].kind })
            let reader = makeReader(input, without: job.segmentedStreams)
            let port = MuxPort(cancellation, tracks: job.tracks.count, segmented: job.segmentedTracks)
            let tracks = try job.tracks.enumerated().map { index, track in
                try TrackStages(self, index, track, input, reader).add(port)
            }
            let mux = try MuxStage(
                job.format, sink: sink, port: port, pass: pass.number, frames: frames,
                progress: ProgressReport(progress))
            mux.setMetadata(job.fileMetadata)
            if range.end != nil { mux.endsAtATime() }
            for track in tracks { try mux.addTrack(track.coded, isCounted: track.isCounted) }
            try mux.start(options: muxerOptions)
            let muxing = threads.start("mux", mux)
            let (read, earlyEnd) = try finish(
                reading: threads.start("read", reader), segments: tracks.compactMap(\.segments))
            // Who made segments elsewhere has read them.
            let ends = tracks.compactMap { $0.joined?.value?.tornEnd }.map { Shortfall(reason: $0, isTornEnd: true) }
            return result(tracks, read, muxing.value, range, kinds, ([earlyEnd].compactMap(\.self) + ends).merged)
        }
    }

    /// Encodes some segments of the pictures, for another process that makes the file.
    ///
    /// - Parameter share: Which of so many segments.
    func makePiece(share: (Int) -> Range<Int>, into piece: PieceWriter) throws {
        try leavingNoThread {
            guard let index = job.segmentedTracks.first, let count = job.segmentCount else { return }
            let input = try PipelineSource(job, source, description, cancellation, without: job.segmentedStreams)
            let stages = TrackStages(
                self, index, job.tracks[index], input, makeReader(input, without: job.segmentedStreams))
            let segments = try stages.addPiece(share(count), to: piece)
            _ = try finish(reading: nil, segments: segments.map { [$0] } ?? [])
            try piece.add(SegmentRecord.outcome(segments?.value?.counts ?? SegmentCounts()))
        }
        try piece.complete()
    }

    private func makeReader(_ input: PipelineSource, without others: Set<Int> = []) -> ReadStage {
        ReadStage(
            SourceReader(
                input.demuxer, of: source, description: description, range: input.range,
                streams: Set(job.tracks.map(\.stream)).subtracting(others), allowsDamage: job.allowsDamage),
            cancellation: cancellation)
    }

    /// Does the work of a pass; where it fails before all threads run, those that do are stopped.
    func leavingNoThread<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch {
            cancellation.cancel(because: error)
            threads.wait()
            throw error
        }
    }

    /// Waits for all threads.
    ///
    /// What is missing at the source's end, or has changed while it was read, is
    /// an error unless damage is allowed.
    ///
    /// - Parameter namesTornEnds: Whether there is a result that says where the source just stops; else that is an error.
    func finish(
        reading: StageOutcome<ReadStage.Outcome>?, segments: [StageOutcome<SegmentStage.Outcome>] = [],
        namesTornEnds: Bool = true, shortfall: () -> Shortfall? = { nil }
    ) throws -> (read: ReadStage.Outcome?, earlyEnd: Shortfall?) {
        threads.wait()
        try cancellation.check()
        cancellation.forgetAll()
        var found =
            ([reading?.value?.shortfall, shortfall()] + segments.map { $0.value?.shortfall }).compactMap(\.self).merged
        if checksSource, !source.input.isUnchanged {
            found = Shortfall(reason: "the file changed while it was read")
        }
        if let found, !job.allowsDamage, source.policy.refusesTornEnds || !namesTornEnds || !found.isTornEnd {
            throw FFmpegError(kind: .damaged, operation: .read, reason: found.reason)
        }
        return (reading?.value, found)
    }

    var muxerOptions: [String: String] {
        var options = job.muxerOptions
        // Thousandths of a second, which is FFmpeg's default, would round edit lists.
        if job.format.container.isMovie, options["movie_timescale"] == nil { options["movie_timescale"] = "90000" }
        return options
    }

    /// When the first packet of sound that stays as it is begins on the new timeline.
    private func startOfCopiedSound(_ tracks: [PipelineResult.Track], _ kinds: [StreamInfo.Kind]) -> CMTime? {
        tracks.indices.compactMap { index in
            guard case .passthrough = job.tracks[index].treatment, kinds[index] == .audio else { return nil }
            return tracks[index].start
        }.min()
    }

    private func result(
        _ stages: [TrackStages.Added], _ read: ReadStage.Outcome?, _ muxed: MuxStage.Outcome?, _ range: KeptRange,
        _ kinds: [StreamInfo.Kind], _ earlyEnd: Shortfall?
    ) -> PipelineResult {
        var tracks = muxed?.tracks ?? []
        for index in tracks.indices {
            stages[index].note(in: &tracks[index])
            noteLoudness(ofTrack: index, in: &tracks[index])
            tracks[index].lostStyling = read?.lostStyling[index] ?? []
            if let copy = read?.copies[index] {
                tracks[index].damagedFrames = copy.damaged
                tracks[index].unhiddenPictures = copy.unhidden
                tracks[index].leadInSamples = copy.leadInSamples
                tracks[index].lead = copy.lead
            }
        }
        let played = zip(tracks, kinds).filter { [.video, .audio].contains($1) }.map(\.0)
        var last = range.start + (played.compactMap(\.end).max() ?? .zero)
        // Sound without an edit list begins with a whole packet.
        let start = job.format.container.isMovie ? nil : startOfCopiedSound(tracks, kinds)
        // Where nothing is seen and files begin with sound, so does this one.
        let isSoundOnly = !kinds.contains(.video)
        let beginsLate = isSoundOnly && (job.format.hasNoTimes || job.format.container.has(.startsSoundAtZero))
        let offset = start.flatMap { $0 < .zero || beginsLate ? $0 : nil }
        if job.format.container.isMovie, let end = range.end { last = min(last, end) }
        let copies = read?.copies.sorted { $0.key < $1.key } ?? []
        return PipelineResult(
            range: CMTimeRange(start: range.start + (offset ?? .zero), end: last), tracks: tracks,
            byteCount: muxed?.byteCount ?? 0,
            earlyEnd: earlyEnd?.reason, jumps: read?.jumps ?? 0, lateTracks: read?.lateStreams ?? 0,
            removed: copies.flatMap(\.value.removed))
    }
}

/// Makes a new media file of a source through libavformat and libavcodec.
///
/// Reading, decoding, filtering, encoding and writing go on at the same time,
/// each on a thread of its own, with short queues between them. Every queue
/// leads towards the muxer, which waits for nobody, so that no stage can wait
/// for one that waits for it.
///
/// A pipeline runs once.
package final class Pipeline: Sendable {
    package let job: PipelineJob
    private let source: AssetSource
    private let cancellation = Cancellation()

    package init(_ job: PipelineJob, source: AssetSource) { (self.job, self.source) = (job, source) }

    /// Stops the work soon, from any thread; ``run(into:progress:)`` then throws `CancellationError`.
    package func cancel() { cancellation.cancel() }

    /// Makes the file; blocks until it is complete or has failed.
    ///
    /// - Parameters:
    ///   - sink: Where the file's bytes go.
    ///   - progress: Called some times a second, from a thread of the pipeline.
    /// - Throws: The first failure of any stage, what the sink threw as it is.
    ///   No thread is left behind.
    package func run(
        into sink: any MuxerSink, progress: @escaping @Sendable (PipelineProgress) -> Void = { _ in }
    ) throws -> PipelineResult {
        do {
            try cancellation.check()
            return try runPasses(into: sink, progress)
        } catch {
            // Whatever stopped first is why others failed.
            cancellation.cancel(because: error)
            let first = cancellation.reason ?? error
            throw (first as? FFmpegError).map { publicError(for: $0) } ?? first
        }
    }

    /// Encodes some segments of the pictures, for another process that makes the file; blocks until they are there.
    ///
    /// - Parameter share: Which of so many segments.
    package func makePiece(share: (Int) -> Range<Int>, into piece: PieceWriter) throws {
        do {
            try cancellation.check()
            try PipelineRun(job, source: source, cancellation: cancellation, pass: .only)
                .makePiece(share: share, into: piece)
        } catch {
            cancellation.cancel(because: error)
            let first = cancellation.reason ?? error
            throw (first as? FFmpegError).map { publicError(for: $0) } ?? first
        }
    }

    private func runPasses(
        into sink: any MuxerSink, _ progress: @escaping @Sendable (PipelineProgress) -> Void
    ) throws -> PipelineResult {
        guard job.isTwoPass else {
            return try PipelineRun(job, source: source, cancellation: cancellation, pass: .only)
                .run(into: sink, progress)
        }
        let folder = PassFolder(in: job.temporaryDirectory, nowhere: source.access.passFolder)
        defer { folder.remove() }
        let statistics = try analyze(in: folder, progress)
        return try PipelineRun(job, source: source, cancellation: cancellation, pass: .second(folder, statistics))
            .run(into: sink, progress)
    }

    /// The first pass; its encoders complete their files when they go, which is when their threads end.
    private func analyze(
        in folder: PassFolder, _ progress: @escaping @Sendable (PipelineProgress) -> Void
    ) throws -> FirstPass {
        try PipelineRun(job, source: source, cancellation: cancellation, pass: .first(folder)).analyze(progress)
    }
}

/// What a first pass has found out, by track.
struct FirstPass {
    /// What the encoders want to know of it, beside what they left in their folders.
    var statistics: [Int: String] = [:]
    var palettes: [Int: Frame] = [:]
    /// How loud sound is that is to become as loud as said.
    var loudness: [Int: TrackLoudness] = [:]
}

/// A folder of one export's own for what its first pass finds out.
final class PassFolder: Sendable {
    private let path: String
    /// Whether its files are none of a file system.
    private let isNowhere: Bool

    /// - Note: Nothing is made before an encoder needs it.
    ///
    /// - Parameter nowhere: What names begin with that lie in no folder, if the process has such.
    init(in parent: String?, nowhere: String?) {
        let name = "export-\(UUID().uuidString)"
        isNowhere = nowhere != nil
        path =
            nowhere.map { "\($0)/\(name)" }
            ?? (parent.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent(name).path
    }

    deinit { remove() }

    /// The folder of one track.
    func path(ofTrack index: Int) throws -> String {
        let folder = "\(path)/\(index)"
        if !isNowhere {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        return folder
    }

    func remove() {
        // Best effort: an export does not fail because of what it leaves to the system's cleaner.
        if !isNowhere { try? FileManager.default.removeItem(atPath: path) }
    }
}
