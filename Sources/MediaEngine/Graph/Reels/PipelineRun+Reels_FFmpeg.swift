internal import FFmpegKit
internal import MediaAsset
internal import MediaCore

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
            _ = try finish(reading: nil) { all.lazy.flatMap(\.reels).compactMap(\.shortfall).first }
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
            let (_, earlyEnd) = try finish(reading: nil) { tracks.lazy.flatMap(\.reels).compactMap(\.shortfall).first }
            var results = muxing.value?.tracks ?? []
            for index in results.indices {
                tracks[index].note(in: &results[index])
                noteLoudness(ofTrack: index, in: &results[index])
            }
            let end = results.compactMap(\.end).max() ?? .zero
            return PipelineResult(
                range: CMTimeRange(start: .zero, end: end), tracks: results, byteCount: muxing.value?.byteCount ?? 0,
                earlyEnd: earlyEnd, jumps: 0, removed: [])
        }
    }
}

extension PipelineJob.Track {
    fileprivate var isComposedVideo: Bool {
        guard case .encoding(let encoding) = treatment, case .video = encoding.encoder.media else { return false }
        return true
    }
}
