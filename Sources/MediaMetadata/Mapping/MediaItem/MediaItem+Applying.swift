internal import MediaCore

extension MediaItem {
    /// A file's entries with this item's fields.
    ///
    /// Only fields that differ from those of the entries are changed: set, or removed if they are `nil`. A change
    /// reaches all entries that hold the field, in every key space. New artwork takes the front cover's place and
    /// leaves other pictures alone; without artwork there are no pictures at all. Another genre removes the number
    /// that the iTunes Store has for the old one.
    package func applied(to entries: [MetadataEntry], in container: FileMetadata.Container) -> MetadataEdit {
        let old = MediaItem(entries: entries)
        var editor = MetadataEditor(entries, in: container)
        for (field, path) in Self.textFields where self[keyPath: path] != old[keyPath: path] {
            editor.set(.field(field), to: Self.values(self[keyPath: path]))
        }
        if genre != old.genre {
            editor.set(.field(.genre), to: Self.values(genre))
            editor.set(.field(.storeGenre), to: [])
        }
        if comments != old.comments {
            let oldMeaning = MediaItemReader(entries).comment?.meaning
            if let oldMeaning, oldMeaning != .field(.comment) { editor.set(oldMeaning, to: []) }
            editor.set(.field(.comment), to: Self.values(comments))
        }
        if year != old.year { editor.set(.field(.date), to: Self.values(year.map { $0.zeroPadded(to: 4) })) }
        if bpm != old.bpm { editor.set(.field(.bpm), to: Self.values(bpm.map(String.init))) }
        if trackNumber != old.trackNumber || trackCount != old.trackCount {
            editor.set(.field(.track), to: Self.values(NumberPair(number: trackNumber, total: trackCount)))
        }
        if discNumber != old.discNumber || discCount != old.discCount {
            editor.set(.field(.disc), to: Self.values(NumberPair(number: discNumber, total: discCount)))
        }
        if artwork != old.artwork {
            editor.setArtwork(
                artwork.map {
                    MetadataPicture(data: $0.data, mimeType: $0.mimeType, type: PictureType.frontCover)
                })
        }
        return editor.edit
    }

    private static let textFields: [(MetadataField, any KeyPath<MediaItem, String?> & Sendable)] = [
        (.title, \.name), (.artist, \.artist), (.albumArtist, \.albumArtist), (.album, \.album),
        (.grouping, \.grouping), (.composer, \.composer),
    ]

    private static func values(_ text: String?) -> [MetadataFieldValue] { text.map { [MetadataFieldValue($0)] } ?? [] }

    private static func values(_ pair: NumberPair) -> [MetadataFieldValue] {
        pair == NumberPair() ? [] : [MetadataFieldValue(pair.text)]
    }
}
