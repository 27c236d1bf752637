extension FileMetadata {
    /// Fails if the file has no such track, or its format holds nothing about single tracks.
    package func checkTrack(_ track: Int64) throws(MetadataError) {
        let numbers = Set(labels.map(\.trackID) + tracks.map(\.trackID)).sorted()
        if numbers.contains(track) { return }
        guard !numbers.isEmpty else {
            throw MetadataError(.unsupported, "this kind of file holds no metadata of single tracks")
        }
        throw MetadataError(
            .unsupported, "there is no track \(track): there are " + numbers.map(String.init).joined(separator: ", "))
    }
}

extension TrackLabel {
    /// What a name stands for in a track's headers; `nil` if it is another thing, or not said.
    package func values(of name: MetadataName) -> String? {
        switch name {
        case .field(.title), .field(.trackName): self.name
        case .field(.language): languageTag
        case .field(.handler): handlerName
        default: nil
        }
    }
}
