internal import FFmpegKit
internal import MediaAsset
package import MediaCore

/// Encodes the pictures of a track in segments, several at a time.
///
/// Each segment has a reader, a decoder, filters and an encoder of its own, on threads of their own; this one starts them
/// and waits for them.
package final class SegmentStage: Stage {
    package struct Outcome: Sendable {
        package fileprivate(set) var lanes: [Lane] = []
    }

    /// What becomes of one segment.
    package struct Lane: Sendable {
        package let reading: StageOutcome<ReadStage.Outcome>
        package let pictures: TrackStages.AddedPictures
    }

    private let pipeline: PipelineRun
    private let index: Int
    private let track: PipelineJob.Track
    private let encoding: TrackEncoding
    private let range: KeptRange
    private let relay: SegmentRelay
    private let segments: PictureSegments
    private let wanted: Range<Int>
    private let places: SegmentPlaces
    /// What the file says for all segments.
    private let header: [UInt8]

    /// - Parameters:
    ///   - encoding: What an encoder of one segment is asked for.
    ///   - wanted: The segments to encode.
    package init(
        _ run: PipelineRun, _ index: Int, _ encoding: TrackEncoding, _ segments: PictureSegments, wanted: Range<Int>,
        atATime count: Int, range: KeptRange, header: [UInt8], relay: SegmentRelay
    ) {
        (pipeline, self.index, track, self.encoding) = (run, index, run.job.tracks[index], encoding)
        (self.segments, self.wanted, self.range, self.header, self.relay) = (segments, wanted, range, header, relay)
        places = SegmentPlaces(count, run.cancellation)
    }

    package func run() throws -> Outcome {
        var outcome = Outcome()
        for segment in wanted {
            try places.take()
            outcome.lanes.append(try start(segment))
        }
        try places.takeAll()
        return outcome
    }

    private func start(_ segment: Int) throws -> Lane {
        let time = range.start + segments.start(of: segment)
        let input = try PipelineSource(
            only: track.stream, from: time - encoding.context, in: range, of: pipeline.source,
            origin: pipeline.description.origin, pipeline.cancellation)
        let reader = ReadStage(
            SourceReading(
                input.demuxer, of: pipeline.source, description: pipeline.description, range: range,
                streams: [track.stream], allowsDamage: pipeline.job.allowsDamage),
            cancellation: pipeline.cancellation)
        let pictures = try TrackStages(pipeline, index, track, input, reader)
            .addSegment(segment, of: segments, encoding, relay, places)
        guard pictures.coded.configuration == header else {
            throw FFmpegError(
                kind: .other, operation: .encode,
                reason: "\(encoding.encoder.name) begins a segment with another header than the others")
        }
        return Lane(reading: pipeline.threads.start("read", reader), pictures: pictures)
    }
}

/// How many segments may be under way, and how many are.
package final class SegmentPlaces: Sendable {
    private struct State {
        var free: Int
        var isStopped = false
    }

    private let count: Int
    private let state: WaitingLock<State>

    package init(_ count: Int, _ cancellation: Cancellation) {
        self.count = count
        state = WaitingLock(State(free: count))
        let state = state
        cancellation.onCancel { state.change { $0.isStopped = true } }
    }

    /// Waits for a free place and takes it.
    package func take() throws(WorkStopped) { try take(1) }

    /// Waits until all are free.
    func takeAll() throws(WorkStopped) { try take(count) }

    private func take(_ number: Int) throws(WorkStopped) {
        try state.wait { state throws(WorkStopped) -> Void? in
            if state.isStopped { throw WorkStopped() }
            guard state.free >= number else { return nil }
            state.free -= number
            return ()
        }
    }

    package func leave() { state.change { $0.free += 1 } }
}

/// The encoder of one segment, whose place another one takes when it has ended.
package final class SegmentEncodeStage: Stage {
    private let stage: EncodeStage
    private let places: SegmentPlaces

    package init(_ stage: EncodeStage, _ places: SegmentPlaces) { (self.stage, self.places) = (stage, places) }

    package func run() throws -> EncodeStage.Outcome {
        defer { places.leave() }
        return try stage.run()
    }
}

extension SegmentStage.Outcome {
    /// What is missing of the source, and from when on, if anything.
    var shortfall: String? { lanes.lazy.compactMap { $0.reading.value?.shortfall }.first }

    /// What the stages have found out.
    package var counts: SegmentCounts {
        var counts = SegmentCounts()
        for case (let decoded?, let encoded?) in lanes.map({ ($0.pictures.decoding.value, $0.pictures.encoding.value) })
        {
            counts.frames += encoded.frames
            counts.dropped += decoded.dropped + encoded.dropped
        }
        return counts
    }
}
