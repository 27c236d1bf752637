/// A meaning that many key spaces have a key for.
package struct MetadataField: RawRepresentable, Hashable, Sendable {
    /// The name for the command line: `album-artist`.
    package let rawValue: String

    /// A field of its name, which need not be one of the table's.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let title = MetadataField(rawValue: "title")
    package static let artist = MetadataField(rawValue: "artist")
    static let albumArtist = MetadataField(rawValue: "album-artist")
    static let album = MetadataField(rawValue: "album")
    static let grouping = MetadataField(rawValue: "grouping")
    static let composer = MetadataField(rawValue: "composer")
    static let director = MetadataField(rawValue: "director")
    static let producer = MetadataField(rawValue: "producer")
    package static let copyright = MetadataField(rawValue: "copyright")
    package static let comment = MetadataField(rawValue: "comment")
    static let description = MetadataField(rawValue: "description")
    static let keywords = MetadataField(rawValue: "keywords")
    static let synopsis = MetadataField(rawValue: "synopsis")
    package static let lyrics = MetadataField(rawValue: "lyrics")
    static let artwork = MetadataField(rawValue: "artwork")
    static let genre = MetadataField(rawValue: "genre")
    static let storeGenre = MetadataField(rawValue: "store-genre")
    static let date = MetadataField(rawValue: "date")
    static let creationDate = MetadataField(rawValue: "creation-date")
    static let bpm = MetadataField(rawValue: "bpm")
    static let track = MetadataField(rawValue: "track")
    static let disc = MetadataField(rawValue: "disc")
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

extension MetadataFieldTable {
    /// What a key stands for.
    struct KeyMeaning: Sendable {
        /// The row's number.
        var row: Int
        /// Whether the key holds the total of a pair alone.
        var isTotal: Bool
    }

    private static let rowNumbers: [MetadataField: Int] = Dictionary(
        rows.enumerated().map { ($1.field, $0) }, uniquingKeysWith: { first, _ in first })

    /// The row of a field, `nil` if it is not in the table.
    static func row(_ field: MetadataField) -> MetadataFieldRow? { rowNumbers[field].map { rows[$0] } }

    /// A name without what spellings differ in: capitals, spaces, hyphens, underscores.
    static func canonical(_ name: String) -> String {
        let separators = Array(" _-".utf8)
        return String(decoding: name.uppercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    private static let nativeKeys: [AVMetadataKeySpace: [String: KeyMeaning]] = {
        var index: [AVMetadataKeySpace: [String: KeyMeaning]] = [:]
        let keySpaces: [AVMetadataKeySpace] = [
            .iTunes, .quickTimeMetadata, .quickTimeUserData, .isoUserData, .id3, .audioFile,
        ]
        for keySpace in keySpaces {
            var keys: [String: KeyMeaning] = [:]
            func add(_ key: String, _ meaning: KeyMeaning) { if keys[key] == nil { keys[key] = meaning } }
            for (number, row) in rows.enumerated() {
                let all = row.keys(in: keySpace) + row.foreignKeys(in: keySpace)
                for key in all { add(name(ofKey: key), KeyMeaning(row: number, isTotal: false)) }
                for key in row.totalKeys(in: keySpace) { add(name(ofKey: key), KeyMeaning(row: number, isTotal: true)) }
                if keySpace == .audioFile {
                    for key in row.info { add(key, KeyMeaning(row: number, isTotal: false)) }
                }
            }
            index[keySpace] = keys
        }
        return index
    }()

    private static let freeNames: [String: KeyMeaning] = {
        var names: [String: KeyMeaning] = [:]
        func add(_ name: String, _ meaning: KeyMeaning) {
            if names[canonical(name)] == nil { names[canonical(name)] = meaning }
        }
        for (number, row) in rows.enumerated() {
            for name in row.names + row.keys(in: .matroska) + [row.label] {
                add(name, KeyMeaning(row: number, isTotal: false))
            }
            for name in row.totals + row.totalKeys(in: .matroska) { add(name, KeyMeaning(row: number, isTotal: true)) }
        }
        return names
    }()

    /// A key without the number of bytes behind it.
    static func name(ofKey key: String) -> String { key.split(separator: "#").first.map(String.init) ?? key }

    /// What a key of a key space stands for, as the table spells it.
    static func meaning(ofKey key: String, in keySpace: AVMetadataKeySpace) -> KeyMeaning? {
        nativeKeys[keySpace]?[key]
    }

    /// What a name stands for where names are free: in Vorbis comments, Matroska tags, `TXXX` frames.
    static func meaning(ofName name: String) -> KeyMeaning? { freeNames[canonical(name)] }

    /// The field that a common key stands for.
    static func field(of commonKey: AVMetadataKey) -> MetadataField? {
        switch commonKey {
        case .commonKeyCreator: .composer
        case .commonKeyAlbumName: .album
        case .commonKeyType: .genre
        case .commonKeyCopyrights: MetadataField(rawValue: "copyright")
        case .commonKeyCreationDate: .creationDate
        case .commonKeySubject: MetadataField(rawValue: "keywords")
        case .commonKeyAccessibilityDescription: MetadataField(rawValue: "accessibility-description")
        default: rowNumbers[MetadataField(rawValue: commonKey.rawValue)].map { rows[$0].field }
        }
    }
}
