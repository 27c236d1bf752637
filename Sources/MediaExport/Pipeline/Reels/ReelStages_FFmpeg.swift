internal import FFmpegKit
internal import MediaAsset
internal import MediaConcurrency
internal import MediaTime
internal import MediaTypes

/// The stages of one track of a composition.
struct ReelStages {
    private let run: PipelineRun
    private let index: Int
    private let track: PipelineJob.Track

    /// What was added for a track.
    struct Added: Sendable {
        var coded: CodedStream
        fileprivate var pictures: StageOutcome<ReelOutcome>?
        fileprivate(set) var encoding: StageOutcome<EncodeStage.Outcome>?
        fileprivate var sound: StageOutcome<SoundReelStage.Outcome>?

        /// What became of the lanes.
        var reels: [ReelOutcome] { [pictures?.value].compactMap { $0 } + (sound?.value?.reels ?? []) }

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

    init(_ run: PipelineRun, _ index: Int) { (self.run, self.index, track) = (run, index, run.job.tracks[index]) }

    /// Starts the work on the track, its packets going to a muxer.
    func add(_ mux: MuxPort) throws -> Added {
        guard case .encoding(let encoding) = track.treatment, !encoding.reels.isEmpty else {
            throw FFmpegError(kind: .other, operation: .read, reason: "a track of a composition has no pieces")
        }
        guard case .audio(let audio) = encoding.encoder.media else { return try addPictures(encoding, .file(mux)) }
        return try addSound(encoding, audio, mux)
    }

    func addPictures(_ encoding: TrackEncoding, _ target: EncodeStage.Target) throws -> Added {
        let completed = try run.completed(encoding, track: index) {
            guard let clip = encoding.reels[0].pieces.lazy.compactMap(\.clip).first else { return HDRMetadata() }
            return try PipelineRun(reading: clip.source, for: run).firstPictureLight(of: clip.stream)
        }
        let encoder = try Encoder.open(completed.encoder)
        var added = Added(coded: try CodedStream(from: encoder, traits: track.traits))
        let pictures: BoundedChannel<EncodeStage.Item> = run.cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let stage = PictureReelStage(
            ReelLanes(run: run, index: index), completed, encoding.reels[0], timeBase: encoder.timeBase,
            output: pictures)
        let encode = EncodeStage(encoder, track: index, input: pictures, target: target, count: run.frames)
        added.pictures = run.threads.start("reel", stage)
        added.encoding = run.threads.start("encode", encode)
        return added
    }

    private func addSound(_ encoding: TrackEncoding, _ audio: AudioSettings, _ mux: MuxPort) throws -> Added {
        var settings = encoding.encoder
        settings.usesGlobalHeader = run.job.format.wantsGlobalHeader
        let encoder = try Encoder.open(settings)
        var added = Added(coded: try CodedStream(from: encoder, traits: track.traits))
        let stage = SoundReelStage(
            ReelLanes(run: run, index: index), encoding.reels, format: encoding.reelFormat(audio),
            filters: encoding.filters, output: EncodedSound(encoder, track: index, mux: mux))
        added.sound = run.threads.start("sound reel", stage)
        return added
    }
}

extension TrackEncoding {
    /// What the pieces of composed sound are made into before they are mixed: what the encoder expects if there is
    /// nothing to mix.
    func reelFormat(_ audio: AudioSettings) -> FrameFormat.AudioFormat {
        FrameFormat.AudioFormat(
            sampleRate: audio.sampleRate, sampleFormat: reels.count > 1 ? "fltp" : audio.sampleFormat,
            channelLayout: audio.channelLayout, channels: AudioLayout.channels(of: audio.channelLayout))
    }
}
