internal import MediaCore

/// What media players show of a file, whatever its format calls it; `nil` where the file does not say.
///
/// Beyond AVFoundation.
public struct MediaItem: Hashable, Sendable {
    /// A picture.
    public struct Artwork: Hashable, Sendable {
        /// The bytes of an image file.
        public var data: [UInt8]
        /// What kind of image file, as a media type: `image/jpeg`.
        public var mimeType: String

        /// Makes artwork of an image file.
        ///
        /// - Parameter mimeType: What kind of image file, `nil` to find it out by the first bytes.
        public init(data: [UInt8], mimeType: String? = nil) {
            self.data = data
            self.mimeType = MetadataPicture(data: data, mimeType: mimeType).mimeType
        }
    }

    /// The title.
    public var name: String?
    /// Who performs; several artists have `; ` between them.
    ///
    /// Without one the producer.
    public var artist: String?
    /// The artist of the whole album.
    public var albumArtist: String?
    /// The album's title.
    public var album: String?
    /// What groups the item with others.
    ///
    /// Without that the keywords.
    public var grouping: String?
    /// Who composed the music; several composers have `; ` between them.
    ///
    /// Without one the director.
    public var composer: String?
    /// A comment.
    ///
    /// Without one the long description, or the short one.
    public var comments: String?
    /// The front cover, or the first picture if none is said to be that.
    public var artwork: Artwork?
    /// The genre by its name; several genres have `; ` between them.
    public var genre: String?
    /// The year of release, in the Gregorian calendar.
    ///
    /// Without one that of creation.
    public var year: Int?
    /// Beats per minute.
    public var bpm: Int?
    /// Which track of the disc, counted from 1.
    public var trackNumber: Int?
    /// How many tracks the disc has.
    public var trackCount: Int?
    /// Which disc of the album, counted from 1.
    public var discNumber: Int?
    /// How many discs the album has.
    public var discCount: Int?

    /// Makes an item without any fields.
    public init() {}
}

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
