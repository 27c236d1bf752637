/// A meaning that many key spaces have a key for.
package struct MetadataField: RawRepresentable, Hashable, Sendable {
    /// The name for the command line: `album-artist`.
    package let rawValue: String

    /// A field of its name, which need not be one of the table's.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let title = MetadataField(rawValue: "title")
    package static let artist = MetadataField(rawValue: "artist")
    package static let albumArtist = MetadataField(rawValue: "album-artist")
    package static let album = MetadataField(rawValue: "album")
    package static let grouping = MetadataField(rawValue: "grouping")
    package static let composer = MetadataField(rawValue: "composer")
    package static let director = MetadataField(rawValue: "director")
    package static let producer = MetadataField(rawValue: "producer")
    package static let copyright = MetadataField(rawValue: "copyright")
    package static let comment = MetadataField(rawValue: "comment")
    package static let description = MetadataField(rawValue: "description")
    package static let keywords = MetadataField(rawValue: "keywords")
    package static let synopsis = MetadataField(rawValue: "synopsis")
    package static let lyrics = MetadataField(rawValue: "lyrics")
    package static let artwork = MetadataField(rawValue: "artwork")
    package static let genre = MetadataField(rawValue: "genre")
    package static let storeGenre = MetadataField(rawValue: "store-genre")
    package static let date = MetadataField(rawValue: "date")
    package static let creationDate = MetadataField(rawValue: "creation-date")
    package static let bpm = MetadataField(rawValue: "bpm")
    package static let track = MetadataField(rawValue: "track")
    package static let disc = MetadataField(rawValue: "disc")
    package static let language = MetadataField(rawValue: "language")
    package static let trackName = MetadataField(rawValue: "track-name")
    /// What a track's header calls the program part that plays it.
    package static let handler = MetadataField(rawValue: "handler")
    /// When the file was made, by its header.
    package static let headerDate = MetadataField(rawValue: "header-date")
    package static let location = MetadataField(rawValue: "location")
}

/// What an entry is about.
package enum MetadataMeaning: Hashable, Sendable {
    case field(MetadataField)
    /// A name that somebody made up: an ID3 `TXXX` description, a free-form iTunes name, a Vorbis field.
    case custom(String)
}

/// One row of the table of corresponding keys.
///
/// Each list of keys begins with the one that is written; the others are read too.
struct MetadataFieldRow: Sendable {
    /// How values are written.
    enum Kind: Sendable {
        case text
        case integer
        case flag
        /// A number, maybe with a total: `3/12`.
        case pair
        case date
        case genre
        case picture
        case location
        /// iTunes' `stik`: `movie`.
        case mediaType
        /// iTunes' `rtng`: `clean`.
        case advisory
    }

    let field: MetadataField
    let kind: Kind
    /// Names of Vorbis comments; also those of Matroska tags, ID3 `TXXX` frames and free-form iTunes metadata.
    let names: [String]
    /// Names for the total of a pair where it stands apart.
    let totals: [String]
    /// The name of ID3 `TXXX` frames and of free-form iTunes metadata.
    let label: String
    private let keys: [AVMetadataKeySpace: [String]]
    private let foreignKeys: [AVMetadataKeySpace: [String]]
    private let totalKeys: [AVMetadataKeySpace: [String]]
    /// Keys of audio file properties that are names instead of four characters.
    let info: [String]

    /// Makes a row.
    ///
    /// Lists are separated by commas. iTunes keys of integers end in `#` and the number of bytes; those after `<` are
    /// read, but written only where they are already. Keys of QuickTime metadata are without `com.apple.quicktime.`.
    init(
        _ name: String, _ names: String, _ kind: Kind = .text, totals: String = "", label: String? = nil,
        iTunes: String = "", iTunesTotal: String = "", mdta: String = "", udta: String = "", uiso: String = "",
        id3: String = "", matroska: String = "", matroskaTotal: String = "", riff: String = "", info: String = ""
    ) {
        func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
        self.field = MetadataField(rawValue: name)
        self.kind = kind
        self.names = list(names)
        self.totals = list(totals)
        self.label = label ?? list(names).first ?? name
        self.info = list(info).map { "info-" + $0 }
        let iTunesKeys = list(iTunes)
        self.foreignKeys = [.iTunes: iTunesKeys.filter { $0.hasPrefix("<") }.map { String($0.dropFirst()) }]
        self.keys = [
            .iTunes: iTunesKeys.filter { !$0.hasPrefix("<") },
            .quickTimeMetadata: list(mdta).map { MetadataKey.quickTimePrefix + $0 },
            .quickTimeUserData: list(udta), .isoUserData: list(uiso), .id3: list(id3),
            .vorbisComment: list(names), .matroska: list(matroska.isEmpty ? names : matroska),
            .audioFile: list(riff),
        ]
        self.totalKeys = [
            .iTunes: list(iTunesTotal), .vorbisComment: list(totals),
            .matroska: list(matroskaTotal.isEmpty ? totals : matroskaTotal),
        ]
    }

    /// The keys of a key space, as the table spells them.
    func keys(in keySpace: AVMetadataKeySpace) -> [String] { keys[keySpace] ?? [] }

    /// The keys of a key space that are read only.
    func foreignKeys(in keySpace: AVMetadataKeySpace) -> [String] { foreignKeys[keySpace] ?? [] }

    /// The keys of a key space that hold the total alone.
    func totalKeys(in keySpace: AVMetadataKeySpace) -> [String] { totalKeys[keySpace] ?? [] }
}
