internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What exports of all films of a command have in common.
struct ExportSettings: Codable, Sendable {
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
