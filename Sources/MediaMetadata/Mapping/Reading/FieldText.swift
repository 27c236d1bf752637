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
