package import FFmpegKit
internal import MediaAsset
package import MediaCore

/// The work on one piece of a reel: reading its file, decoding and filtering, on threads of their own.
package struct ReelLane: Sendable {
    /// What is missing of the source, if anything.
    fileprivate let reading: StageOutcome<ReadStage.Outcome>
    fileprivate var decoding: StageOutcome<PictureStage.Outcome>?
    fileprivate var sound: StageOutcome<SoundStage.Outcome>?
}

/// What is known of the lanes of a reel in the end.
package struct ReelOutcome: Sendable {
    package var lanes: [ReelLane] = []

    var shortfall: String? { lanes.lazy.compactMap { $0.reading.value?.shortfall }.first }
    var droppedFrames: Int { lanes.reduce(0) { $0 + ($1.decoding?.value?.dropped ?? 0) } }
    package var damagedFrames: Int {
        lanes.reduce(0) { $0 + ($1.decoding?.value?.damagedFrames ?? 0) + ($1.sound?.value?.damagedFrames ?? 0) }
    }
    var filledSamples: Int { lanes.reduce(0) { $0 + ($1.sound?.value?.filledSamples ?? 0) } }
    var overlappingSamples: Int { lanes.reduce(0) { $0 + ($1.sound?.value?.overlappingSamples ?? 0) } }
}

/// Starts the lanes of one composed track.
package struct ReelLanes {
    package let run: PipelineRun
    /// The track's place in the new file.
    package let index: Int

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
            SourceReading(
                input.demuxer, of: clip.source, description: lane.description, range: range, streams: [clip.stream],
                allowsDamage: run.job.allowsDamage),
            cancellation: run.cancellation)
        var track = run.job.tracks[index]
        track.stream = clip.stream
        return (TrackStages(lane, index, track, input, reader), reader)
    }
}

/// Hands sound on to another thread.
package final class ChanneledSound: SoundOutlet {
    private let channel: BoundedChannel<Frame>
    package let timeBase: TimeBase
    package let frameSize: Int? = nil

    package init(_ channel: BoundedChannel<Frame>, timeBase: TimeBase) {
        (self.channel, self.timeBase) = (channel, timeBase)
    }

    package func send(_ frame: Frame, atTicks ticks: Int64) throws {
        _ = try channel.send(frame, bytes: frame.byteCount)
    }
    package func finish() {}
    package func end() { channel.finish() }
}
