package import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// The stages of one track of a composition.
package struct ReelStages {
    private let run: PipelineRun
    private let index: Int
    private let track: PipelineJob.Track

    /// What was added for a track.
    package struct Added: Sendable {
        /// `nil` for what is only measured.
        package var coded: CodedStream?
        fileprivate var pictures: [StageOutcome<ReelOutcome>] = []
        package fileprivate(set) var encoding: StageOutcome<EncodeStage.Outcome>?
        fileprivate var sound: StageOutcome<SoundReelStage.Outcome>?

        /// What became of the lanes.
        var reels: [ReelOutcome] { pictures.compactMap(\.value) + (sound?.value?.reels ?? []) }

        /// Notes what the stages have found out.
        package func note(in result: inout PipelineResult.Track) {
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

    package init(_ run: PipelineRun, _ index: Int) {
        (self.run, self.index, track) = (run, index, run.job.tracks[index])
    }

    /// Starts the work on the track, its packets going to a muxer.
    package func add(_ mux: MuxPort) throws -> Added {
        guard case .encoding(let encoding) = track.treatment, encoding.canvas != nil || !encoding.reels.isEmpty else {
            throw FFmpegError(kind: .other, operation: .read, reason: "a track of a composition has no pieces")
        }
        guard case .audio(let audio) = encoding.encoder.media else { return try addPictures(encoding, .file(mux)) }
        return try addSound(encoding, audio, mux)
    }

    package func addPictures(_ encoding: TrackEncoding, _ target: EncodeStage.Target) throws -> Added {
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
