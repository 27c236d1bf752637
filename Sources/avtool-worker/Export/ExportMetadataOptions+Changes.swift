internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ExportMetadataOptions {
    /// The changes, with their pictures read.
    func changes(_ limits: MediaLimits) async throws -> ExportMetadataChanges {
        var picture: MediaItem.Artwork?
        if let artwork { picture = try await MediaItem.Artwork(picture: artwork, limits: limits) }
        return ExportMetadataChanges(
            assignments: assignments, removals: remove, artwork: picture?.data, isShareSafe: shareSafe,
            dropsAll: noMetadata)
    }
}
