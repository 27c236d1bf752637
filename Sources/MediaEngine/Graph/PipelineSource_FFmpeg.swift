package import FFmpegKit
package import MediaAsset
package import MediaCore

/// The source of one pass, opened at the entry point from which it is read.
package struct PipelineSource {
    package let demuxer: Demuxer
    package let entry: SeekPoint
    package let range: KeptRange

    /// Opens what is read for all tracks.
    ///
    /// - Parameter others: Streams that are read elsewhere.
    package init(
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
    package init(
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
            let ticks =
                job.hidesByEditList
                ? entry.shown[index] : entry.entries[index].map { entry.firstShown[index] ?? $0.presentationTicks }
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
