internal import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaMetadata
internal import MetadataFormats

/// Passes over a composition whose coded samples stay as they are.
extension PipelineRun {
    /// Makes the file.
    func runJoin(into sink: CountingSink, _ progress: ProgressReport) throws -> PipelineResult {
        try leavingNoThread {
            guard let piece = job.pieces.first(where: { $0.source != nil }), let source = piece.source else {
                throw FFmpegError(kind: .other, operation: .read, reason: "there is nothing to join")
            }
            let first = try PieceLane(piece, of: source, in: self)
            let port = MuxPort(cancellation, tracks: job.tracks.count)
            let mux = try MuxStage(
                job.format, sink: sink, port: port, pass: pass.number, frames: frames, progress: progress)
            mux.setMetadata(job.fileMetadata)
            for (coded, isCounted) in zip(first.coded, first.isCounted) {
                guard let coded else { continue }
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
        _ muxed: MuxStage.Outcome?, _ joined: JoinStage.Outcome?, _ earlyEnd: String?
    ) -> PipelineResult {
        var tracks = muxed?.tracks ?? []
        var removed: [PrivateDetail] = []
        let outcomes = joined?.readers.compactMap(\.value) ?? []
        for copies in outcomes.map(\.copies) {
            for (index, copy) in copies where tracks.indices.contains(index) {
                tracks[index].damagedFrames += copy.damaged
                tracks[index].unhiddenPictures += copy.unhidden
                removed += copy.removed
            }
        }
        let end = tracks.compactMap(\.end).max() ?? .zero
        return PipelineResult(
            range: CMTimeRange(start: .zero, end: end), tracks: tracks, byteCount: muxed?.byteCount ?? 0,
            earlyEnd: earlyEnd, jumps: outcomes.reduce(0) { $0 + $1.jumps }, removed: removed,
            places: joined?.places ?? [])
    }
}

extension JoinStage.Outcome {
    /// What is missing of the sources, if anything.
    fileprivate var shortfall: String? { readers.lazy.compactMap { $0.value?.shortfall }.first }
}
