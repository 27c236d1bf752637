extension MediaItem {
    /// Reads the fields from entries of any key spaces.
    ///
    /// Where several key spaces hold a field, it is taken from the first that does of: common, iTunes, QuickTime
    /// metadata, ID3, user data, Vorbis comments, Matroska, audio file properties. What players show in its place stands
    /// in for a field that there is not: a producer for the artist, as films have one.
    package init(entries: [MetadataEntry]) {
        let reader = MediaItemReader(entries)
        name = reader.text(.title)
        artist = reader.joinedText(.artist) ?? reader.joinedText(.producer)
        albumArtist = reader.joinedText(.albumArtist)
        album = reader.text(.album)
        grouping = reader.text(.grouping) ?? reader.text(.keywords)
        composer = reader.joinedText(.composer) ?? reader.joinedText(.director)
        comments = reader.comment?.text ?? reader.text(.synopsis) ?? reader.text(.description)
        artwork = reader.cover.map { Artwork(data: $0.data, mimeType: $0.mimeType) }
        genre = reader.joinedText(.genre) ?? reader.storeGenre
        year = (reader.text(.date) ?? reader.text(.creationDate)).flatMap(DateText.year(in:))
        bpm = reader.beatsPerMinute
        let track = reader.text(.track).flatMap(NumberPair.init)
        (trackNumber, trackCount) = (track?.number, track?.total)
        let disc = reader.text(.disc).flatMap(NumberPair.init)
        (discNumber, discCount) = (disc?.number, disc?.total)
    }
}

extension [MetadataEntry] {
    /// The words that are sung or spoken.
    package var lyrics: String? { MediaItemReader(self).text(.lyrics) }
}

/// Finds the values of fields in entries.
struct MediaItemReader {
    private let statements: EntriesByMeaning

    init(_ entries: [MetadataEntry]) { statements = EntriesByMeaning(entries) }

    private func texts(_ meaning: MetadataMeaning) -> [MetadataFieldValue] {
        for statement in statements.statements(of: meaning) {
            let values = statement.values.filter { $0.text?.isEmpty == false }
            if !values.isEmpty { return values }
        }
        return []
    }

    func text(_ field: MetadataField) -> String? { texts(.field(field)).first?.text }

    /// All values in the first one's language.
    func joinedText(_ field: MetadataField) -> String? {
        let values = texts(.field(field))
        let texts = values.filter { $0.languageTag == values.first?.languageTag }.compactMap(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// A comment and what it is called: one with a description counts only if there is none without.
    var comment: (text: String, meaning: MetadataMeaning)? {
        if let text = text(.comment) { return (text, .field(.comment)) }
        let described = statements.all.first { statement in
            if case .custom(let name) = statement.meaning, name.hasPrefix(EntryMeaning.commentPrefix) {
                statement.values.first?.text?.isEmpty == false
            } else {
                false
            }
        }
        guard let described, let text = described.values.first?.text else { return nil }
        return (text, described.meaning)
    }

    /// Rounded; zero says that it is not known.
    var beatsPerMinute: Int? {
        let number = text(.bpm).flatMap { FieldWriter.number($0, .integer) }?.0 ?? 0
        return number > 0 ? Int(clamping: number) : nil
    }

    var storeGenre: String? { text(.storeGenre).flatMap { Int($0) }.flatMap(StoreGenres.name(of:)) }

    /// The picture that players show.
    var cover: MetadataPicture? {
        for statement in statements.statements(of: .field(.artwork)) {
            let pictures = statement.values.compactMap(\.picture).filter { !$0.data.isEmpty }
            let best = pictures.map(\.coverRank).max()
            if let picture = pictures.first(where: { $0.coverRank == best }) { return picture }
        }
        return nil
    }
}
