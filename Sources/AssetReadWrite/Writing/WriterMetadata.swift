internal import Foundation
package import MediaAsset
package import MediaEngine
internal import MediaMetadata
internal import MetadataFormats

/// What a new file of samples says of itself, in the words of its kind, and what it cannot say.
struct WriterMetadata {
    /// What a track says of itself.
    struct Track: Sendable {
        let entries: [MetadataEntry]
        /// BCP 47; `nil` for none.
        let languageTag: String?

        init(of input: AVAssetWriterInput) {
            entries = input.metadata.compactMap(\.entry)
            // QuickTime's own codes lack most languages.
            languageTag =
                input.extendedLanguageTag
                ?? input.languageCode.flatMap { Locale.Language(identifier: $0).languageCode?.identifier(.alpha2) }
        }
    }

    /// `nil` if there is nothing to say.
    let metadata: FileMetadata?
    /// A line each.
    let losses: [String]

    /// - Parameters:
    ///   - entries: The file's items, in any key space.
    ///   - tracks: What its tracks say, in their order.
    init(_ entries: [MetadataEntry], tracks: [Track], in fileType: AVFileType) throws {
        var asked = ExportMetadata()
        asked.replacement = entries
        let container = fileType.metadataContainer
        var (result, losses) = try asked.applied(
            to: FileMetadata(container: container), for: fileType, trackIDs: [:])
        for (index, track) in tracks.enumerated() {
            let trackID = Int64(index + 1)
            if let tag = track.languageTag { result.labels.append(TrackLabel(trackID: trackID, languageTag: tag)) }
            guard !track.entries.isEmpty else { continue }
            let edit = MetadataConversion.convert(track.entries, to: container)
            result.tracks.append(.init(trackID: trackID, entries: edit.entries))
            losses += edit.losses.map(ExportLoss.init)
        }
        let isEmpty = result.entries.isEmpty && result.tracks.isEmpty && result.labels.isEmpty
        metadata = isEmpty ? nil : result
        self.losses = losses.map { "\($0.item): \($0.reason)" }
    }
}
