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
    let range: Written<TimeRangeExpression>?
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
    /// How long segments of pictures are at least; `nil` for segments where they are of use.
    let segmentLength: Written<Length>?

    /// An export of a film.
    func session(for asset: AVURLAsset) async throws -> AVAssetExportSession {
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
        if let range { session.timeRange = try await asset.loadTimeRange(of: range.get()) }
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
