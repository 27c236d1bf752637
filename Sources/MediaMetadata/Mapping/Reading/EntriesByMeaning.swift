internal import MediaCore

/// A value as it is carried from one key space to another.
struct MetadataFieldValue: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// Numbers, dates and pairs too: `3/12`.
        case text(String)
        case picture(MetadataPicture)
        /// A value of a type that is not known.
        case data([UInt8])
    }

    var content: Content
    /// BCP 47.
    var languageTag: String?

    init(_ content: Content, languageTag: String? = nil) { (self.content, self.languageTag) = (content, languageTag) }

    init(_ text: String, languageTag: String? = nil) { self.init(.text(text), languageTag: languageTag) }

    /// The value if it is text.
    var text: String? { if case .text(let text) = content { text } else { nil } }
    /// The value if it is a picture.
    var picture: MetadataPicture? { if case .picture(let picture) = content { picture } else { nil } }
}

/// All that the entries of one key space say about one thing.
struct MetadataStatement: Hashable, Sendable {
    var meaning: MetadataMeaning
    /// Where it is said; free-form iTunes metadata counts as iTunes metadata.
    var keySpace: AVMetadataKeySpace
    /// The entries' positions in the list, in its order.
    var indices: [Int] = []
    /// What the entries say together, in their order; repeated values are left out.
    var values: [MetadataFieldValue] = []
}

/// A list of entries by what they are about.
struct EntriesByMeaning {
    let entries: [MetadataEntry]
    /// In the order of each one's first entry.
    private(set) var all: [MetadataStatement] = []
    /// The positions of entries that say nothing another key space could say.
    private(set) var others: [Int] = []
    private var meanings: [Int: EntryMeaning] = [:]
    /// Positions in `all`.
    private var positions: [MetadataMeaning: [Int]] = [:]

    init(_ entries: [MetadataEntry]) {
        self.entries = entries
        let levels = MatroskaLevels(entries)
        var positions: [MetadataStatement.Key: Int] = [:]
        let people = InvolvedPeople.pairs(in: entries)
        for index in entries.indices {
            let pair = people[index]
            guard pair?.isName != true else { continue }
            guard !entries[index].time.isValid, let meaning = pair?.meaning ?? EntryMeaning(entries[index], levels)
            else {
                others.append(index)
                continue
            }
            meanings[index] = meaning
            let keySpace = entries[index].keySpace.folded
            let key = MetadataStatement.Key(meaning: meaning.meaning.canonical, keySpace: keySpace)
            let position = positions[key] ?? all.count
            if position == all.count { all.append(MetadataStatement(meaning: meaning.meaning, keySpace: keySpace)) }
            positions[key] = position
            all[position].indices += pair == nil ? [index] : [index, index + 1]
        }
        for position in all.indices {
            all[position].values = values(of: all[position])
            self.positions[all[position].meaning.canonical, default: []].append(position)
        }
    }

    /// What is said about one thing, the most trusted place first.
    func statements(of meaning: MetadataMeaning) -> [MetadataStatement] {
        (positions[meaning.canonical] ?? []).map { all[$0] }.sorted { $0.keySpace.rank < $1.keySpace.rank }
    }

    // MARK: Values

    private func values(of statement: MetadataStatement) -> [MetadataFieldValue] {
        var kind = MetadataFieldRow.Kind.text
        if case .field(let field) = statement.meaning { kind = MetadataFieldTable.row(field)?.kind ?? .text }
        var values: [MetadataFieldValue] = []
        switch kind {
        case .pair: values = pair(statement).map { [$0] } ?? []
        case .date where statement.keySpace == .id3: values = dates(statement)
        case .location: values = places(statement)
        default:
            if InvolvedPeople.isList(entries[statement.indices[0]]) {
                values = stride(from: 1, to: statement.indices.count, by: 2).compactMap { position in
                    entries[statement.indices[position]].text.map { MetadataFieldValue($0) }
                }
            } else {
                values = wordsBeforeNumbers(statement.indices, kind).flatMap { Self.values(of: entries[$0], kind) }
            }
        }
        guard kind != .picture else { return values }
        var seen: Set<MetadataFieldValue> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// Leaves an iTunes genre's number out where there is a genre in words, which may be finer.
    private func wordsBeforeNumbers(_ indices: [Int], _ kind: MetadataFieldRow.Kind) -> [Int] {
        guard kind == .genre else { return indices }
        let words = indices.filter { entries[$0].key.text != "gnre" || entries[$0].keySpace != .iTunes }
        return words.isEmpty ? indices : words
    }

    /// The key of places that are stored as binary fractions.
    private static let roundedKey = MetadataKey(fourCharacters: "loci")

    private static func values(of entry: MetadataEntry, _ kind: MetadataFieldRow.Kind) -> [MetadataFieldValue] {
        if kind == .picture { return MetadataPicture(entry).map { [MetadataFieldValue(.picture($0))] } ?? [] }
        guard let text = FieldText.text(of: entry, kind) else {
            if case .data(let bytes) = entry.value { return [MetadataFieldValue(.data(bytes))] }
            return []
        }
        let texts =
            kind == .genre ? GenreText.names(in: text, allowsBareNumbers: entry.keySpace == .id3) : [text]
        return texts.map { MetadataFieldValue($0, languageTag: entry.languageTag) }
    }

    /// Places as they were written, before those that were rounded to binary fractions; each once.
    private func places(_ statement: MetadataStatement) -> [MetadataFieldValue] {
        let isRounded = { (index: Int) in entries[index].key == Self.roundedKey }
        let indices = statement.indices.filter { !isRounded($0) } + statement.indices.filter(isRounded)
        let values = indices.flatMap { Self.values(of: entries[$0], .location) }
        return values.reduce(into: []) { result, value in
            let same = result.firstIndex { old in
                guard let place = old.text, let text = value.text else { return false }
                return GeographicText.areSame(place, text)
            }
            guard let same else { return result.append(value) }
            guard let place = result[same].text, let text = value.text else { return }
            result[same].content = .text(GeographicText.adding(altitudeOf: text, to: place))
        }
    }

    private func pair(_ statement: MetadataStatement) -> MetadataFieldValue? {
        var result = NumberPair()
        for index in statement.indices {
            guard let text = FieldText.text(of: entries[index], .pair), let pair = NumberPair(text) else { continue }
            if meanings[index]?.part == .total {
                result.total = result.total ?? pair.number
            } else {
                result.number = result.number ?? pair.number
                result.total = result.total ?? pair.total
            }
        }
        return result == NumberPair() ? nil : MetadataFieldValue(result.text)
    }

    /// ID3v2.3 has day and time in frames of their own.
    private func dates(_ statement: MetadataStatement) -> [MetadataFieldValue] {
        func texts(_ part: EntryMeaning.Part) -> [String] {
            statement.indices.filter { meanings[$0]?.part ?? .whole == part }.compactMap { entries[$0].text }
        }
        let whole = texts(.whole)
        guard let first = whole.first,
            let date = DateText(year: first, dayAndMonth: texts(.dayAndMonth).first, time: texts(.time).first)
        else { return whole.map { MetadataFieldValue($0) } }
        return [MetadataFieldValue(date.text)] + whole.dropFirst().map { MetadataFieldValue($0) }
    }
}

extension MetadataStatement {
    /// What entries are gathered by.
    struct Key: Hashable {
        var meaning: MetadataMeaning
        var keySpace: AVMetadataKeySpace
    }
}

extension MetadataMeaning {
    /// The meaning by a name without what spellings differ in.
    var canonical: MetadataMeaning {
        if case .custom(let name) = self { .custom(MetadataFieldTable.canonical(name)) } else { self }
    }

    /// The name for messages.
    var name: String {
        switch self {
        case .field(let field): field.rawValue
        case .custom(let name): name
        }
    }
}

extension AVMetadataKeySpace {
    /// The key space, or iTunes' for its free-form metadata, which is stored with it.
    var folded: AVMetadataKeySpace { self == .iTunesFreeForm ? .iTunes : self }

    /// Which key space is believed where several hold a field: that with the lower number.
    ///
    /// The order is that of how much the spaces hold and how well programs agree about it.
    var rank: Int {
        let order: [AVMetadataKeySpace] = [
            .common, .iTunes, .quickTimeMetadata, .id3, .quickTimeUserData, .isoUserData, .vorbisComment, .matroska,
            .audioFile, .icy,
        ]
        return order.firstIndex(of: folded) ?? order.count
    }
}

/// Values as text, in the form that all key spaces share.
enum FieldText {
    /// The text of an entry's value, `nil` if it cannot be told in text.
    static func text(of entry: MetadataEntry, _ kind: MetadataFieldRow.Kind) -> String? {
        switch kind {
        case .flag: return plainText(of: entry).map { flag($0) == false ? "0" : "1" }
        case .pair: return pair(entry)
        case .genre: return genre(entry)
        case .mediaType: return name(entry, CodedNames.mediaTypes)
        case .advisory: return name(entry, CodedNames.advisories)
        case .date where entry.keySpace == .audioFile && entry.key.text == "IDIT":
            return plainText(of: entry).map { DateText(clockText: $0)?.text ?? $0 }
        default: return plainText(of: entry) ?? ownedText(of: entry)
        }
    }

    /// Whether a text says yes; `nil` if it says neither yes nor no.
    static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "yes", "true", "on": true
        case "0", "no", "false", "off", "": false
        default: nil
        }
    }

    private static func plainText(of entry: MetadataEntry) -> String? {
        switch entry.value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .data: nil
        }
    }

    /// The text behind an owner's name: of an ID3 `UFID` frame.
    private static func ownedText(of entry: MetadataEntry) -> String? {
        guard case .data(let bytes) = entry.value, entry.keySpace == .id3,
            ID3FrameNames.longName(of: entry.key) == "UFID", let end = bytes.firstIndex(of: 0)
        else { return nil }
        let text = bytes[(end + 1)...]
        return text.allSatisfy { (0x20...0x7E).contains($0) } ? String(decoding: text, as: UTF8.self) : nil
    }

    private static func pair(_ entry: MetadataEntry) -> String? {
        if case .data(let bytes) = entry.value { return NumberPair(bytes: bytes)?.text }
        return plainText(of: entry)
    }

    /// iTunes' `gnre` holds a number: that of ID3's list plus one.
    private static func genre(_ entry: MetadataEntry) -> String? {
        let text = plainText(of: entry)
        guard entry.keySpace == .iTunes, entry.key.text == "gnre" else { return text }
        if case .data(let bytes) = entry.value {
            return bytes.count == 2 ? Genres.name(ofITunes: Int(bytes[0]) << 8 | Int(bytes[1])) : nil
        }
        return text.flatMap { Int($0).map { Genres.name(ofITunes: $0) } ?? $0 }
    }

    private static func name(_ entry: MetadataEntry, _ names: CodedNames) -> String? {
        plainText(of: entry).map { text in names.number(of: text).map(names.name(of:)) ?? text }
    }
}

/// What a value that is data says of itself, for people.
package enum DataSummary {
    /// Such as `600x600 JPEG 84 kB`; `data, 12 bytes` for what is no picture.
    package static func text(of bytes: [UInt8]) -> String {
        guard let type = MetadataDataType.mimeType(ofPicture: bytes) else { return "data, \(bytes.count) bytes" }
        let size = PictureGeometry(ofPicture: bytes).map { "\($0.width)x\($0.height) " } ?? ""
        let kind = type.dropFirst("image/".count).uppercased()
        let length = bytes.count < 1000 ? "\(bytes.count) bytes" : "\((bytes.count + 500) / 1000) kB"
        return "\(size)\(kind) \(length)"
    }
}
