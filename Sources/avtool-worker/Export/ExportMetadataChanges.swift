internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What becomes of metadata in an export, ready for use.
struct ExportMetadataChanges: Codable, Sendable {
    let assignments: [Written<MetadataAssignment>]
    let removals: [Written<MetadataName>]
    /// The bytes of the cover.
    let artwork: [UInt8]?
    let isShareSafe: Bool
    let dropsAll: Bool

    func apply(to session: AVAssetExportSession) throws {
        if dropsAll { session.metadata = [] }
        if isShareSafe { session.metadataItemFilter = .forSharing() }
        for name in removals { session.setMetadata(MetadataAssignment(try name.get(), "")) }
        for assignment in assignments { session.setMetadata(try assignment.get()) }
        session.artwork = artwork.map { MediaItem.Artwork(data: $0) }
    }
}
