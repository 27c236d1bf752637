internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataDocument {
    /// A row for each value; those of tracks have the track's number.
    ///
    /// - Parameter hasHeading: Whether the names of the columns come first.
    func csv(hasHeading: Bool) -> String {
        var rows = hasHeading ? [["source", "track", "name", "language", "value"]] : []
        let name = source.withVisiblePathBytes
        // Here data are told by what they are, as in text.
        rows += PlainMetadata(metadata.entries).items.flatMap { cells(of: $0, name, track: "") }
        for id in Set(metadata.tracks.map(\.trackID) + metadata.labels.map(\.trackID)).sorted() {
            if let label = metadata.labels.first(where: { $0.trackID == id }) {
                let facts = [("name", label.name), ("language", label.languageTag), ("handler", label.handlerName)]
                rows += facts.compactMap { fact, value in value.map { [name, String(id), fact, "", $0] } }
            }
            let entries = metadata.tracks.filter { $0.trackID == id }.flatMap(\.entries).filter { !$0.isTrackName }
            rows += PlainMetadata(entries).items.flatMap { cells(of: $0, name, track: String(id)) }
        }
        return CSVText.rows(rows)
    }

    private func cells(of item: PlainMetadata.Item, _ name: String, track: String) -> [[String]] {
        item.values.map { [name, track, item.name, item.languageTag ?? "", $0] }
    }
}
