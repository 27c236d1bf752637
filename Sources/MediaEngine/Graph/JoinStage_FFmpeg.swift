internal import FFmpegKit
package import MediaAsset
package import MediaCore
package import MediaMetadata
internal import MetadataFormats

/// The work on one piece of a join: reading its file, and choosing the samples that are kept, on a thread of its own.
struct PieceLane: Sendable {
    let port: MuxPort
    let coded: [CodedStream?]
    /// Subtitles and the like do not tell how far the file is.
    let isCounted: [Bool]
    /// How much of the file comes before what was asked for.
    let lead: CMTime
    let hasOwnEnd: Bool
    /// How much of the file was asked for.
    let asked: CMTime?
    let kinds: [StreamInfo.Kind]
    let reading: StageOutcome<ReadStage.Outcome>

    /// Starts the work.
    ///
    /// - Parameters:
    ///   - source: The piece's file.
    ///   - number: How many pieces come before it.
    init(_ piece: JoinedPiece, of source: AssetSource, number: Int, in whole: PipelineRun) throws {
        let (job, run, input, reader) = try Self.open(piece, of: source, number: number, in: whole)
        port = MuxPort(run.cancellation, tracks: job.tracks.count)
        var (coded, isCounted): ([CodedStream?], [Bool]) = ([], [])
        for (index, track) in job.tracks.enumerated() {
            guard piece.streams[index] != nil else {
                coded.append(nil)
                isCounted.append(false)
                port.finish(track: index)
                continue
            }
            let added = try TrackStages(run, index, track, input, reader).add(port)
            coded.append(added.coded)
            isCounted.append(added.isCounted)
        }
        (self.coded, self.isCounted) = (coded, isCounted)
        lead = max(.zero, (piece.range?.start ?? input.range.start) - input.range.start)
        hasOwnEnd = piece.range?.end.isNumeric ?? false
        asked = piece.range?.duration
        kinds = zip(job.tracks, piece.streams).map { track, stream in
            stream == nil ? .unknown : input.demuxer.streams[track.stream].kind
        }
        reading = run.threads.start("read", reader)
    }

    private static func open(
        _ piece: JoinedPiece, of source: AssetSource, number: Int, in whole: PipelineRun
    ) throws -> (job: PipelineJob, run: PipelineRun, input: PipelineSource, reader: ReadStage) {
        var job = whole.job.of(piece)
        job.laterPiece = number > 0 ? number : nil
        var present = job
        present.tracks = zip(job.tracks, piece.streams).filter { $0.1 != nil }.map(\.0)
        let run = try PipelineRun(reading: source, for: whole, job: present)
        let input = try PipelineSource(present, source, run.description, run.cancellation)
        let reader = ReadStage(
            SourceReader(
                input.demuxer, of: source, description: run.description, range: input.range,
                streams: Set(present.tracks.map(\.stream)), allowsDamage: job.allowsDamage),
            cancellation: run.cancellation)
        return (job, run, input, reader)
    }

    /// What a track is that the first piece has nothing of.
    ///
    /// - Complexity: One opening of the first file that has it.
    static func coded(track index: Int, in whole: PipelineRun) throws -> CodedStream? {
        guard let number = whole.job.pieces.firstIndex(where: { $0.source != nil && $0.streams[index] != nil }),
            let source = whole.job.pieces[number].source
        else { return nil }
        let (job, run, input, reader) = try open(whole.job.pieces[number], of: source, number: number, in: whole)
        return try TrackStages(run, index, job.tracks[index], input, reader).codedCopy().0
    }
}

/// Puts the packets of a join's pieces one after the other, on a thread of its own.
final class JoinStage: Stage {
    struct Outcome: Sendable {
        var places: [JoinedPlace] = []
        var readers: [StageOutcome<ReadStage.Outcome>] = []
    }

    private let whole: PipelineRun
    private let output: MuxPort
    private var first: PieceLane?
    private var outcome = Outcome()
    /// Where each track's last packet ends, and those of the piece under way.
    private var ends: [CMTime?]
    private var pieceEnds: [CMTime?]
    /// The decode time of each track's last packet.
    private var lastDecode: [CMTime?]

    /// - Parameter first: The lane of the first piece that is one.
    init(_ run: PipelineRun, first: PieceLane, output: MuxPort) {
        (whole, self.first, self.output) = (run, first, output)
        ends = run.job.tracks.map { _ in nil }
        (pieceEnds, lastDecode) = (ends, ends)
    }

    func run() throws -> Outcome {
        defer { for index in whole.job.tracks.indices { output.finish(track: index) } }
        var offset = CMTime.zero
        for piece in whole.job.pieces {
            guard let source = piece.source else {
                offset = offset + piece.target.duration
                continue
            }
            let lane = try first ?? PieceLane(piece, of: source, number: outcome.readers.count, in: whole)
            first = nil
            outcome.places.append(
                JoinedPlace(wanted: piece.target.start, actual: offset + lane.lead, lead: lane.lead))
            offset = try pass(lane, at: offset)
        }
        return outcome
    }

    /// Sends the packets of a piece on.
    ///
    /// - Returns: When the next piece begins.
    private func pass(_ lane: PieceLane, at offset: CMTime) throws -> CMTime {
        let isFirst = outcome.readers.isEmpty
        outcome.readers.append(lane.reading)
        pieceEnds = pieceEnds.map { _ in nil }
        while let item = try lane.port.receive() {
            let shift = item.timeBase.ticks(nearest: offset)
            func moved(_ ticks: Int64?) -> Int64? { ticks.map { $0.addingReportingOverflow(shift).partialValue } }
            let packet = item.packet
            guard let ticks = moved(packet.presentationTicks ?? packet.decodeTicks) else { continue }
            let decode = moved(packet.decodeTicks) ?? decodeTicks(of: item, shownAt: ticks)
            lastDecode[item.track] = decode.map { item.timeBase.time(of: $0) } ?? lastDecode[item.track]
            let (start, length) = (item.timeBase.time(of: ticks), item.timeBase.time(of: packet.durationTicks ?? 0))
            if !isFirst, lane.kinds[item.track] == .audio, isCovered(start, length, track: item.track, offset) {
                continue
            }
            pieceEnds[item.track] = max(pieceEnds[item.track] ?? start, start + length)
            try output.send(
                packet.retimed(
                    presentation: moved(packet.presentationTicks), decode: decode, duration: packet.durationTicks),
                track: item.track, timeBase: item.timeBase)
        }
        try whole.cancellation.check()
        ends = zip(ends, pieceEnds).map { $1 ?? $0 }
        return end(of: lane, from: offset) ?? offset
    }

    /// A decode time for a packet that comes without, as the first ones of a piece may where pictures are reordered;
    /// `nil` at the file's beginning, where the muxer finds one.
    private func decodeTicks(of item: MuxPort.Item, shownAt ticks: Int64) -> Int64? {
        guard let last = lastDecode[item.track] else { return nil }
        let earliest = item.timeBase.ticks(atOrBefore: last).addingReportingOverflow(1).partialValue
        let isFirst = pieceEnds[item.track] == nil
        return isFirst
            ? max(earliest, ticks.subtractingReportingOverflow(item.packet.durationTicks ?? 1).partialValue) : earliest
    }

    /// Whether sound is there already up to about the end of a packet, or lies before its piece.
    private func isCovered(_ start: CMTime, _ length: CMTime, track: Int, _ offset: CMTime) -> Bool {
        let middle = start + CMTimeMultiplyByRatio(length, multiplier: 1, divisor: 2)
        return middle <= max(offset, ends[track] ?? offset)
    }

    /// When the piece ends: with its pictures where it was cut, as packets of sound reach beyond the cut, but not before
    /// what was asked for does.
    private func end(of lane: PieceLane, from offset: CMTime) -> CMTime? {
        let tracks = pieceEnds.indices.filter { lane.isCounted[$0] }
        let pictures = tracks.filter { lane.kinds[$0] == .video }.compactMap { pieceEnds[$0] }.max()
        let all = tracks.compactMap { pieceEnds[$0] }.max()
        guard lane.hasOwnEnd, let pictures else { return all }
        return lane.asked.map { max(pictures, offset + lane.lead + $0) } ?? pictures
    }
}

/// One of the films that a job puts one after the other, their coded samples staying as they are.
package struct JoinedPiece: Sendable {
    /// `nil` for nothing meanwhile.
    var source: AssetSource?
    /// On the timeline of the film's container; `nil` for all of it.
    var range: CMTimeRange?
    /// The stream that goes on in each of the job's tracks; `nil` where the film has nothing of it.
    var streams: [Int?]
    /// On the composition's timeline, from the new file's beginning on.
    var target: CMTimeRange

    package init(source: AssetSource? = nil, range: CMTimeRange? = nil, streams: [Int?], target: CMTimeRange) {
        (self.source, self.range, self.streams, self.target) = (source, range, streams, target)
    }

    /// Whether it does not begin with its film's beginning.
    package var beginsAmid: Bool {
        guard let range, let source else { return false }
        return (try? source.describe().origin).map { range.start > $0 } ?? true
    }
}

extension PipelineJob {
    /// The job for one piece alone.
    func of(_ piece: JoinedPiece) -> PipelineJob {
        var job = self
        job.range = piece.range
        for (index, stream) in piece.streams.enumerated() where stream != nil { job.tracks[index].stream = stream ?? 0 }
        return job
    }

    /// Whether an edit list of the new file hides what comes before the start and after the end.
    var hidesByEditList: Bool { format.container.isMovie && pieces.isEmpty }
}

/// Where the pieces of a join have come to lie, as pictures that stay as they are begin with sync samples.
package struct JoinedPlace: Sendable, Equatable {
    /// When the piece was to begin, on the composition's timeline.
    package var wanted: CMTime
    /// When what was to be shown then is shown in the new file.
    var actual: CMTime
    /// How much of the film comes before it, which was not asked for.
    package var lead: CMTime
}

extension [JoinedPlace] {
    /// When something of the composition is shown in the new file.
    package func actualTime(of time: CMTime) -> CMTime {
        guard let place = last(where: { $0.wanted <= time }) ?? first else { return time }
        return place.actual + (time - place.wanted)
    }
}

extension ChapterList {
    /// The list where its pieces have come to lie.
    package func moved(by places: [JoinedPlace]) -> ChapterList {
        guard !places.isEmpty else { return self }
        var list = self
        list.chapters = list.chapters.map { $0.moved(by: places) }
        return list
    }
}

extension Chapter {
    fileprivate func moved(by places: [JoinedPlace]) -> Chapter {
        var chapter = self
        chapter.start = places.actualTime(of: start)
        if end.isNumeric { chapter.end = max(chapter.start, places.actualTime(of: end)) }
        chapter.children = children.map { $0.moved(by: places) }
        return chapter
    }
}

/// Passes over a composition whose coded samples stay as they are.
extension PipelineRun {
    /// Makes the file.
    func runJoin(into sink: CountingSink, _ progress: ProgressReport) throws -> PipelineResult {
        try leavingNoThread {
            guard let piece = job.pieces.first(where: { $0.source != nil }), let source = piece.source else {
                throw FFmpegError(kind: .other, operation: .read, reason: "there is nothing to join")
            }
            let first = try PieceLane(piece, of: source, number: 0, in: self)
            let port = MuxPort(cancellation, tracks: job.tracks.count)
            let mux = try MuxStage(
                job.format, sink: sink, port: port, pass: pass.number, frames: frames, progress: progress)
            mux.setMetadata(job.fileMetadata)
            for (index, (coded, isCounted)) in zip(first.coded, first.isCounted).enumerated() {
                guard let coded = try coded ?? PieceLane.coded(track: index, in: self) else { continue }
                try mux.addTrack(coded, isCounted: isCounted)
            }
            try mux.start(options: muxerOptions)
            let muxing = threads.start("mux", mux)
            let joining = threads.start("join", JoinStage(self, first: first, output: port))
            let (_, earlyEnd) = try finish(reading: nil) { joining.value?.shortfall }
            return result(muxing.value, joining.value, earlyEnd)
        }
    }

    private func result(
        _ muxed: MuxStage.Outcome?, _ joined: JoinStage.Outcome?, _ earlyEnd: Shortfall?
    ) -> PipelineResult {
        var tracks = muxed?.tracks ?? []
        var removed: [PrivateDetail] = []
        let outcomes = joined?.readers.compactMap(\.value) ?? []
        for (index, lost) in outcomes.flatMap(\.lostStyling) where tracks.indices.contains(index) {
            tracks[index].lostStyling.formUnion(lost)
        }
        for copies in outcomes.map(\.copies) {
            for (index, copy) in copies where tracks.indices.contains(index) {
                tracks[index].damagedFrames += copy.damaged
                tracks[index].unhiddenPictures += copy.unhidden
                tracks[index].leadInSamples += copy.leadInSamples
                removed += copy.removed
            }
        }
        let end = tracks.compactMap(\.end).max() ?? .zero
        return PipelineResult(
            range: CMTimeRange(start: .zero, end: end), tracks: tracks, byteCount: muxed?.byteCount ?? 0,
            earlyEnd: earlyEnd?.reason, jumps: outcomes.reduce(0) { $0 + $1.jumps },
            lateTracks: outcomes.map(\.lateStreams).max() ?? 0, removed: removed,
            places: joined?.places ?? [])
    }
}

extension JoinStage.Outcome {
    /// What is missing of the sources, if anything.
    fileprivate var shortfall: Shortfall? { readers.compactMap { $0.value?.shortfall }.merged }
}
