/// A changed list of entries, and what it could not take in.
package struct MetadataEdit: Hashable, Sendable {
    package var entries: [MetadataEntry]
    package var losses: [MetadataLoss]

    package init(entries: [MetadataEntry], losses: [MetadataLoss] = []) {
        (self.entries, self.losses) = (entries, losses)
    }
}

extension FileMetadata.Container {
    /// The key spaces that files hold.
    package var keySpaces: [AVMetadataKeySpace] {
        switch self {
        case .isoBaseMedia, .quickTime:
            [.iTunes, .iTunesFreeForm, .quickTimeMetadata, .quickTimeUserData, .isoUserData]
        case .id3: [.id3]
        case .flac, .ogg: [.vorbisComment]
        case .matroska: [.matroska]
        case .riff, .aiff: [.audioFile, .id3]
        case .other: []
        }
    }

    /// The key spaces for new entries, the usual one first.
    ///
    /// It is iTunes' in MP4 files. QuickTime movies have QuickTime metadata, unless the file has only iTunes metadata
    /// or only user data. WAV, AVI and AIFF files have an ID3 tag if there is one already.
    ///
    /// - Parameter entries: Those of the file.
    func homes(for entries: [MetadataEntry]) -> [AVMetadataKeySpace] {
        let present = Set(entries.map(\.keySpace.folded))
        switch self {
        case .isoBaseMedia: return [.iTunes, .quickTimeMetadata, .quickTimeUserData, .isoUserData]
        case .quickTime:
            let first = [.quickTimeMetadata, .iTunes, .quickTimeUserData].first(where: present.contains)
            let usual: [AVMetadataKeySpace] = [.quickTimeMetadata, .iTunes, .quickTimeUserData, .isoUserData]
            return [first ?? .quickTimeMetadata] + usual.filter { $0 != first ?? .quickTimeMetadata }
        case .riff, .aiff: return present.contains(.id3) ? [.id3, .audioFile] : [.audioFile]
        case .id3, .flac, .ogg, .matroska, .other: return keySpaces
        }
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
