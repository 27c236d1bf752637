/// A changed list of entries, and what it could not take in.
package struct MetadataEdit: Hashable, Sendable {
    package var entries: [MetadataEntry]
    package var losses: [MetadataLoss]

    package init(entries: [MetadataEntry], losses: [MetadataLoss] = []) {
        (self.entries, self.losses) = (entries, losses)
    }
}

extension [MetadataEntry] {
    /// Replaces entries.
    ///
    /// - Parameter groups: Positions, and what is to stand at the first of them. New entries without a position follow
    ///   the last one of the same key, or all.
    mutating func replace(_ groups: [(indices: [Int], entries: [MetadataEntry])]) {
        let removed = Set(groups.flatMap(\.indices))
        var insertions: [Int: [MetadataEntry]] = [:]
        for group in groups where !group.indices.isEmpty {
            insertions[group.indices.min() ?? 0, default: []] += group.entries
        }
        var result: [MetadataEntry] = []
        for index in indices {
            if let new = insertions[index] { result += new }
            if !removed.contains(index) { result.append(self[index]) }
        }
        for group in groups where group.indices.isEmpty {
            guard let first = group.entries.first else { continue }
            let last = result.lastIndex { $0.keySpace == first.keySpace && $0.key == first.key }
            result.insert(contentsOf: group.entries, at: last.map { $0 + 1 } ?? result.endIndex)
        }
        self = result
    }
}

extension MetadataEdit {
    /// Entries with a picture as the cover, in place of the one that players show.
    ///
    /// Other pictures stay.
    package static func settingArtwork(
        _ artwork: MediaItem.Artwork, in entries: [MetadataEntry], of container: FileMetadata.Container
    ) -> MetadataEdit {
        var editor = MetadataEditor(entries, in: container)
        editor.setArtwork(
            MetadataPicture(data: artwork.data, mimeType: artwork.mimeType, type: PictureType.frontCover))
        return editor.edit
    }
}
