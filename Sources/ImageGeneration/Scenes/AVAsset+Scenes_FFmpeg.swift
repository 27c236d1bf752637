internal import FFmpegKit
public import MediaAsset
public import MediaCore

extension AVAsset {
    /// Finds the shots of the asset's video.
    ///
    /// Decodes the film once from start to end with all cores, and compares each
    /// frame that is shown with the one before it, both made small, by hue,
    /// saturation and brightness. Frames that an edit list hides do not count.
    /// Frames that cannot be decoded cleanly count, but are compared with nothing:
    /// no cut comes of damage. Memory does not grow with the film, but for the
    /// list itself. Beyond AVFoundation.
    ///
    /// - Parameter progress: Called with the fraction done, from 0 to 1, from another thread, at each frame.
    /// - Returns: At least one scene. A file that cannot be read to its end gives the scenes up to there, and
    ///   `SceneList.truncation`.
    /// - Throws: `AVError.noSourceTrack` without video, `AVError.undecodableMediaData`
    ///   without a single frame; `CancellationError` if the task is cancelled; else what opening the file
    ///   fails with, as `AVAsset` tells.
    /// - Complexity: One pass over the film; every frame is decoded. A pipe is read where it stands.
    public func detectScenes(
        _ settings: SceneDetectionSettings = SceneDetectionSettings(),
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> SceneList {
        let source = source
        let cancellation = Cancellation()
        return try await BlockingWork.run(cancel: {
            cancellation.cancel()
            source.cancelReading()
        }) {
            do {
                return try SceneDetection(source: source, settings: settings, progress: progress).run(cancellation)
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }
}

/// One search for the scenes of a film.
private struct SceneDetection {
    let source: AssetSource
    let settings: SceneDetectionSettings
    let progress: @Sendable (Double) -> Void

    func run(_ cancellation: Cancellation) throws -> SceneList {
        let description = try source.describe()
        guard let track = description.videoTrack else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        try source.checkIsDecodable(track)
        let demuxer = try demuxerAtBeginning()
        demuxer.interrupt.follow(cancellation)
        defer { cancellation.forget(demuxer.interrupt) }
        let base = demuxer.streams[track.streamIndex].timeBase
        let total = max(1e-9, description.duration.isNumeric ? description.duration.seconds : 1)
        var search = SceneSearch(settings: settings, timeBase: base)
        let decode = try SceneDecode(source: source, demuxer: demuxer, streamIndex: track.streamIndex)
        try decode.run { shown in
            search.add(shown)
            let seconds = (base.time(of: shown.ticks) - description.origin).seconds
            progress(min(1, max(0, seconds / total)))
        }
        return try search.finish(truncation: decode.truncation) {
            base.time(of: $0).distance(from: description.origin, .later)
        }
    }

    /// What was opened to describe a pipe cannot be opened again.
    private func demuxerAtBeginning() throws -> Demuxer {
        let known = try source.checkOut()
        guard known.isSeekable else { return known }
        source.checkIn(known)
        return try source.open()
    }
}

/// What is known of a film's scenes while its frames come in.
private struct SceneSearch {
    private var scorer: SceneScorer
    private var cutter: SceneCutter
    private var before: ScenePicture?
    private var frameCount = 0
    private var damagedCount = 0
    private var isDamaged = false
    private var start: (number: Int, ticks: Int64)?
    private var endTicks: Int64 = 0

    init(settings: SceneDetectionSettings, timeBase: TimeBase) {
        scorer = SceneScorer(method: settings.method, threshold: settings.threshold)
        let length = settings.minimumLength
        cutter = SceneCutter(minimumTicks: length.isNumeric ? max(0, timeBase.ticks(atOrAfter: length)) : 0)
    }

    mutating func add(_ shown: SceneShown) {
        let number = frameCount
        frameCount += 1
        endTicks = shown.ticks.addingReportingOverflow(shown.durationTicks).partialValue
        if start == nil { start = (number, shown.ticks) }
        guard let picture = shown.picture else {
            damagedCount += 1
            isDamaged = true
            return
        }
        let frame = SceneFrame(
            number: number, ticks: shown.ticks, picture: picture, before: before,
            score: before.map { picture.difference(from: $0) } ?? 0, followsDamage: isDamaged)
        isDamaged = false
        before = picture
        if let decided = scorer.add(frame) { cutter.add(decided.frame, isCut: decided.isCut) }
    }

    mutating func finish(truncation: String?, time: (Int64) -> CMTime) throws -> SceneList {
        guard let start else {
            throw AVError(.undecodableMediaData, reason: truncation ?? "no frame can be decoded")
        }
        while let decided = scorer.finish() { cutter.add(decided.frame, isCut: decided.isCut) }
        cutter.finish(endTicks: endTicks)
        // The first scene begins with the first frame, even if that one is damaged.
        let cuts =
            [SceneCutter.Cut(number: start.number, ticks: start.ticks, score: 0, opening: .start)]
            + cutter.cuts.dropFirst()
        let scenes = cuts.indices.map { index in
            let cut = cuts[index]
            let next = index + 1 < cuts.count ? cuts[index + 1] : nil
            return Scene(
                timeRange: CMTimeRange(start: time(cut.ticks), end: time(next?.ticks ?? endTicks)),
                firstFrame: cut.number, lastFrame: (next?.number ?? frameCount) - 1, opening: cut.opening,
                score: cut.score)
        }
        return SceneList(
            scenes: scenes, frameCount: frameCount, damagedFrameCount: damagedCount, truncation: truncation)
    }
}
