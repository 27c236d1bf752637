internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ExportCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONExportDocument> {
        let entry = try ExportPresetCatalog.user.entry(choice.preset)
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
            if verbose, work.index == 0 { Console.tellIsolation() }
            return try await ExportRequest(
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
