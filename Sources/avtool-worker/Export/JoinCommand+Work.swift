internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension JoinCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONExportDocument> {
        let entry = try ExportPresetCatalog.user.entry(preset)
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
            var request = ExportRequest(
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
