package import FFmpegKit
package import MediaAsset
package import MediaCore

/// The work on one piece of a join: reading its file, and choosing the samples that are kept, on a thread of its own.
package struct PieceLane: Sendable {
    let port: MuxPort
    package let coded: [CodedStream?]
    /// Subtitles and the like do not tell how far the file is.
    package let isCounted: [Bool]
    /// How much of the file comes before what was asked for.
    package let lead: CMTime
    let hasOwnEnd: Bool
    package let kinds: [StreamInfo.Kind]
    package let reading: StageOutcome<ReadStage.Outcome>

    /// Starts the work.
    ///
    /// - Parameter source: The piece's file.
    package init(_ piece: JoinedPiece, of source: AssetSource, in whole: PipelineRun) throws {
        let job = whole.job.of(piece)
        var present = job
        present.tracks = zip(job.tracks, piece.streams).filter { $0.1 != nil }.map(\.0)
        let run = try PipelineRun(reading: source, for: whole, job: present)
        let input = try PipelineSource(present, source, run.description, run.cancellation)
        let reader = ReadStage(
            SourceReading(
                input.demuxer, of: source, description: run.description, range: input.range,
                streams: Set(present.tracks.map(\.stream)), allowsDamage: job.allowsDamage),
            cancellation: run.cancellation)
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
        kinds = zip(job.tracks, piece.streams).map { track, stream in
            stream == nil ? .unknown : input.demuxer.streams[track.stream].kind
        }
        reading = run.threads.start("read", reader)
    }
}

/// Puts the packets of a join's pieces one after the other, on a thread of its own.
package final class JoinStage: Stage {
    package struct Outcome: Sendable {
        package var places: [JoinedPlace] = []
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
    package init(_ run: PipelineRun, first: PieceLane, output: MuxPort) {
        (whole, self.first, self.output) = (run, first, output)
        ends = run.job.tracks.map { _ in nil }
        (pieceEnds, lastDecode) = (ends, ends)
    }

    package func run() throws -> Outcome {
        defer { for index in whole.job.tracks.indices { output.finish(track: index) } }
        var offset = CMTime.zero
        for piece in whole.job.pieces {
            guard let source = piece.source else {
                offset = offset + piece.target.duration
                continue
            }
            let lane = try first ?? PieceLane(piece, of: source, in: whole)
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
        return end(of: lane) ?? offset
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

    /// When the piece ends: with its pictures where it was cut, as packets of sound reach beyond the cut.
    private func end(of lane: PieceLane) -> CMTime? {
        let tracks = pieceEnds.indices.filter { lane.isCounted[$0] }
        let pictures = tracks.filter { lane.kinds[$0] == .video }.compactMap { pieceEnds[$0] }.max()
        let all = tracks.compactMap { pieceEnds[$0] }.max()
        return lane.hasOwnEnd ? pictures ?? all : all
    }
}
