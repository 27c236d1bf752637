/// What entries say in words that people know: one item for each thing that is said, wherever and however often.
package struct PlainMetadata: Sendable {
    /// One thing that is said.
    package struct Item: Hashable, Sendable {
        /// The name by which it can be set, or the name that somebody made up, or an identifier.
        package let name: String
        /// The values for people: text, `3/12`, `yes`, `600x600 JPEG 84 kB`.
        package let values: [String]
        /// The language of the values, BCP 47, where one is said.
        package let languageTag: String?
        /// Where it is said if it is said several times, and not the same.
        package let keySpace: String?
        /// Where the name stands among those that people know; `nil` for others.
        fileprivate let rank: Int?
    }

    /// Those first that people know best.
    package let items: [Item]

    /// The names that stand first, in their order.
    static let usualOrder: [MetadataField: Int] = {
        let names = [
            "title", "subtitle", "artist", "album-artist", "album", "track", "disc", "date", "genre", "composer",
            "director", "show", "season", "episode", "description", "synopsis", "comment", "copyright", "artwork",
            "creation-date", "location", "make", "model", "software", "encoder",
        ]
        return Dictionary(
            names.enumerated().map { (MetadataField(rawValue: $1), $0) }, uniquingKeysWith: { first, _ in first })
    }()

    package init(_ entries: [MetadataEntry]) {
        let statements = EntriesByMeaning(entries)
        var items: [Item] = []
        for statement in statements.all {
            let same = statements.statements(of: statement.meaning)
            let values = Self.texts(statement)
            // The most trusted place speaks for those that say the same.
            let earlier = same.prefix { $0.keySpace != statement.keySpace }
            guard !earlier.contains(where: { Self.texts($0) == values }) else { continue }
            let isAlone = same.allSatisfy { Self.texts($0) == values }
            items.append(
                Item(
                    name: statement.meaning.name, values: values,
                    languageTag: Set(statement.values.map(\.languageTag)).count == 1
                        ? statement.values.first?.languageTag : nil,
                    keySpace: isAlone ? nil : statement.keySpace.prefix, rank: Self.rank(statement.meaning)))
        }
        items += statements.others.map { index in
            let entry = entries[index]
            return Item(
                name: Self.name(entry), values: [Self.text(entry)], languageTag: entry.languageTag, keySpace: nil,
                rank: nil)
        }
        self.items = items.enumerated().sorted {
            ($0.element.rank ?? .max, $0.offset) < ($1.element.rank ?? .max, $1.offset)
        }.map(\.element)
    }

    private static func rank(_ meaning: MetadataMeaning) -> Int? {
        guard case .field(let field) = meaning else { return nil }
        return usualOrder[field] ?? usualOrder.count
    }

    private static func name(_ entry: MetadataEntry) -> String {
        let info = entry.info.flatMap { $0.isEmpty ? nil : "[\($0)]" } ?? ""
        return entry.identifier.rawValue + info
    }

    private static func texts(_ statement: MetadataStatement) -> [String] {
        var kind = MetadataFieldRow.Kind.text
        var isStoreGenre = false
        if case .field(let field) = statement.meaning {
            kind = MetadataFieldTable.row(field)?.kind ?? .text
            isStoreGenre = field == .storeGenre
        }
        return statement.values.map { value in
            switch value.content {
            case .text(let text):
                if case .flag = kind { return FieldText.flag(text) == false ? "no" : "yes" }
                return isStoreGenre ? Int(text).flatMap(StoreGenres.name(of:)) ?? text : text
            case .picture(let picture): return DataSummary.text(of: picture.data)
            case .data(let bytes): return DataSummary.text(of: bytes)
            }
        }
    }

    private static func text(_ entry: MetadataEntry) -> String {
        switch entry.value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .data(let bytes): DataSummary.text(of: bytes)
        }
    }

    /// The values of a name, the most trusted place's; none if nothing says it.
    package static func values(of name: MetadataName, in entries: [MetadataEntry]) -> [String] {
        switch name {
        case .field(let field):
            let statement = EntriesByMeaning(entries).statements(of: .field(field)).first { !$0.values.isEmpty }
            return statement.map(texts) ?? []
        case .key(let keySpace, let key, let info):
            return entries.filter { entry in
                let isKey =
                    keySpace == .common
                    ? entry.commonKey?.rawValue == key.text : entry.keySpace == keySpace && entry.key == key
                return isKey && (info == nil || entry.info == info)
            }.map { entry in texts(ofEntry: entry) }
        }
    }

    /// An entry's value as its key's readers understand it: a genre's number as its name, a pair as `3/12`.
    private static func texts(ofEntry entry: MetadataEntry) -> String {
        let statements = EntriesByMeaning([entry])
        return statements.all.first.flatMap { texts($0).first } ?? text(entry)
    }
}

extension AVMetadataExtraAttributeKey {
    /// What parts of a Matroska file an entry is about, other than all of it.
    static let matroskaTargets = [
        "targetTrackUID", "targetEditionUID", "targetChapterUID", "targetAttachmentUID",
    ].map(AVMetadataExtraAttributeKey.init(rawValue:))
}

/// What Matroska's general names mean in a list of entries.
///
/// A name means another thing at another level: `TITLE` is the track's at level 30 and the album's at 50. But many
/// programs write everything at 50, or say no level, which means the same; then it is the file's own title. So a name
/// at 50 is taken for the album's only if there is one at 30 too.
struct MatroskaLevels {
    private static let track: Int64 = 30
    private static let part: Int64 = 40
    private static let album: Int64 = 50
    private static let season: Int64 = 60

    private var trackNames: Set<String> = []
    /// Whether the file is an episode: something is said about the season or the series.
    private var isEpisode = false
    /// Whether a number at level 50 is the disc's.
    private var hasDiscNumber: Bool { trackNames.contains("PART_NUMBER") && albumNames.contains("PART_NUMBER") }
    private var albumNames: Set<String> = []

    init(_ entries: some Sequence<MetadataEntry>) {
        for entry in entries where entry.keySpace == .matroska && entry.extras[.element] == nil {
            let name = entry.key.text.uppercased()
            switch Self.level(of: entry) {
            case Self.track: trackNames.insert(name)
            case Self.album: albumNames.insert(name)
            case Self.season, 70: isEpisode = isEpisode || ["PART_NUMBER", "TITLE"].contains(name)
            default: break
            }
        }
    }

    private static func level(of entry: MetadataEntry) -> Int64 {
        if case .integer(let level) = entry.extras[.targetTypeValue] { level } else { album }
    }

    /// The field of an entry whose name depends on the level, `nil` if its name does not.
    func field(of entry: MetadataEntry) -> (field: String, isTotal: Bool)? {
        let level = Self.level(of: entry)
        switch entry.key.text.uppercased() {
        case "TITLE":
            if entry.extras[.element] != nil { return ("title", false) }
            if level == 70 { return ("show", false) }
            if level == Self.season { return ("album", false) }
            return (level == Self.album && trackNames.contains("TITLE") ? "album" : "title", false)
        case "ARTIST":
            return (level >= Self.album && trackNames.contains("ARTIST") ? "album-artist" : "artist", false)
        case "PART_NUMBER": return (number(at: level), false)
        case "TOTAL_PARTS": return (total(at: level), true)
        default: return nil
        }
    }

    private func number(at level: Int64) -> String {
        switch level {
        case Self.season...: "season"
        case Self.album: trackNames.contains("PART_NUMBER") ? "disc" : isEpisode ? "episode" : "track"
        case Self.part: "disc"
        default: "track"
        }
    }

    /// By the specification it is the number of parts one level below, but most programs write it beside the number
    /// of the part itself.
    private func total(at level: Int64) -> String {
        switch level {
        case Self.season...: "disc"
        case Self.album: hasDiscNumber ? "disc" : "track"
        case Self.part: "disc"
        default: "track"
        }
    }
}

/// The elements other than tags that hold entries.
package enum MatroskaElementName {
    /// The title of the Segment, which players show.
    package static let title = "Info/Title"
    /// A track's name, which players show.
    package static let trackName = "TrackEntry/Name"
    /// An attached picture.
    package static let attachedFile = "AttachedFile"
    /// The key of entries for attached pictures.
    package static let coverKey = "COVER"
}
