internal import MediaIO
internal import MediaMetadata

/// An ID3v1 tag: the last 128 bytes of a file.
struct ID3v1Tag: Equatable {
    private enum Field: CaseIterable {
        case title
        case artist
        case album
        case year
        case comment
        case track
        case genre

        var range: Range<Int> {
            switch self {
            case .title: 3..<33
            case .artist: 33..<63
            case .album: 63..<93
            case .year: 93..<97
            case .comment: 97..<127
            case .track: 125..<127
            case .genre: 127..<128
            }
        }

        /// The frame of version 2.3 with the same meaning.
        var name: String {
            switch self {
            case .title: "TIT2"
            case .artist: "TPE1"
            case .album: "TALB"
            case .year: "TYER"
            case .comment: "COMM"
            case .track: "TRCK"
            case .genre: "TCON"
            }
        }
    }

    static let length = 128
    /// The bytes before it that continue its texts, in files of a few programs.
    static let extensionLength = 227
    private static let noGenre: UInt8 = 255
    private static let mark = MetadataValue.text("ID3v1")

    private(set) var bytes: [UInt8]

    /// The tag in the last 128 bytes of a file, `nil` if they are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: "TAG".utf8) else { return nil }
        self.bytes = bytes
    }

    /// A tag that says what entries say, as far as it can.
    init(_ entries: [MetadataEntry]) {
        bytes = Array("TAG".utf8) + Array(repeating: 0, count: Self.length - 4) + [Self.noGenre]
        for field in Field.allCases { set(field, to: Self.value(of: field, in: entries)) }
    }

    /// What it says, under the names of version 2.3, each entry with a mark.
    var entries: [MetadataEntry] {
        Field.allCases.compactMap(entry)
    }

    private func entry(_ field: Field) -> MetadataEntry? {
        text(of: field).map { text in
            var entry = MetadataEntry(.id3, .text(field.name), .text(text), extras: [.tag: Self.mark])
            if field == .comment { entry.extras[.info] = .text("") }
            return entry
        }
    }

    /// What it says of things that another tag says nothing of.
    ///
    /// - Parameters:
    ///   - others: What the other tag says.
    ///   - names: Its frames, those that cannot be read among them.
    func entries(beside others: [MetadataEntry], frames names: Set<String>) -> [MetadataEntry] {
        Field.allCases.compactMap { field in
            // Programs that clear the tag leave the first genre.
            guard let entry = entry(field), !(field == .genre && bytes[127] == 0) else { return nil }
            let isThere = field != .comment && !names.isDisjoint(with: field == .year ? Self.years : [field.name])
            return isThere || entry.text.map { isSaid($0, of: field, in: others) } ?? true ? nil : entry
        }
    }

    private static let years: Set<String> = ["TYER", "TDRC"]

    /// Whether entries say what a field does, a comment perhaps with a description and at its full length.
    private func isSaid(_ text: String, of field: Field, in entries: [MetadataEntry]) -> Bool {
        Self.value(of: field, in: entries) != nil
            || field == .comment && entries.contains { $0.keySpace == .id3 && $0.text?.hasPrefix(text) == true }
    }

    /// Whether an entry is one that this tag alone says.
    static func isMarked(_ entry: MetadataEntry) -> Bool { entry.extras[.tag] == mark }

    /// Follows a change of the ID3v2 tag: fields whose value there has changed are set, the others stay.
    mutating func follow(from old: [MetadataEntry], to new: [MetadataEntry]) {
        for field in Field.allCases {
            let value = Self.value(of: field, in: new)
            if value != Self.value(of: field, in: old) {
                set(field, to: value)
            } else if let text = text(of: field), isSaid(text, of: field, in: old), !isSaid(text, of: field, in: new) {
                set(field, to: nil)
            }
        }
    }

    // MARK: Fields

    private var hasTrack: Bool { bytes[125] == 0 && bytes[126] != 0 }

    private func text(of field: Field) -> String? {
        switch field {
        case .track: return hasTrack ? String(bytes[126]) : nil
        case .genre: return bytes[127] == Self.noGenre ? nil : "(\(bytes[127]))"
        default:
            var text = bytes[field.range].prefix { $0 != 0 }
            while text.last == UInt8(ascii: " ") { text.removeLast() }
            return text.isEmpty ? nil : String(latin1: text)
        }
    }

    private mutating func set(_ field: Field, to text: String?) {
        switch field {
        case .track:
            guard let number = text.flatMap({ UInt8($0.prefix { $0 != "/" }) }), number != 0 else {
                if hasTrack { bytes[126] = 0 }
                return
            }
            (bytes[125], bytes[126]) = (0, number)
        case .genre: bytes[127] = text.flatMap(Self.genre) ?? Self.noGenre
        default:
            let range = field == .comment && hasTrack ? field.range.dropLast(2) : field.range
            let characters = (text ?? "").unicodeScalars.prefix(range.count)
            let new = characters.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
            bytes.replaceSubrange(range, with: new + Array(repeating: 0, count: range.count - new.count))
        }
    }

    /// The number of a genre as `TCON` has it: `17`, `(17)`, `(17)Rock`, `Rock`; `nil` for one without a number.
    private static func genre(_ text: String) -> UInt8? {
        if let number = UInt8(text) { return number }
        if text.hasPrefix("("), let end = text.firstIndex(of: ")") { return UInt8(text[..<end].dropFirst()) }
        return Genres.number(of: text).flatMap(UInt8.init(exactly:))
    }

    /// What entries of any version say about a field.
    private static func value(of field: Field, in entries: [MetadataEntry]) -> String? {
        func text(_ name: String) -> String? {
            entries.first { entry in
                entry.keySpace == .id3 && ID3FrameNames.longName(of: entry.key) == name && entry.text != nil
                    && (field != .comment || (entry.info ?? "").isEmpty)
            }?.text
        }
        if field == .year { return (text("TYER") ?? text("TDRC")).map { String($0.prefix(4)) } }
        return text(field.name)
    }
}

/// An APEv2 tag beside ID3's, which some players prefer; it is told of, and never changed.
///
/// Source: APEv2 specification, hydrogenaud.io.
struct APETag {
    /// The names and texts of its items, in file order.
    private(set) var items: [(name: String, text: String)] = []

    private static let footerLength: UInt64 = 32
    private static let sign = Array("APETAGEX".utf8)
    /// More bytes or items are not read.
    private static let (maximumLength, maximumItems): (UInt64, Int) = (16 << 20, 256)

    /// The tag that ends at a position; `nil` if there is none.
    init?(_ file: RandomAccessFile, endingAt end: UInt64) {
        guard end >= Self.footerLength else { return nil }
        let footer = file.read(at: end - Self.footerLength, count: Int(Self.footerLength))
        guard footer.starts(with: Self.sign), let size = footer.littleEndian32(at: 12).map(UInt64.init),
            let count = footer.littleEndian32(at: 16), size >= Self.footerLength, size <= min(end, Self.maximumLength)
        else { return nil }
        let bytes = file.read(at: end - size, count: Int(size - Self.footerLength))
        var position = 0
        for _ in 0..<min(Int(count), Self.maximumItems) {
            guard let length = bytes.littleEndian32(at: position).map(Int.init),
                let flags = bytes.littleEndian32(at: position + 4),
                let nameEnd = bytes.dropFirst(position + 8).firstIndex(of: 0), length <= bytes.count - nameEnd - 1
            else { return }
            let name = String(latin1: bytes[(position + 8)..<nameEnd])
            let value = bytes[(nameEnd + 1)..<(nameEnd + 1 + length)]
            // Bits 1 and 2 tell text, data or an address.
            if flags >> 1 & 3 != 1 { items.append((name, TextCoding.utf8OrLatin1(value))) }
            position = nameEnd + 1 + length
        }
    }

    /// What is told of it beside other tags.
    var problem: String {
        let shown = items.prefix(8).map { "\($0.name) “\($0.text)”" }.joined(separator: ", ")
        let rest = items.count > 8 ? " and \(items.count - 8) more" : ""
        return "an APE tag stands beside the ID3 tag, is not changed with it, and some players prefer it: "
            + (shown.isEmpty ? "it has no texts" : shown + rest)
    }
}
