internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film that a new file is to be made of.
struct ExportRequest: FileRequest {
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
                : [result.line(file: place.path)] + result.hidden.map { "  \($0.line)" }
                    + result.removed.map { "  left out: \($0.line)" },
            warnings: lines(of: result.losses) + result.warnings)
    }

    private func lines(of losses: [ExportLoss]) -> [String] {
        tellsReasons ? losses.map(\.line) : LossSummary.lines(of: losses)
    }
}
