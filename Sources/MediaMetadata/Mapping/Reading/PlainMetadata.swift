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
