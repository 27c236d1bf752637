internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film that a new file is to be made of.
struct ExportFileRequest: FileRequest {
    let source: MediaSource
    /// What follows the film in the new one.
    var joined: [MediaSource] = []
    let targets: ExportTargets
    let settings: ExportSettings
    let replaces: Bool
    /// Whether only the plan is wanted.
    let isRehearsal: Bool
    /// Whether the plan and the progress are told for programs.
    let wantsEvents: Bool
    /// Whether of each loss it is told why.
    let tellsReasons: Bool
    /// The share of the work that is wanted; `nil` for all of it.
    let piece: PieceWork?

    func run(in work: Work<JSONExportDocument>) async throws -> FileReport<JSONExportDocument> {
        let asset = try source.asset()
        let target = try await targets.target(for: source.file, asset: asset)
        if settings.checksPreset {
            try settings.preset.checkEncoders(for: [target.fileType], path: settings.presetPath)
        }
        let sessions = try await settings.sessions(for: asset, joining: joined.map { try $0.asset() })
        guard sessions.count == 1 else { return try await run(sessions, for: target, in: work) }
        let session = sessions[0]
        if let piece, let path = piece.made, !isRehearsal {
            if wantsEvents { try tell(try await session.plan(for: target.fileType), target.path, work) }
            return try await made(piece, at: path, by: session, as: target.fileType, work)
        }
        session.pieces = try piece?.set(.packets, of: source.file, limits: source.limits)
        return try await run(session, for: target, in: work)
    }

    private func run(
        _ session: AVAssetExportSession, for target: ExportTargets.Target, in work: Work<JSONExportDocument>
    ) async throws -> FileReport<JSONExportDocument> {
        let place = try place(for: target, in: work.files)
        session.replacesExistingFile = replaces
        if wantsEvents || isRehearsal { try tell(try await session.plan(for: target.fileType), place.path, work) }
        guard !isRehearsal else { return FileReport() }
        try await export(session, to: place, as: target.fileType, work)
        return session.result.map { report($0, place) } ?? FileReport()
    }

    /// Makes a file of each part.
    private func run(
        _ sessions: [AVAssetExportSession], for target: ExportTargets.Target, in work: Work<JSONExportDocument>
    ) async throws -> FileReport<JSONExportDocument> {
        guard target.path != "-" else { throw Failure(.usage, "-o - takes a single result, not \(sessions.count)") }
        for (index, session) in sessions.enumerated() {
            let part = target.numbered(index + 1, of: sessions.count)
            try work.report(try await run(session, for: part, in: work))
        }
        return FileReport()
    }

    /// Encodes a share of the pictures.
    private func made(
        _ piece: PieceWork, at path: String, by session: AVAssetExportSession, as fileType: AVFileType,
        _ work: Work<JSONExportDocument>
    ) async throws -> FileReport<JSONExportDocument> {
        let place = try work.files.output(ResultPlace(path: path, replaces: true, makesFolder: true))
        try await session.exportPiece(
            piece.piece.range, try piece.head(.packets, of: source.file), to: place, as: fileType)
        return FileReport(document: .piece(piece.json(of: source.file)), lines: [piece.line])
    }

    private func place(for target: ExportTargets.Target, in files: RunFiles) throws -> OutputPlace {
        let isFolder = target.fileType.isFolder
        if isFolder, !replaces, FileManager.default.fileExists(atPath: target.path) {
            throw Failure(.outputExists, "\(target.path): it exists already; --force replaces it")
        }
        let place = ResultPlace(
            path: target.path, replaces: replaces, makesFolder: targets.naming.makesFolder && !isRehearsal)
        return try isFolder ? files.folder(place) : files.output(place)
    }

    private func export(
        _ session: AVAssetExportSession, to place: OutputPlace, as fileType: AVFileType,
        _ work: Work<JSONExportDocument>
    ) async throws {
        let gate = ProgressGate()
        let progress = Task {
            for await state in session.states(updateInterval: 0.1) {
                guard case .exporting = state, let progress = session.detailedProgress else { continue }
                if wantsEvents {
                    try gate.pass {
                        try work.report(
                            FileReport(document: .progress(JSONExportProgress(progress, source: source.file))))
                    }
                }
                work.progress(progress.fraction, progress.details)
            }
        }
        defer {
            progress.cancel()
            gate.close()
        }
        try await session.export(to: place, as: fileType)
    }

    // MARK: Telling

    private func tell(_ plan: ExportPlan, _ path: String, _ work: Work<JSONExportDocument>) throws {
        try work.report(
            FileReport(
                document: .plan(JSONExportPlan(plan, source: source.file, file: path)),
                lines: plan.lines(file: path) + plan.removed.map { "  left out: \($0.line)" },
                warnings: wantsEvents ? [] : lines(of: plan.losses) + plan.warnings))
    }

    private func report(_ result: ExportResult, _ place: OutputPlace) -> FileReport<JSONExportDocument> {
        FileReport(
            document: .completed(JSONExportResult(result, source: source.file, file: place.path)),
            lines: place.path == "-"
                ? []
                : [result.line(file: place.path)] + result.changedTracks.map { "  \($0.line)" }
                    + result.hidden.map { "  \($0.line)" }
                    + result.removed.map { "  left out: \($0.line)" },
            // What a loss says need not be said twice.
            warnings: lines(of: result.losses)
                + result.warnings.filter { warning in !result.losses.contains { $0.reason == warning } })
    }

    private func lines(of losses: [ExportLoss]) -> [String] {
        tellsReasons ? losses.map(\.line) : LossSummary.lines(of: losses)
    }
}

extension ExportCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONExportDocument> {
        let entry = try ExportPresetCatalog.user(WorkerFiles.access).entry(choice.preset)
        let preset = try changes.applied(to: entry.preset)
        let targets = try ExportTargets(destination.output, preset: preset, fileCount: fileCount)
        let metadata = try await metadata.changes(source.bounds.limits)
        let settings = ExportSettings(
            preset: preset, presetPath: entry.path,
            // Those that come with the tool are known to be possible.
            checksPreset: entry.path != nil || changes.isGiven, cut: try ExportCut(choice), isExact: choice.exact,
            trackIDs: tracks.tracks?.numbers, dropsAudio: tracks.noAudio, dropsSubtitles: tracks.noSubtitles,
            metadata: metadata, fileLengthLimit: fileLengthLimit?.value, isMultiPass: multiPass,
            isForNetwork: optimizeForNetwork, allowsDamage: damage.allowDamaged, audit: audit,
            temporaryFolder: temporaryDirectory,
            effects: try await ExportEffectChanges(effects, source.bounds.limits), segmentLength: segments.segmentLength
        )
        return { file, work in
            if verbose, work.index == 0 { WorkerConsole.tellIsolation() }
            return try await ExportFileRequest(
                source: source.source(file), targets: targets, settings: settings, replaces: destination.force,
                isRehearsal: rehearsal.dryRun, wantsEvents: json, tellsReasons: verbose, piece: PieceWork(self)
            ).run(in: work)
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONExportFailure(
            event: failure.code == .interrupted ? "cancelled" : "failed", source: file, error: JSONError(failure))
    }
}

extension JoinCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONExportDocument> {
        let entry = try ExportPresetCatalog.user(WorkerFiles.access).entry(preset)
        let preset = try changes.applied(to: entry.preset)
        let targets = try ExportTargets(destination.output, preset: preset, fileCount: 1)
        let settings = ExportSettings(
            preset: preset, presetPath: entry.path, checksPreset: entry.path != nil || changes.isGiven,
            cut: ExportCut(),
            isExact: false, trackIDs: tracks.tracks?.numbers, dropsAudio: tracks.noAudio,
            dropsSubtitles: tracks.noSubtitles, metadata: try await metadata.changes(bounds.limits),
            fileLengthLimit: nil, isMultiPass: false, isForNetwork: true, allowsDamage: damage.allowDamaged,
            audit: .index, temporaryFolder: temporaryDirectory,
            effects: try await ExportEffectChanges(effects, bounds.limits), segmentLength: nil)
        let others = joined.dropFirst().map { MediaSource(file: $0, limits: bounds.limits) }
        return { file, work in
            var request = ExportFileRequest(
                source: MediaSource(file: file, limits: bounds.limits), targets: targets, settings: settings,
                replaces: destination.force, isRehearsal: rehearsal.dryRun, wantsEvents: json, tellsReasons: false,
                piece: nil)
            request.joined = others
            return try await request.run(in: work)
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONExportFailure(
            event: failure.code == .interrupted ? "cancelled" : "failed", source: file, error: JSONError(failure))
    }
}

/// Where exports go, and what kinds of files they make.
struct ExportTargets: Sendable {
    /// Where one export goes.
    struct Target {
        /// The file's path; `-` for standard output.
        let path: String
        let fileType: AVFileType

        /// The same for one of several parts: `movie-2.mp4`.
        func numbered(_ number: Int, of count: Int) -> Target {
            let digits = String(count).count
            let text = String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
            let name = path as NSString
            let filenameExtension = name.pathExtension.isEmpty ? "" : ".\(name.pathExtension)"
            return Target(path: "\(name.deletingPathExtension)-\(text)\(filenameExtension)", fileType: fileType)
        }
    }

    let naming: ResultNaming
    private let preset: ExportPreset

    /// Makes targets of what `-o` says.
    ///
    /// - Throws: A failure if several files would get one name.
    init(_ output: String?, preset: ExportPreset, fileCount: Int) throws {
        let makesFolder = preset.fileTypes.first?.isFolder == true
        naming = try ResultNaming(
            output, default: "{name}-\(preset.name)" + (makesFolder ? "" : ".{ext}"), count: fileCount,
            // A stream that is there is the one to replace, not a place for another.
            isResult: { makesFolder && FileManager.default.fileExists(atPath: "\($0)/index.m3u8") })
        self.preset = preset
        try naming.checkNamesDiffer(ofFiles: fileCount)
    }

    /// Where the export of a file goes.
    func target(for file: String, asset: AVURLAsset) async throws -> Target {
        if preset.fileTypes.first?.isFolder == true {
            guard !naming.isStandardOutput, naming.filenameExtension != "m3u8" else {
                throw Failure(.usage, "the preset \(preset.name) makes a folder; -o takes the folder's name")
            }
            return Target(path: naming.path(source: file, filenameExtension: ""), fileType: .hls)
        }
        let path = naming.path(source: file, filenameExtension: "")
        let isOpen = naming.isStream && AVFileType(filenameExtension: path.pathExtension) == nil
        guard naming.isStandardOutput || naming.leavesExtensionOpen || isOpen else {
            return Target(path: path, fileType: try fileType(ofPath: path))
        }
        let fileType = try await usualFileType(for: asset)
        return Target(
            path: naming.path(source: file, filenameExtension: Self.filenameExtension(for: file, fileType)),
            fileType: fileType)
    }

    private func fileType(ofPath path: String) throws -> AVFileType {
        let pathExtension = path.pathExtension
        guard !pathExtension.isEmpty else {
            throw Failure(.usage, "\(path): the name needs an extension that tells the kind of file")
        }
        guard let fileType = AVFileType(filenameExtension: pathExtension) else {
            throw Failure(.usage, "\(path): .\(pathExtension) is no kind of file that can be made")
        }
        guard preset.fileTypes.contains(fileType) else {
            throw Failure(
                .usage, "\(path): the preset \(preset.name) makes \(preset.fileTypeNames), not .\(pathExtension)")
        }
        return fileType
    }

    private func usualFileType(for asset: AVURLAsset) async throws -> AVFileType {
        let description = try await asset.loadDescription()
        guard let fileType = preset.usualFileType(for: description, filenameExtension: asset.url.pathExtension) else {
            throw Failure(.noFileType, "no kind of file that can be made fits; name one with -o and an extension")
        }
        return fileType
    }

    /// The end of the new name: the source's own, if that is one of the kind of file.
    private static func filenameExtension(for file: String, _ fileType: AVFileType) -> String {
        let own = (file as NSString).pathExtension.lowercased()
        return fileType.filenameExtensions.contains(own) ? own : fileType.preferredFilenameExtension
    }
}

extension String {
    fileprivate var pathExtension: String { (self as NSString).pathExtension }
}

/// What exports of all films of a command have in common.
struct ExportSettings: Sendable {
    let preset: ExportPreset
    /// The document that the preset was read from, if it is one of the user's own.
    let presetPath: String?
    /// Whether it is to be found out first if the preset's encoders can do what it says.
    let checksPreset: Bool
    /// Which parts of the film are kept.
    let cut: ExportCut
    /// Whether a range that cannot be kept just so is a failure.
    let isExact: Bool
    /// The tracks that are taken; all if `nil`.
    let trackIDs: [Int32]?
    let dropsAudio: Bool
    let dropsSubtitles: Bool
    let metadata: ExportMetadataChanges
    /// The bytes that the file may have.
    let fileLengthLimit: Int64?
    let isMultiPass: Bool
    let isForNetwork: Bool
    let allowsDamage: Bool
    let audit: ExportAuditDepth
    let temporaryFolder: String?
    let effects: ExportEffectChanges
    /// How long segments of pictures are at least; `nil` for segments where they are of use.
    let segmentLength: Written<Length>?

    /// The exports of a film: one, or one for each part that becomes a file.
    ///
    /// - Parameter others: What follows the film in the new one.
    func sessions(for asset: AVURLAsset, joining others: [AVURLAsset] = []) async throws -> [AVAssetExportSession] {
        guard !others.isEmpty || cut.isEdit || effects.speed != nil else {
            let session = try session(for: asset)
            if let range = try await cut.ranges(of: asset).first { session.timeRange = range }
            return [session]
        }
        let ranges = try await cut.ranges(of: asset)
        guard !cut.isSplit else {
            var sessions: [AVAssetExportSession] = []
            for range in ranges {
                guard effects.speed != nil else {
                    sessions.append(try session(for: asset))
                    sessions[sessions.count - 1].timeRange = range
                    continue
                }
                sessions.append(try await session(joining: [.init(asset, in: range)]))
            }
            return sessions
        }
        let pieces =
            (ranges.isEmpty ? [AVMutableComposition.Piece(asset)] : ranges.map { .init(asset, in: $0) })
            + others.map { .init($0) }
        return [try await session(joining: pieces)]
    }

    private func session(joining pieces: [AVMutableComposition.Piece]) async throws -> AVAssetExportSession {
        let composition = try await AVMutableComposition(joining: pieces)
        if let speed = effects.speed { composition.change(speed: speed) }
        return try session(for: composition)
    }

    private func session(for asset: AVAsset) throws -> AVAssetExportSession {
        let session = AVAssetExportSession(asset: asset, preset: preset)
        session.shouldOptimizeForNetworkUse = isForNetwork
        session.canPerformMultiplePassesOverSourceMediaData = isMultiPass
        session.allowsDamagedMedia = allowsDamage
        session.requiresExactTimeRange = isExact
        session.trackSelection = trackSelection
        session.pictureSegmentLength = try segmentLength?.time()
        session.auditDepth = audit
        session.fileLengthLimit = fileLengthLimit ?? 0
        session.directoryForTemporaryFiles = temporaryFolder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        session.effects = try effects.effects()
        try metadata.apply(to: session)
        return session
    }

    private var trackSelection: ExportTrackSelection {
        var selection = ExportTrackSelection()
        selection.trackIDs = trackIDs.map { Set($0) }
        if dropsAudio { selection.excludedMediaTypes.insert(.audio) }
        if dropsSubtitles { selection.excludedMediaTypes.formUnion(ExportTrackSelection.subtitleMediaTypes) }
        return selection
    }
}
