internal import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// The stages of one track of a composition.
struct ReelStages {
    private let run: PipelineRun
    private let index: Int
    private let track: PipelineJob.Track

    /// What was added for a track.
    struct Added: Sendable {
        /// `nil` for what is only measured.
        var coded: CodedStream?
        fileprivate var pictures: [StageOutcome<ReelOutcome>] = []
        fileprivate(set) var encoding: StageOutcome<EncodeStage.Outcome>?
        fileprivate var sound: StageOutcome<SoundReelStage.Outcome>?

        /// What became of the lanes.
        var reels: [ReelOutcome] { pictures.compactMap(\.value) + (sound?.value?.reels ?? []) }

        /// Notes what the stages have found out.
        func note(in result: inout PipelineResult.Track) {
            result.frames = encoding?.value?.frames ?? sound?.value?.frames ?? 0
            result.droppedFrames = encoding?.value?.dropped ?? 0
            for reel in reels {
                result.droppedFrames += reel.droppedFrames
                result.damagedFrames += reel.damagedFrames
                result.filledSamples += reel.filledSamples
                result.overlappingSamples += reel.overlappingSamples
            }
        }
    }

    init(_ run: PipelineRun, _ index: Int) {
        (self.run, self.index, track) = (run, index, run.job.tracks[index])
    }

    /// Starts the work on the track, its packets going to a muxer.
    func add(_ mux: MuxPort) throws -> Added {
        guard case .encoding(let encoding) = track.treatment, encoding.canvas != nil || !encoding.reels.isEmpty else {
            throw FFmpegError(kind: .other, operation: .read, reason: "a track of a composition has no pieces")
        }
        guard case .audio(let audio) = encoding.encoder.media else { return try addPictures(encoding, .file(mux)) }
        return try addSound(encoding, audio, mux)
    }

    func addPictures(_ encoding: TrackEncoding, _ target: EncodeStage.Target) throws -> Added {
        let completed = try run.completed(encoding, track: index) {
            guard let clip = encoding.pictureReels.lazy.flatMap(\.pieces).compactMap(\.clip).first else {
                return HDRMetadata()
            }
            return try PipelineRun(reading: clip.source, for: run).firstPictureLight(of: clip.stream)
        }
        let encoder = try Encoder.open(completed.encoder)
        var added = Added(coded: try CodedStream(from: encoder, traits: track.traits))
        let (pictures, outcomes) = try startPictures(completed, timeBase: encoder.timeBase)
        added.pictures = outcomes
        let encode = EncodeStage(
            encoder, track: index, input: pictures, target: target, count: run.frames, effects: encoding.effects)
        added.encoding = run.threads.start("encode", encode)
        return added
    }

    /// Starts what gives the track's pictures as an encoder gets them.
    func startPictures(
        _ encoding: TrackEncoding, timeBase: TimeBase
    ) throws -> (pictures: BoundedChannel<EncodeStage.Item>, outcomes: [StageOutcome<ReelOutcome>]) {
        let pictures: BoundedChannel<EncodeStage.Item> = run.cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        if let canvas = encoding.canvas {
            return (pictures, try addCanvas(canvas, encoding, timeBase: timeBase, output: pictures))
        }
        guard case .video(let video) = encoding.encoder.media else { return (pictures, []) }
        let outlet = try EncodedPictures(pictures, video)
        return (pictures, [start(encoding.reels[0], encoding, timeBase: timeBase, outlet)])
    }

    private func start(
        _ reel: Reel, _ encoding: TrackEncoding, timeBase: TimeBase, _ outlet: any PictureOutlet
    ) -> StageOutcome<ReelOutcome> {
        run.threads.start(
            "reel",
            PictureReelStage(ReelLanes(run: run, index: index), encoding, reel, timeBase: timeBase, output: outlet))
    }

    /// Starts the work on the pictures of each layer, and what draws them.
    private func addCanvas(
        _ canvas: PictureCanvas, _ encoding: TrackEncoding, timeBase: TimeBase,
        output: BoundedChannel<EncodeStage.Item>
    ) throws -> [StageOutcome<ReelOutcome>] {
        var channels: [(PictureCanvas.Layer, BoundedChannel<LayerItem>)] = []
        let outcomes = canvas.layers.map { layer in
            let channel: BoundedChannel<LayerItem> = run.cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
            channels.append((layer, channel))
            var own = encoding
            own.rateLimit = nil
            if case .asTrack(layer.trackID, let limit) = canvas.timing { own.rateLimit = limit }
            return start(layer.reel, own, timeBase: timeBase, LayerOutlet(channel: channel))
        }
        run.threads.start(
            "canvas",
            CanvasStage(
                canvas, channels.map { LayerFeed($0, $1) }, filters: encoding.filters, timeBase: timeBase,
                output: output, cancellation: run.cancellation))
        return outcomes
    }

    private func addSound(_ encoding: TrackEncoding, _ audio: AudioSettings, _ mux: MuxPort) throws -> Added {
        var settings = encoding.encoder
        settings.usesGlobalHeader = run.job.format.wantsGlobalHeader
        let encoder = try Encoder.open(settings)
        var added = Added(coded: try CodedStream(from: encoder, traits: track.traits))
        added.sound = startSound(encoding, audio, run.outlet(encoding, encoder, track: index, mux))
        return added
    }

    /// Starts measuring how loud the track is.
    func addMeasuring(
        _ encoding: TrackEncoding, _ audio: AudioSettings, _ progress: ProgressReport
    ) throws -> (Added, LoudnessRecord) {
        let found = LoudnessRecord()
        var added = Added()
        added.sound = startSound(encoding, audio, run.meter(encoding, audio, found, progress))
        return (added, found)
    }

    /// Starts what gives the track's sound as an encoder gets it.
    func startSound(
        _ encoding: TrackEncoding, _ audio: AudioSettings, _ output: sending any SoundOutlet
    ) -> StageOutcome<SoundReelStage.Outcome> {
        run.threads.start(
            "sound reel",
            SoundReelStage(
                ReelLanes(run: run, index: index), encoding.reels, format: encoding.reelFormat(audio),
                filters: encoding.filters, output: output))
    }
}

extension TrackEncoding {
    /// What pictures are made of.
    fileprivate var pictureReels: [Reel] { canvas?.layers.map(\.reel) ?? reels }

    /// Whether sound of reels is worked on.
    private var isMixed: Bool { reels.count > 1 || reels.contains { $0.volume != nil } }

    /// What the pieces of composed sound are made into before they are mixed: what the encoder expects if there is
    /// nothing to mix.
    func reelFormat(_ audio: AudioSettings) -> FrameFormat.AudioFormat {
        FrameFormat.AudioFormat(
            sampleRate: audio.sampleRate, sampleFormat: isMixed ? "fltp" : audio.sampleFormat,
            channelLayout: audio.channelLayout, channels: AudioLayout.channels(of: audio.channelLayout))
    }
}

/// The work on one piece of a reel: reading its file, decoding and filtering, on threads of their own.
struct ReelLane: Sendable {
    /// What is missing of the source, if anything.
    fileprivate let reading: StageOutcome<ReadStage.Outcome>
    fileprivate var decoding: StageOutcome<PictureStage.Outcome>?
    fileprivate var sound: StageOutcome<SoundStage.Outcome>?
}

/// What is known of the lanes of a reel in the end.
struct ReelOutcome: Sendable {
    var lanes: [ReelLane] = []

    var shortfall: Shortfall? { lanes.compactMap { $0.reading.value?.shortfall }.merged }
    var droppedFrames: Int { lanes.reduce(0) { $0 + ($1.decoding?.value?.dropped ?? 0) } }
    var damagedFrames: Int {
        lanes.reduce(0) { $0 + ($1.decoding?.value?.damagedFrames ?? 0) + ($1.sound?.value?.damagedFrames ?? 0) }
    }
    var filledSamples: Int { lanes.reduce(0) { $0 + ($1.sound?.value?.filledSamples ?? 0) } }
    var overlappingSamples: Int { lanes.reduce(0) { $0 + ($1.sound?.value?.overlappingSamples ?? 0) } }
}

/// Starts the lanes of one composed track.
struct ReelLanes {
    let run: PipelineRun
    /// The track's place in the new file.
    let index: Int

    /// Starts decoding the pictures of a piece.
    ///
    /// - Returns: The lane, and where the pictures come out, at times from the piece's beginning on.
    func startPictures(
        _ clip: Reel.Clip, _ encoding: TrackEncoding, timeBase: TimeBase
    ) throws -> (ReelLane, BoundedChannel<EncodeStage.Item>) {
        var encoding = encoding
        encoding.filters = clip.filters
        let (stages, reader) = try open(clip, context: clip.context)
        let (decoding, pictures) = try stages.addDecoding(encoding, timeBase: timeBase, startsAtZero: true)
        return (ReelLane(reading: run.threads.start("read", reader), decoding: decoding), pictures)
    }

    /// Starts decoding the sound of a piece.
    func startSound(
        _ clip: Reel.Clip, newDuration: CMTime, timeBase: TimeBase
    ) throws -> (ReelLane, BoundedChannel<Frame>) {
        let (stages, reader) = try open(clip, context: .zero)
        let sound: BoundedChannel<Frame> = run.cancellation.channel(capacity: 16, byteCapacity: 8 << 20)
        let outcome = try stages.addSoundDecoding(
            clip.filters, startsAtZero: true, newDuration: newDuration,
            output: ChanneledSound(sound, timeBase: timeBase))
        return (ReelLane(reading: run.threads.start("read", reader), sound: outcome), sound)
    }

    private func open(_ clip: Reel.Clip, context: CMTime) throws -> (TrackStages, ReadStage) {
        let lane = try PipelineRun(reading: clip.source, for: run)
        let origin = lane.description.origin
        let range = KeptRange(start: clip.range.start + origin, end: clip.range.end + origin)
        let input = try PipelineSource(
            only: clip.stream, from: range.start - context, in: range, of: clip.source, origin: origin,
            run.cancellation)
        let reader = ReadStage(
            SourceReader(
                input.demuxer, of: clip.source, description: lane.description, range: range, streams: [clip.stream],
                allowsDamage: run.job.allowsDamage),
            cancellation: run.cancellation)
        var track = run.job.tracks[index]
        track.stream = clip.stream
        return (TrackStages(lane, index, track, input, reader), reader)
    }
}

/// Hands sound on to another thread.
final class ChanneledSound: SoundOutlet {
    private let channel: BoundedChannel<Frame>
    let timeBase: TimeBase
    let frameSize: Int? = nil

    init(_ channel: BoundedChannel<Frame>, timeBase: TimeBase) {
        (self.channel, self.timeBase) = (channel, timeBase)
    }

    func send(_ frame: Frame, atTicks ticks: Int64) throws {
        _ = try channel.send(frame, bytes: frame.byteCount)
    }
    func finish() {}
    func end() { channel.finish() }
}

/// Passes over a composition, whose files are read piece by piece.
extension PipelineRun {
    /// Analyses pictures and sound of a composition.
    func analyzeReels(_ progress: ProgressReport) throws -> FirstPass {
        try leavingNoThread {
            var pictures: [Int: ReelStages.Added] = [:]
            var sounds: [Int: (ReelStages.Added, LoudnessRecord)] = [:]
            for (index, track) in job.tracks.enumerated() {
                guard case .encoding(let encoding) = track.treatment else { continue }
                if case .audio(let audio) = encoding.encoder.media {
                    if encoding.effects.loudness == nil { continue }
                    sounds[index] = try ReelStages(self, index).addMeasuring(encoding, audio, progress)
                    continue
                }
                guard encoding.isAnalyzed else { continue }
                pictures[index] = try ReelStages(self, index).addPictures(encoding, .analysis(progress))
            }
            let all = pictures.values + sounds.values.map(\.0)
            _ = try finish(reading: nil) { all.flatMap(\.reels).compactMap(\.shortfall).merged }
            return FirstPass(
                statistics: pictures.compactMapValues { $0.encoding?.value?.statistics },
                loudness: sounds.compactMapValues { $1.value })
        }
    }

    /// Makes the file of a composition.
    func runReels(into sink: CountingSink, _ progress: ProgressReport) throws -> PipelineResult {
        try leavingNoThread {
            // Nobody reads for pictures and sound together: what is ahead waits for the other.
            let pictures = Set(job.tracks.indices.filter { job.tracks[$0].isComposedVideo })
            let port = MuxPort(cancellation, tracks: job.tracks.count, segmented: pictures)
            let tracks = try job.tracks.indices.map { try ReelStages(self, $0).add(port) }
            let mux = try MuxStage(
                job.format, sink: sink, port: port, pass: pass.number, frames: frames, progress: progress)
            mux.setMetadata(job.fileMetadata)
            mux.endsAtATime()
            for coded in tracks.compactMap(\.coded) { try mux.addTrack(coded, isCounted: true) }
            try mux.start(options: muxerOptions)
            let muxing = threads.start("mux", mux)
            let (_, earlyEnd) = try finish(reading: nil) { tracks.flatMap(\.reels).compactMap(\.shortfall).merged }
            var results = muxing.value?.tracks ?? []
            for index in results.indices {
                tracks[index].note(in: &results[index])
                noteLoudness(ofTrack: index, in: &results[index])
            }
            let end = results.compactMap(\.end).max() ?? .zero
            return PipelineResult(
                range: CMTimeRange(start: .zero, end: end), tracks: results, byteCount: muxing.value?.byteCount ?? 0,
                earlyEnd: earlyEnd?.reason, jumps: 0, removed: [])
        }
    }
}

extension PipelineJob.Track {
    fileprivate var isComposedVideo: Bool {
        guard case .encoding(let encoding) = treatment, case .video = encoding.encoder.media else { return false }
        return true
    }
}
