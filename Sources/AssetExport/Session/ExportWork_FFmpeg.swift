internal import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

/// One export, from its plan to its file.
///
/// Calls block; sessions run them away from the cooperative pool.
struct ExportWork {
    let source: AssetSource
    var request: ExportRequest
    var monitor = ExportMonitor()
    /// How often the file turned out too large.
    var retries = 0
    /// How much of all the work was done before the file is written.
    private var doneBefore = 0.0

    init(source: AssetSource, request: ExportRequest, monitor: ExportMonitor = ExportMonitor()) {
        (self.source, self.request, self.monitor) = (source, request, monitor)
    }

    /// An export of an asset: of a composition of it where that is needed.
    init(asset: AVAsset, request: ExportRequest, monitor: ExportMonitor = ExportMonitor()) throws {
        let isComposed = try request.rendering.isNeeded || asset.source.isJoinedByEdits(request)
        let source = isComposed ? try asset.composed().source : asset.source
        self.init(source: source, request: request, monitor: monitor)
    }

    func plan() throws -> ExportPlan {
        try source.checkFilesAreOwn()
        return try ExportPlanner(source: source, request: request).prepare().plan
    }

    /// Makes the file.
    ///
    /// Encoders are not exact: where they made more than the limit allows, all is
    /// done once more with a budget that is smaller in proportion.
    func write(to place: OutputPlace) throws -> ExportResult {
        var work = self
        while true {
            do {
                return try work.writeOnce(to: place)
            } catch {
                guard let excess = error as? LengthExcess else { throw error }
                work = try work.retry(after: excess)
            }
        }
    }

    private func writeOnce(to place: OutputPlace) throws -> ExportResult {
        try source.checkFilesAreOwn()
        // The files of a composition were looked at when it was put together, which may be long ago.
        if source.composition != nil { try source.checkIsOneFile() }
        let prepared = try ExportPlanner(source: source, request: request).prepare()
        try monitor.cancellation.check()
        if request.fileType.isFolder { return try writeFolder(prepared, at: place) }
        let target = try PendingFile(
            for: place, temporaryFolder: try temporaryFolder(), limits: source.limits)
        switch prepared.engine {
        case .cut(let cut, let file): return try write(cut, of: file, prepared, to: target)
        case .pipeline(let job, let graft): return try write(job, adding: graft, prepared, to: target)
        case .pieces(let planner, let plan):
            return try write(piecesOf: planner, prepared, as: plan, to: target, at: place)
        }
    }

    // MARK: Pieces

    /// How much of the work is done when the pieces are made: the join copies what they hold.
    private static let shareOfPieces = 0.9

    /// Makes movies of the pieces that are none, and joins all by their tables.
    private func write(
        piecesOf planner: JoinPlanner, _ prepared: PreparedExport, as plan: ExportPlan, to target: PendingFile,
        at place: OutputPlace
    ) throws -> ExportResult {
        let pieces = try planner.otherPieces()
        let total = max(pieces.reduce(0) { $0 + $1.stretch.target.duration.seconds }, .leastNormalMagnitude)
        var (made, done): ([Int: JoinPlanner.MadePiece], Double) = ([:], 0)
        for piece in pieces {
            guard let source = piece.stretch.source else { continue }
            let target = piece.stretch.target
            let (monitor, before) = (monitor, done)
            let part = ExportMonitor(cancellation: monitor.cancellation) { progress in
                monitor.report(
                    fraction: (before + progress.fraction * target.duration.seconds) / total * Self.shareOfPieces,
                    time: target.start + progress.time, byteCount: progress.byteCount)
            }
            let work = ExportWork(source: source, request: planner.request(for: piece.stretch), monitor: part)
            made[piece.index] = try work.makeMovie(of: piece, createdAt: planner.creationDate, at: place)
            done += target.duration.seconds
        }
        var joined = try planner.prepare(with: made, as: plan)
        joined.plan.losses = joined.plan.losses.withoutRepetitions
        joined.plan.warnings = plan.warnings + joined.plan.warnings
        guard case .cut(let cut, let file) = joined.engine else {
            throw AVError(.exportFailed, reason: "the pieces cannot be joined by their tables")
        }
        var work = self
        work.doneBefore = Self.shareOfPieces
        return try work.write(cut, of: file, joined, to: target)
    }

    /// Makes a movie that gets no name, as a piece of another one.
    private func makeMovie(
        of piece: JoinPlanner.OtherPiece, createdAt date: Date?, at place: OutputPlace
    ) throws -> JoinPlanner.MadePiece {
        let prepared = try ExportPlanner(source: source, request: request).prepare()
        let ids = prepared.plan.tracks.map(\.trackID)
        switch prepared.engine {
        case .pieces: throw AVError(.exportFailed, reason: "a piece cannot be of pieces")
        case .cut(let cut, let file):
            let own = Dictionary(ids.map { ($0, UInt32(clamping: $0)) }, uniquingKeysWith: { first, _ in first })
            return JoinPlanner.MadePiece(movie: RandomAccessFile(cut, of: file), trackIDs: own)
        case .pipeline(var job, let graft):
            // Those that follow another one have to begin with what resets decoders.
            job.laterPiece = piece.follows ? piece.index : nil
            if let date { job.fileMetadata["creation_time"] = ISO8601Timestamp.text(of: date) }
            job.muxerOptions.merge(MuxedFile.muxerOptions(for: job.format)) { own, _ in own }
            // What it holds stays when it goes: its reader has it open.
            let target = try PendingFile(for: place, temporaryFolder: temporaryFolder(), limits: source.limits)
            let muxed = MuxedFile(target, format: job.format)
            let made = try run(job, into: muxed, duration: prepared.plan.requestedRange.duration)
            guard made.tracks.contains(where: { $0.packets > 0 }) else {
                throw AVError(.invalidSourceMedia, reason: "the source has nothing that could be exported")
            }
            try source.file?.checkUnchanged(whileMaking: place.path)
            let output = try MediaOutput(
                muxed, adding: graft, leads: job.leads(made), isOptimizedForNetwork: false
            ).finished(with: nil)
            var movie = RandomAccessFile(output.rewrite, of: output.file)
            // It begins with the frame that is on screen at the start, which may begin earlier.
            let lead = try request.timeRange.start + source.describe().origin - made.range.start
            if lead.isNumeric, lead > .zero {
                let range = CMTimeRange(start: lead, duration: prepared.plan.requestedRange.duration)
                let cut = try MovieTrim(file: movie).plan(range: range, keeping: nil, options: MovieTrimOptions())
                movie = RandomAccessFile(cut.rewrite(), of: movie)
            }
            // Muxers number tracks from 1 in the order in which they get them.
            let numbers = zip(ids, made.tracks).enumerated().filter { $0.element.1.packets > 0 }.map {
                ($0.element.0, UInt32($0.offset + 1))
            }
            return JoinPlanner.MadePiece(
                movie: movie, trackIDs: Dictionary(numbers, uniquingKeysWith: { first, _ in first }),
                warnings: made.warnings, losses: end(made))
        }
    }

    /// Encodes some segments of the pictures, for another process that makes the file.
    ///
    /// - Parameters:
    ///   - share: Which of so many segments.
    ///   - head: What the piece is a share of.
    func writePiece(share: (Int) -> Range<Int>, _ head: PieceHead, to place: OutputPlace) throws {
        try source.checkIsOwn()
        let prepared = try ExportPlanner(source: source, request: request).prepare()
        try monitor.cancellation.check()
        guard case .pipeline(let job, _) = prepared.engine, !job.analyzesPictures else {
            throw PipelinePlanner.refusalOfSegments("they are not encoded in one pass")
        }
        let pipeline = Pipeline(job, source: source)
        monitor.cancellation.onCancel { pipeline.cancel() }
        try pipeline.makePiece(share: share, into: try PieceWriter(head, at: place, limits: source.limits))
    }

    private func temporaryFolder() throws -> String? {
        guard let folder = request.temporaryDirectory else { return nil }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
            FileManager.default.isWritableFile(atPath: folder)
        else {
            throw FileWriteError(kind: .cannotCreate, path: folder, reason: "is no folder that can be written to")
        }
        return folder
    }

    // MARK: By the movie's tables

    private func write(
        _ cut: FileRewrite, of file: RandomAccessFile, _ prepared: PreparedExport, to target: PendingFile
    ) throws -> ExportResult {
        try source.checkIsOneFile()
        let output = MediaOutput(cut, of: file)
        var metadata = prepared.metadata
        let kept = output.metadata.chapterLists
        metadata.chapterLists =
            prepared.keepsChapters && !request.metadata.isForSharing && Self.arePlayable(kept, of: prepared)
            ? kept : chapters(of: prepared, in: prepared.plan.actualRange)
        let (finished, removed) = try shareable(try output.finished(with: metadata), prepared, readsSamples: true)
        let duration = prepared.plan.actualRange.duration
        let range = prepared.plan.actualRange
        var losses = prepared.plan.losses + finished.losses.map(ExportLoss.init)
        let total = finished.byteCount
        try checkLength(total, of: nil)
        try finished.write(to: target) { byteCount throws(FileWriteError) in
            try report(byteCount, of: total, duration: duration, path: target.path)
        } review: { file in
            losses = try audit(file, prepared, range: range, known: losses)
        }
        return ExportResult(
            requestedRange: prepared.plan.requestedRange, actualRange: range, tracks: prepared.plan.tracks,
            byteCount: finished.byteCount,
            losses: losses, warnings: prepared.plan.warnings, auditDepth: request.auditDepth,
            hidden: prepared.plan.hidden, removed: removed)
    }

    /// Whether chapters that were kept are all that the source has, in both forms that players read.
    private static func arePlayable(_ kept: [ChapterList], of prepared: PreparedExport) -> Bool {
        let forms = Set(kept.map(\.form))
        return prepared.chapters.lists.isEmpty
            || kept.count >= prepared.chapters.lists.count && forms.isSuperset(of: [.quickTimeTrack, .nero])
    }

    private func report(
        _ byteCount: UInt64, of total: UInt64, duration: CMTime, path: String
    ) throws(FileWriteError) {
        if monitor.cancellation.isCancelled { throw FileWriteError(kind: .cancelled, path: path, reason: "cancelled") }
        let fraction = Double(byteCount) / Double(max(1, total))
        monitor.report(
            fraction: doneBefore + (1 - doneBefore) * fraction,
            time: CMTimeMultiplyByFloat64(duration, multiplier: fraction), byteCount: byteCount)
    }

    // MARK: Through FFmpeg's libraries

    private func write(
        _ job: PipelineJob, adding graft: MovieGraft?, _ prepared: PreparedExport, to target: PendingFile
    ) throws -> ExportResult {
        var job = job
        let room = try frontRoom(prepared, job)
        job.muxerOptions.merge(MuxedFile.muxerOptions(for: job.format, room: room)) { own, _ in own }
        let muxed = MuxedFile(target, format: job.format, room: room)
        let made = try run(job, into: muxed, duration: prepared.plan.requestedRange.duration)
        guard made.tracks.contains(where: { $0.packets > 0 }) else {
            throw AVError(.invalidSourceMedia, reason: "the source has nothing that could be exported")
        }
        try source.file?.checkUnchanged(whileMaking: target.path)
        try source.checkIsOneFile()
        let actual = try actualRange(of: made, job, prepared)
        let output = try MediaOutput(
            muxed, adding: graft, leads: job.leads(made), shapes: job.shapes,
            isOptimizedForNetwork: request.optimizesForNetwork)
        var metadata = prepared.metadata
        // A packet that reaches beyond the end asked for must not bring the next chapter with it.
        let shown = CMTimeRange(start: actual.start, end: CMTimeMinimum(actual.end, prepared.plan.requestedRange.end))
        metadata.chapterLists = chapters(of: prepared, in: shown).map { $0.moved(by: made.places) }
        var (finished, removed) = try shareable(try output.finished(with: metadata), prepared, readsSamples: false)
        removed.note(contentsOf: made.removed)
        let hidden = request.fileType.movieBrand == nil ? [] : finished.hidden
        if request.metadata.isForSharing { try HiddenMaterial.refuse(hidden) }
        try checkLength(finished.byteCount, of: job)
        var losses = losses(prepared, job, made) + finished.losses.map(ExportLoss.init)
        try finished.write(to: target) { _ throws(FileWriteError) in
            guard !monitor.cancellation.isCancelled else {
                throw FileWriteError(kind: .cancelled, path: target.path, reason: "cancelled")
            }
        } review: { file in
            losses = try audit(file, prepared, range: actual, places: made.places, known: losses)
        }
        return ExportResult(
            requestedRange: prepared.plan.requestedRange, actualRange: actual, tracks: prepared.plan.tracks,
            byteCount: finished.byteCount,
            losses: losses, warnings: prepared.plan.warnings + made.warnings, auditDepth: request.auditDepth,
            hidden: hidden, removed: removed)
    }

    /// The plan's losses, with what only the work itself could count.
    private func losses(_ prepared: PreparedExport, _ job: PipelineJob, _ made: PipelineResult) -> [ExportLoss] {
        let type = request.fileType
        let expected =
            HiddenPictures.losses(job.tracks, job.tracks.map(\.unhiddenPictures), in: type)
            + UnheardSamples.losses(job.tracks, job.tracks.map(\.leadInSamples), in: type)
        let actual =
            HiddenPictures.losses(job.tracks, made.tracks.map(\.unhiddenPictures), in: type)
            + UnheardSamples.losses(job.tracks, made.tracks.map(\.leadInSamples), in: type)
        return prepared.plan.losses.filter { !expected.contains($0) } + actual + empty(job, made) + end(made)
            + styling(job, made)
    }

    /// What subtitles had beside their words that the new form has no place for.
    private func styling(_ job: PipelineJob, _ made: PipelineResult) -> [ExportLoss] {
        zip(job.tracks, made.tracks).filter { !$0.1.lostStyling.isEmpty }.map { track, result in
            let lost = result.lostStyling.map(\.rawValue).sorted().joined(separator: ", ")
            return ExportLoss(
                .media, "styling of \(track.name) (\(lost))",
                reason: "subtitles of \(request.fileType.name) files are written without", trackID: track.trackID,
                trait: .styling)
        }
    }

    /// What the source lacks at its end.
    private func end(_ made: PipelineResult) -> [ExportLoss] {
        made.earlyEnd.map { [ExportLoss(.media, "the end of the source", reason: $0, trait: .times)] } ?? []
    }

    /// Tracks that the source has no samples of, for a file that tells of tracks by their samples alone.
    private func empty(_ job: PipelineJob, _ made: PipelineResult) -> [ExportLoss] {
        zip(job.tracks, made.tracks).filter { $0.1.packets == 0 }.map { track, _ in
            var loss = ExportLoss(
                .track, track.name,
                reason:
                    "the source has no samples of it, by which alone \(request.fileType.name) files describe tracks",
                trackID: track.trackID)
            loss.isFeared = true
            return loss
        }
    }

    /// What the new file shows of the asset's timeline.
    func actualRange(
        of made: PipelineResult, _ job: PipelineJob, _ prepared: PreparedExport
    ) throws -> CMTimeRange {
        // What is shown of a composition is put together anew.
        if source.composition != nil {
            let asked = prepared.plan.requestedRange
            let isLonger = made.places.contains { $0.lead > .zero }
            return isLonger ? CMTimeRange(start: asked.start, duration: made.range.duration) : asked
        }
        // Without a range the whole asset is there, however its tracks end.
        guard job.range != nil || made.earlyEnd != nil || made.jumps > 0 else { return prepared.plan.requestedRange }
        let origin = try source.describe().origin
        return CMTimeRange(start: made.range.start - origin, duration: made.range.duration)
    }

    /// Bytes to keep free for the movie box.
    ///
    /// A small file is copied once more instead, in a moment, and has no free space that was not needed.
    private func frontRoom(_ prepared: PreparedExport, _ job: PipelineJob) throws -> UInt64 {
        let isSmall = prepared.plan.estimatedByteCount.map { $0 < Self.smallFile } ?? false
        guard request.optimizesForNetwork, !isSmall else { return 0 }
        let room = FrontRoom(prepared, job, of: try source.describe()).byteCount
        // A few bytes can claim a film of days. Tables of more bytes than all of the source's are none that will come.
        return room <= (source.file?.byteCount ?? 0) + Self.usualRoom ? room : 0
    }

    /// Room that is kept whatever the source's size.
    private static let usualRoom: UInt64 = 1 << 20

    private static let smallFile: Int64 = 32 << 20

    func run(_ job: PipelineJob, into sink: any MuxerSink, duration: CMTime) throws -> PipelineResult {
        let pipeline = Pipeline(job, source: source)
        monitor.cancellation.onCancel { pipeline.cancel() }
        let (passes, monitor) = (job.isTwoPass ? 2 : 1, monitor)
        return try pipeline.run(into: sink) { progress in
            let part = duration.seconds > 0 ? progress.time.seconds / duration.seconds : 0
            monitor.report(
                fraction: overall((Double(progress.pass - 1) + (part.isFinite ? part : 0)) / Double(passes)),
                time: progress.time, byteCount: progress.byteCount)
        }
    }

    // MARK: The finished file

    /// Reads the finished file again.
    ///
    /// - Parameter places: Where the pieces of a join have come to lie.
    /// - Returns: The known losses that are true, and what the file lacks beyond them.
    private func audit(
        _ file: PendingFile, _ prepared: PreparedExport, range: CMTimeRange, places: [JoinedPlace] = [],
        known: [ExportLoss]
    ) throws -> [ExportLoss] {
        guard request.auditDepth != .none else { return known }
        let made = AssetSource(
            MediaInput(try file.contents(limits: source.limits), named: file.path), policy: source.policy,
            prefersPreciseDuration: false)
        monitor.cancellation.onCancel { made.cancelReading() }
        let readsWhole = request.auditDepth == .full
        let output: MediaInventory
        do {
            output = try MediaInventory(made, readsWhole: readsWhole)
        } catch {
            try monitor.cancellation.check()
            throw AVError(
                .exportFailed, reason: "the finished file cannot be read again: \(error.localizedDescription)")
        }
        var inventory = try MediaInventory(source, readsWhole: readsWhole)
        inventory.move(by: places)
        inventory.chapterLists = prepared.markers.applied(to: inventory.chapterLists)
        inventory.metadata.entries = prepared.markers.applied(to: inventory.metadata.entries).entries
        let audit = ExportAudit(
            source: inventory, output: output, plan: prepared.plan,
            metadata: request.metadata, keepsChapters: request.preset.chapters == .keep,
            isSelective: request.trackSelection != ExportTrackSelection(), range: range, known: known)
        return try audit.losses() + seamFindings(audit, made, prepared, places)
    }

    /// What is wrong where the pieces of a join meet.
    private func seamFindings(
        _ audit: ExportAudit, _ made: AssetSource, _ prepared: PreparedExport, _ places: [JoinedPlace]
    ) throws -> [ExportLoss] {
        guard let composition = source.composition else { return [] }
        let seams = SeamAudit(
            output: made, decodesFrames: request.auditDepth == .full, cancellation: monitor.cancellation)
        let parts = composition.content.tracks
        return try TrackPairs(plan: prepared.plan, source: audit.source, output: audit.output).pairs.flatMap { pair in
            let (number, track) = (pair.source.description.trackID, pair.output.description)
            guard track.mediaType == .video, pair.planned.treatment == .passthrough,
                let part = parts.first(where: { $0.trackID == number })
            else { return [ExportLoss]() }
            return try seams.findings(
                SeamAudit.seams(of: part, in: prepared.plan.requestedRange, places: places), of: track, madeOf: number
            ).map { ExportAudit.unforeseen($0) }
        }
    }

    /// The finished file, without what is not to be shared if that was asked for, and what that was.
    private func shareable(
        _ finished: FinishedOutput, _ prepared: PreparedExport, readsSamples: Bool
    ) throws -> (FinishedOutput, [PrivateDetail]) {
        guard request.metadata.isForSharing else { return (finished, []) }
        let (scrubbed, details) = try finished.forSharing(readsSamples: readsSamples)
        var removed = prepared.plan.removed
        removed.note(contentsOf: details.filter { $0.kind == .message })
        return (scrubbed, removed)
    }

    private func chapters(of prepared: PreparedExport, in range: CMTimeRange) -> [ChapterList] {
        guard request.preset.chapters == .keep else { return [] }
        let lists = prepared.chapters.exported(
            range, from: prepared.sourceContainer, to: request.fileType.metadataContainer)
        return request.metadata.isForSharing ? lists.map(\.forSharing) : lists
    }
}

extension PipelineJob {
    /// How much earlier tracks of a movie are shown than their first sample, by the number that the muxer gives them.
    fileprivate func leads(_ made: PipelineResult) -> [UInt32: CMTime] {
        guard format.container.isMovie else { return [:] }
        return Dictionary(
            made.tracks.enumerated().compactMap { index, track in
                track.lead > .zero ? (UInt32(index + 1), track.lead) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    /// How pictures are to be seen, by the number that the muxer gives their track.
    fileprivate var shapes: [Int64: MatroskaPictureShape] {
        Dictionary(
            tracks.enumerated().compactMap { index, track in track.shape.map { (Int64(index + 1), $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension AVFileType {
    /// Whether it is a folder of files rather than one file.
    package var isFolder: Bool { self == .hls }
}

extension ExportWork {
    /// Makes a folder of segments with its playlist.
    func writeFolder(_ prepared: PreparedExport, at place: OutputPlace) throws -> ExportResult {
        guard case .pipeline(var job, _) = prepared.engine else {
            throw AVError(.operationNotSupportedForAsset, reason: "a stream cannot be made of this")
        }
        let folder = try PendingFolder(for: place, as: .stream)
        let stream = StreamingFolder(folder, limits: source.limits)
        let hasPictures = prepared.plan.tracks.contains { $0.mediaType == .video }
        job.muxerOptions.merge(StreamingFolder.muxerOptions(hasPictures: hasPictures)) { _, new in new }
        job.muxerOptions.merge(MuxedFile.muxerOptions(for: job.format)) { own, _ in own }
        let made = try run(job, into: stream, duration: prepared.plan.requestedRange.duration)
        guard made.tracks.contains(where: { $0.packets > 0 }) else {
            throw AVError(.invalidSourceMedia, reason: "the source has nothing that could be exported")
        }
        try source.file?.checkUnchanged(whileMaking: folder.path)
        let losses = try writeHeader(stream, prepared.metadata, job.format, in: folder)
        try stream.writePlaylist()
        try checkLength(stream.byteCount, of: job)
        try monitor.cancellation.check()
        try folder.complete()
        return ExportResult(
            requestedRange: prepared.plan.requestedRange, actualRange: try actualRange(of: made, job, prepared),
            tracks: prepared.plan.tracks, byteCount: stream.byteCount,
            losses: prepared.plan.losses + losses.map(ExportLoss.init),
            warnings: prepared.plan.warnings + made.warnings, auditDepth: .none)
    }

    /// Writes what all segments share, with the metadata.
    private func writeHeader(
        _ stream: StreamingFolder, _ metadata: FileMetadata, _ format: ContainerFormat, in folder: PendingFolder
    ) throws -> [MetadataLoss] {
        let pending = try folder.file(StreamingFolder.Name.header)
        let muxed = MuxedFile(pending, format: format)
        try stream.header.withUnsafeBytes { try muxed.write($0, at: 0) }
        let output = try MediaOutput(muxed, isOptimizedForNetwork: false)
        let finished = try output.finished(with: metadata)
        try finished.write(to: pending, isSynced: false)
        stream.count(finished.byteCount)
        return finished.losses
    }
}
