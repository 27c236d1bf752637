/// Makes entries of one key space from values that any may have.
struct FieldWriter {
    /// What came of writing: entries, and why something is not among them.
    struct Outcome: Hashable {
        var entries: [MetadataEntry] = []
        /// One line each; with entries too, if they hold a part of the values.
        var losses: [String] = []
        /// Those of the losses that leave nothing out: the value is there, rounded.
        var roundings: Set<String> = []

        static func nothing(_ reason: String) -> Outcome { Outcome(losses: [reason]) }
    }

    /// How the entries of a file are written, as far as there are several ways.
    struct Style {
        /// The version of ID3.
        let version: ID3Version
        /// How audio file properties are called.
        let properties: Properties

        init(of entries: [MetadataEntry], in container: FileMetadata.Container) {
            version = ID3FrameNames.version(of: entries)
            let names = entries.lazy.filter { $0.keySpace == .audioFile }.map(\.key.text)
            let areNamed = names.contains { $0.hasPrefix("info-") } && !names.contains("INAM")
            properties = container.propertyFields.map { .only($0) } ?? (areNamed ? .named : .coded)
        }
    }

    /// The names of audio file properties.
    enum Properties: Hashable {
        /// `INAM`.
        case coded
        /// `info-title`.
        case named
        /// `info-title`, and these fields only.
        case only(Set<MetadataField>)

        func names(_ row: MetadataFieldRow) -> [String] {
            switch self {
            case .coded: row.keys(in: .audioFile)
            case .named: row.info
            case .only(let fields): fields.contains(row.field) ? row.info : []
            }
        }

        /// Whether there may be names that somebody made up.
        var mayBeCustom: Bool { if case .only = self { false } else { true } }
    }

    let keySpace: AVMetadataKeySpace
    let style: Style
    var version: ID3Version { style.version }

    init(_ keySpace: AVMetadataKeySpace, _ style: Style) { (self.keySpace, self.style) = (keySpace, style) }

    /// Whether the key space has a key of its own for a field.
    func hasKey(for field: MetadataField) -> Bool {
        guard let row = MetadataFieldTable.row(field) else { return false }
        if keySpace == .audioFile { return !style.properties.names(row).isEmpty }
        return !row.keys(in: keySpace).isEmpty
    }

    /// Writes values.
    ///
    /// - Parameter old: The entries that they replace, which keep their keys, languages and attributes where they can.
    func write(_ meaning: MetadataMeaning, _ values: [MetadataFieldValue], replacing old: [MetadataEntry]) -> Outcome {
        guard !values.isEmpty else { return Outcome() }
        let row: MetadataFieldRow? =
            if case .field(let field) = meaning { MetadataFieldTable.row(field) } else { nil }
        let (values, losses) = inOneLanguage(values)
        var outcome: Outcome
        switch keySpace {
        case .iTunes: outcome = iTunes(meaning, row, values, old)
        case .id3: outcome = id3(meaning, row, values, old)
        case .quickTimeMetadata: outcome = quickTimeMetadata(meaning, row, values, old)
        case .quickTimeUserData, .isoUserData: outcome = userData(row, values, old)
        case .vorbisComment: outcome = vorbisComment(meaning, row, values, old)
        case .matroska: outcome = matroska(meaning, row, values, old)
        case .audioFile: outcome = audioFile(meaning, row, values, old)
        default: outcome = .nothing("nothing can be written there")
        }
        outcome.losses += losses
        return outcome
    }

    // MARK: Common parts

    /// The values of the first language only, where the key space has no languages.
    private func inOneLanguage(_ values: [MetadataFieldValue]) -> ([MetadataFieldValue], [String]) {
        guard [.vorbisComment, .id3, .audioFile].contains(keySpace), let language = values.first?.languageTag else {
            return (values, [])
        }
        let others = Set(values.compactMap(\.languageTag)).subtracting([language]).sorted()
        guard !others.isEmpty else { return (values, []) }
        let kept = values.filter { $0.languageTag == nil || $0.languageTag == language }
        return (kept, ["only one language fits: \(language), not \(others.joined(separator: ", "))"])
    }

    /// An entry that looks like the one it replaces.
    func entry(
        _ keySpace: AVMetadataKeySpace, _ key: MetadataKey, _ value: MetadataValue, dataType: String? = nil,
        languageTag: String? = nil, extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:],
        like old: [MetadataEntry]
    ) -> MetadataEntry {
        var entry = MetadataEntry(keySpace, key, value, dataType: dataType, languageTag: languageTag, extras: extras)
        guard let old = old.first(where: { $0.key == key && $0.keySpace == keySpace }) else { return entry }
        entry.languageTag = languageTag ?? old.languageTag
        entry.extras = old.extras.merging(extras) { _, new in new }
        switch (old.value, value) {
        case (.text, .text), (.integer, .integer): entry.dataType = old.dataType
        case (.data, .data): break
        default: entry.extras = entry.extras.filter { ![.dataType, .dataTypeNamespace].contains($0.key) }
        }
        return entry
    }

    /// The key to write, as the table spells it: that of the entries to replace, if it is one of the row's.
    func keyName(_ row: MetadataFieldRow, replacing old: [MetadataEntry]) -> String? {
        let names = row.keys(in: keySpace)
        switch row.kind {
        case .genre, .date, .pair, .picture: return names.first
        default:
            let oldName = old.first?.key.text
            let all = names + row.foreignKeys(in: keySpace)
            return all.first { MetadataFieldTable.name(ofKey: $0) == oldName } ?? names.first
        }
    }

    /// All values as one text, for keys that hold only one; of dates, numbers and places the first.
    func joined(_ values: [MetadataFieldValue], _ kind: MetadataFieldRow.Kind?) -> String? {
        let texts = values.compactMap(\.text)
        if let kind, kind != .text, kind != .genre { return texts.first }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// Why not all values are in the one text.
    func losses(joining values: [MetadataFieldValue], _ kind: MetadataFieldRow.Kind?) -> [String] {
        guard let kind, kind != .text, kind != .genre, values.count > 1 else { return [] }
        return ["only one value fits"]
    }

    /// Why values that are no text cannot be written.
    func reason(notText values: [MetadataFieldValue]) -> String {
        values.contains { $0.picture != nil } ? "pictures do not fit there" : "the value is no text"
    }

    /// One entry a text.
    func texts(
        _ values: [MetadataFieldValue], _ keySpace: AVMetadataKeySpace, _ key: MetadataKey, dataType: String? = nil,
        extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:], like old: [MetadataEntry]
    ) -> Outcome {
        let entries = values.compactMap { value in
            value.text.map {
                entry(
                    keySpace, key, .text($0), dataType: dataType, languageTag: value.languageTag, extras: extras,
                    like: old)
            }
        }
        return Outcome(entries: entries, losses: entries.count < values.count ? [reason(notText: values)] : [])
    }
}

extension FieldWriter {
    func iTunes(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let row, let name = keyName(row, replacing: old),
            let key = MetadataKey(fourCharacters: MetadataFieldTable.name(ofKey: name))
        else { return freeForm(meaning, row, values, old) }
        switch row.kind {
        case .picture: return typedPictures(values, .iTunes, key)
        case .pair: return iTunesPair(row, key, values, old)
        default:
            guard let width = Self.width(ofKey: name) else {
                return texts(values, .iTunes, key, dataType: MetadataDataType.utf8, like: old)
            }
            return iTunesInteger(row.kind, key, width: width, values, old)
        }
    }

    /// The bytes of an integer, by the table's spelling of the key.
    private static func width(ofKey name: String) -> Int? {
        let parts = name.split(separator: "#")
        return parts.count == 2 ? Int(parts[1]) : nil
    }

    private func freeForm(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard row?.kind != .picture else { return .nothing("pictures do not fit there") }
        let key: MetadataKey =
            old.first { $0.keySpace == .iTunesFreeForm }?.key
            ?? .text(Self.freeFormKey(row?.label ?? meaning.name))
        var entries: [MetadataEntry] = []
        for value in values {
            switch value.content {
            case .text(let text):
                entries.append(
                    entry(
                        .iTunesFreeForm, key, .text(text), dataType: MetadataDataType.utf8,
                        languageTag: value.languageTag, like: old))
            case .data(let bytes):
                entries.append(entry(.iTunesFreeForm, key, .data(bytes), dataType: MetadataDataType.raw, like: old))
            case .picture: break
            }
        }
        return Outcome(entries: entries)
    }

    /// The key for a name: names in reverse domain order stand for themselves.
    static func freeFormKey(_ name: String) -> String { isReverseDomain(name) ? name : EntryMeaning.iTunesMean + name }

    /// Whether a name is one like `com.example.name`.
    static func isReverseDomain(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.allSatisfy({ !$0.isEmpty }), let first = parts.first else { return false }
        return (2...6).contains(first.count) && first.allSatisfy { $0.isASCII && $0.isLowercase }
    }

    // MARK: Values

    private func iTunesPair(
        _ row: MetadataFieldRow, _ key: MetadataKey, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let pair = values.first?.text.flatMap(NumberPair.init) else { return .nothing("the value is no number") }
        if let total = row.totalKeys(in: .iTunes).first {
            // Movements: two integers instead of one value.
            let keys = [
                (key, pair.number), (MetadataKey(fourCharacters: MetadataFieldTable.name(ofKey: total)), pair.total),
            ]
            var outcome = Outcome()
            for case (let key?, let number?) in keys {
                let part = iTunesInteger(.integer, key, width: 2, [MetadataFieldValue(String(number))], old)
                outcome.entries += part.entries
                outcome.losses += part.losses
                outcome.roundings.formUnion(part.roundings)
            }
            return outcome
        }
        guard let bytes = pair.bytes(count: key.text == "trkn" ? 8 : 6) else {
            return .nothing("a number above 65535 does not fit")
        }
        var entry = entry(.iTunes, key, .data(bytes), dataType: MetadataDataType.raw, like: old)
        if case .data(let oldBytes)? = old.first?.value, oldBytes.count >= 6 {
            entry.value = .data(Array(oldBytes[..<2] + bytes[2..<6] + oldBytes[6...]))
        }
        return Outcome(entries: [entry], losses: values.count > 1 ? ["only one number fits"] : [])
    }

    private func iTunesInteger(
        _ kind: MetadataFieldRow.Kind, _ key: MetadataKey, width: Int, _ values: [MetadataFieldValue],
        _ old: [MetadataEntry]
    ) -> Outcome {
        guard let text = values.first?.text, let (number, isExact) = Self.number(text, kind) else {
            return .nothing("the value is no number")
        }
        let limit = width >= 8 ? Int64.max : Int64(1) << (8 * width - 1) - 1
        guard number <= limit, number >= -limit - 1 else { return .nothing("a number above \(limit) does not fit") }
        let types = [1: MetadataDataType.int8, 2: MetadataDataType.int16, 4: MetadataDataType.int32]
        let entry = entry(
            .iTunes, key, .integer(number), dataType: types[width] ?? MetadataDataType.int64, like: old)
        var losses = isExact ? [] : ["\(text) is rounded to \(number)"]
        if values.count > 1 { losses.append("only one number fits") }
        return Outcome(entries: [entry], losses: losses, roundings: isExact ? [] : Set(losses.prefix(1)))
    }

    /// The integer for a value, and whether it is the value exactly.
    static func number(_ text: String, _ kind: MetadataFieldRow.Kind) -> (Int64, isExact: Bool)? {
        switch kind {
        case .flag: return FieldText.flag(text).map { ($0 ? 1 : 0, true) }
        case .mediaType: return CodedNames.mediaTypes.number(of: text).map { (Int64($0), true) }
        case .advisory: return CodedNames.advisories.number(of: text).map { (Int64($0), true) }
        default:
            let text = text.filter { $0 != " " }
            if let number = Int64(text) { return (number, true) }
            guard let number = Double(text), abs(number) < 1e15 else { return nil }
            return (Int64(number.rounded()), number.rounded() == number)
        }
    }

    /// Pictures where the value's type tells what kind of file it is, and nothing what it shows.
    func typedPictures(
        _ values: [MetadataFieldValue], _ keySpace: AVMetadataKeySpace, _ key: MetadataKey
    ) -> Outcome {
        var outcome = Outcome()
        for picture in values.compactMap(\.picture) {
            guard let dataType = picture.dataType else {
                outcome.losses.append("\(picture.mimeType) pictures do not fit there")
                continue
            }
            outcome.entries.append(MetadataEntry(keySpace, key, .data(picture.data), dataType: dataType))
            if picture.coverRank == 0, let type = picture.type {
                outcome.losses.append("what the picture shows is not kept: \(type)")
            }
        }
        return outcome
    }
}
