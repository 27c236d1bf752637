internal import MediaIO
internal import MediaMetadata

/// Country and language of an item's value.
///
/// Zero is any; 1 to 255 number a list of the file's own; others are two
/// letters of ISO 3166, or three of ISO 639 packed into 15 bits.
///
/// Source: QuickTime File Format, "Country list atom", "Language list atom".
enum ItemLocale {
    /// The BCP 47 tag that a language and a country make up; `nil` if no language is named.
    static func tag(of locale: UInt32, languages: [[UInt16]] = [], countries: [[UInt16]] = []) -> String? {
        func resolved(_ number: UInt16, _ lists: [[UInt16]]) -> [UInt16] {
            guard number < 256 else { return [number] }
            let index = Int(number) - 1
            return lists.indices.contains(index) ? lists[index] : []
        }
        let language = resolved(UInt16(locale & 0xFFFF), languages).lazy.compactMap(languageTag).first
        guard let language else { return nil }
        let regions = resolved(UInt16(locale >> 16), countries)
        guard regions.count == 1, let region = regions.first.flatMap(letters) else { return language }
        return language + "-" + region
    }

    /// The number for an entry's language: what the file stated, as long as that means the same.
    static func number(for entry: MetadataEntry) -> UInt32 {
        if case .integer(let number) = entry.extras[.locale], let number = UInt32(exactly: number) {
            if tag(of: number) == entry.languageTag { return number }
        }
        let code = LanguageCodes.iso639(of: entry.languageTag)
        guard code != "und" else { return 0 }
        let region = entry.languageTag?.split(separator: "-").dropFirst().first { $0.utf8.count == 2 }
        let letters = region.map { Array($0.uppercased().utf8) } ?? [0, 0]
        return UInt32(letters[0]) << 24 | UInt32(letters[1]) << 16 | UInt32(packed(code))
    }

    /// The tag of a packed language.
    static func languageTag(_ number: UInt16) -> String? {
        guard number >= 0x400, number < 0x8000 else { return nil }
        let letters = [number >> 10, number >> 5, number].map { UInt8($0 & 31) + 0x60 }
        return LanguageCodes.tag(ofISO639: String(latin1: letters))
    }

    /// Three letters, packed into 15 bits.
    static func packed(_ code: String) -> UInt16 {
        code.utf8.prefix(3).reduce(0) { $0 << 5 | UInt16($1 & 31) }
    }

    private static func letters(_ country: UInt16) -> String? {
        let letters = [UInt8(country >> 8), UInt8(country & 255)]
        guard letters.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) else { return nil }
        return String(latin1: letters)
    }

    /// The lists of a `ctry` or `lang` box.
    static func lists(_ content: [UInt8]) -> [[UInt16]] {
        guard let count = content.bigEndian32(at: 4) else { return [] }
        var lists: [[UInt16]] = []
        var offset = 8
        while lists.count < min(count, 255), let size = content.bigEndian16(at: offset) {
            let list = (0..<Int(size)).prefix(256).compactMap { content.bigEndian16(at: offset + 2 + 2 * $0) }
            guard list.count == min(Int(size), 256) else { break }
            lists.append(list)
            offset += 2 + 2 * Int(size)
        }
        return lists
    }
}
