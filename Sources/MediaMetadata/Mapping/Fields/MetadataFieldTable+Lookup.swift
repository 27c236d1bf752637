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
