internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// What a box of user data holds, as entries.
///
/// Three families share `udta`: QuickTime's texts, whose types begin with ©;
/// QuickTime's bare texts; and the boxes of 3GPP, with a version, a language
/// and text that ends with zero. A box that is none of these, or not as its
/// type leads to expect, becomes an entry with the content as data.
///
/// Source: QuickTime File Format, "User Data Atoms"; 3GPP TS 26.244, 8; ISO/IEC
/// 14496-12, "Copyright Box".
enum UserDataBox {
    /// Boxes that hold text alone.
    ///
    /// `date` is one in files of Apple's and FLIR's cameras.
    static let bareTexts: Set<FourCC> = ["name", "tnam", "tagc", "XMP_", "date"]
    /// 3GPP boxes that hold a language and text.
    static let languageTexts: Set<FourCC> = [
        "titl", "auth", "perf", "gnre", "dscp", "cprt", "coll", "ades", "date",
    ]
    static let album: FourCC = "albm"
    static let year: FourCC = "yrrc"
    static let userRating: FourCC = "urat"
    static let rating: FourCC = "rtng"
    static let classification: FourCC = "clsf"
    static let keywords: FourCC = "kywd"
    static let location: FourCC = "loci"

    /// Whether a box is QuickTime text.
    static func isInternationalText(_ type: FourCC) -> Bool { type.rawValue >> 24 == 0xA9 }

    /// The entries of a box, at least one.
    static func entries(
        type: FourCC, content: [UInt8], container: FileMetadata.Container
    ) -> [MetadataEntry] {
        let keySpace: AVMetadataKeySpace = container == .quickTime ? .quickTimeUserData : .isoUserData
        if isInternationalText(type) {
            if let entries = internationalTexts(type, content) { return entries }
            return [data(.quickTimeUserData, type, content)]
        }
        if let entries = MobileUserData.entries(type: type, content: content) { return entries }
        if bareTexts.contains(type) {
            let text = content.last == 0 ? content.dropLast() : content[...]
            if !text.contains(0), let text = String(validating: text, as: UTF8.self) {
                return [self.text(keySpace, type, text)]
            }
        }
        return [data(keySpace, type, content)]
    }

    static func data(_ keySpace: AVMetadataKeySpace, _ type: FourCC, _ content: [UInt8]) -> MetadataEntry {
        MetadataEntry(keySpace, .code(type.rawValue), .data(content), dataType: MetadataDataType.raw)
    }

    /// An entry with text, as AVFoundation describes those of user data.
    static func text(
        _ keySpace: AVMetadataKeySpace, _ type: FourCC, _ text: String, languageTag: String? = nil, isWide: Bool = false
    ) -> MetadataEntry {
        MetadataEntry(
            keySpace, .code(type.rawValue), .text(text),
            dataType: isWide ? MetadataDataType.utf16 : MetadataDataType.utf8,
            languageTag: languageTag,
            extras: [.dataType: .integer(2), .dataTypeNamespace: .text(DataTypeNamespace.quickTimeUserData)])
    }

    // MARK: ©

    /// The texts of a box whose type begins with ©, `nil` if it holds none.
    private static func internationalTexts(_ type: FourCC, _ content: [UInt8]) -> [MetadataEntry]? {
        if let entry = itemText(type, content) { return [entry] }
        if let entries = records(type, content) { return entries }
        // Some cameras leave length and language out.
        let text = content.last == 0 ? content.dropLast() : content[...]
        guard !text.isEmpty, text.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        var entry = self.text(.quickTimeUserData, type, String(latin1: text))
        entry.extras[.layout] = BoxLayout.text.value
        return [entry]
    }

    /// As many languages as there are, and more texts than any player shows.
    private static let maximumRecords = 1024

    /// Records of length, language and text.
    private static func records(_ type: FourCC, _ content: [UInt8]) -> [MetadataEntry]? {
        var entries: [MetadataEntry] = []
        let end = content.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        var offset = 0
        while let size = content.bigEndian16(at: offset).map(Int.init),
            let language = content.bigEndian16(at: offset + 2)
        {
            let available = content.count - offset - 4
            // Some writers count length and language too.
            guard entries.count < maximumRecords, size <= available || entries.isEmpty && size <= available + 4 else {
                return nil
            }
            // Zeros may follow the last text.
            if offset >= end, !entries.isEmpty { break }
            let bytes = content[(offset + 4)..<(offset + 4 + min(size, available))]
            entries.append(record(type, language: language, bytes))
            offset += 4 + min(size, available)
        }
        return entries.isEmpty || offset < end ? nil : entries
    }

    private static func record(_ type: FourCC, language: UInt16, _ bytes: ArraySlice<UInt8>) -> MetadataEntry {
        let mark = bytes.bigEndian16(at: 0)
        if mark == 0xFEFF || mark == 0xFFFE {
            var text = TextCoding.utf16(bytes, isBigEndian: true)
            if text.unicodeScalars.last == "\0" { text.unicodeScalars.removeLast() }
            return self.text(
                .quickTimeUserData, type, text, languageTag: ItemLocale.languageTag(language), isWide: true)
        }
        let bytes = bytes.last == 0 ? bytes.dropLast() : bytes
        let isMacintosh = language < 0x400 || language == 0x7FFF
        return text(
            .quickTimeUserData, type,
            isMacintosh ? MacintoshText.romanOrUTF8(bytes) : TextCoding.utf8OrLatin1(bytes),
            languageTag: isMacintosh ? MacintoshText.languageTag(language) : ItemLocale.languageTag(language))
    }

    /// Text as iTunes metadata holds it, which some writers put into user data.
    private static func itemText(_ type: FourCC, _ content: [UInt8]) -> MetadataEntry? {
        guard content.fourCC(at: 4) == "data", content.bigEndian32(at: 0) == UInt32(content.count),
            let box = DataBox(Array(content[8...]))
        else { return nil }
        let (value, dataType) = box.value(forITunesKey: type)
        return MetadataEntry(
            .quickTimeUserData, .code(type.rawValue), value, dataType: dataType,
            languageTag: ItemLocale.tag(of: box.locale),
            extras: [
                .dataType: .integer(Int64(box.type)), .dataTypeNamespace: .text(DataTypeNamespace.iTunes),
                .locale: .integer(Int64(box.locale)),
            ].filter { $0.value != .integer(0) || $0.key != .locale })
    }
}

/// The boxes that 3GPP put into user data.
///
/// All begin with a version and flags of zero; most go on with a language,
/// packed into 15 bits, and text of UTF-8, or UTF-16 after a byte order mark,
/// that ends with zero.
///
/// Source: 3GPP TS 26.244, 8; `urat` as ExifTool reads it.
enum MobileUserData {
    /// The entries of a box, `nil` if it is none of 3GPP's or not as it should be.
    static func entries(type: FourCC, content: [UInt8]) -> [MetadataEntry]? {
        guard content.count > 4, content.bigEndian32(at: 0) == 0 else { return nil }
        var fields = Fields(bytes: content[4...])
        switch type {
        case UserDataBox.year:
            guard content.count == 6, let year = content.bigEndian16(at: 4) else { return nil }
            return [number(type, Int64(year), MetadataDataType.uint16)]
        case UserDataBox.userRating:
            guard content.count == 8, content.bigEndian24(at: 4) == 0 else { return nil }
            return [number(type, Int64(content[7]), MetadataDataType.uint8)]
        case UserDataBox.keywords: return keywords(&fields)
        case UserDataBox.location: return location(&fields).map { [$0] }
        case UserDataBox.rating, UserDataBox.classification:
            let isRating = type == UserDataBox.rating
            guard let entity = fields.bytes(4), let criteria = fields.bytes(isRating ? 4 : 2),
                var entry = fields.text(type), fields.isAtEnd
            else { return nil }
            entry.extras[.entity] = .text(String(latin1: entity))
            entry.extras[.criteria] =
                isRating
                ? .text(String(latin1: criteria)) : .integer(Int64(criteria[0]) << 8 | Int64(criteria[1]))
            return [entry]
        case UserDataBox.album:
            guard var entry = fields.text(type) else { return nil }
            if let number = fields.rest.first, fields.rest.count == 1 {
                entry.extras[.trackNumber] = .integer(Int64(number))
            } else if !fields.isAtEnd {
                return nil
            }
            return [entry]
        default:
            guard UserDataBox.languageTexts.contains(type), let entry = fields.text(type), fields.isAtEnd else {
                return nil
            }
            return [entry]
        }
    }

    private static func number(_ type: FourCC, _ number: Int64, _ dataType: String) -> MetadataEntry {
        MetadataEntry(.isoUserData, .code(type.rawValue), .integer(number), dataType: dataType)
    }

    /// One entry a keyword.
    private static func keywords(_ fields: inout Fields) -> [MetadataEntry]? {
        guard let language = fields.language(), let count = fields.bytes(1)?.first, count > 0 else { return nil }
        var entries: [MetadataEntry] = []
        for _ in 0..<count {
            guard let size = fields.bytes(1)?.first, let bytes = fields.bytes(Int(size)) else { return nil }
            var keyword = Fields(bytes: bytes[...])
            guard let (text, isWide) = keyword.string(), keyword.isAtEnd else { return nil }
            entries.append(
                UserDataBox.text(
                    .isoUserData, UserDataBox.keywords, text, languageTag: language.tag, isWide: isWide))
        }
        return fields.isAtEnd ? entries : nil
    }

    /// A place: its text is the point in ISO 6709, its name the description.
    private static func location(_ fields: inout Fields) -> MetadataEntry? {
        guard var entry = fields.text(UserDataBox.location), let role = fields.bytes(1)?.first,
            let numbers = fields.bytes(12), let body = fields.string(), let notes = fields.string(), fields.isAtEnd
        else { return nil }
        let parts = (0..<3).compactMap { numbers.bigEndian32(at: 4 * $0) }.map { Int32(bitPattern: $0) }
        if let name = entry.text, !name.isEmpty { entry.extras[.info] = .text(name) }
        entry.value = .text(
            GeographicPoint(longitude: parts[0], latitude: parts[1], altitude: parts[2]).text)
        entry.extras[.role] = .integer(Int64(role))
        if !body.text.isEmpty { entry.extras[.astronomicalBody] = .text(body.text) }
        if !notes.text.isEmpty { entry.extras[.notes] = .text(notes.text) }
        return entry
    }

    /// What is left of a box's content while it is read.
    private struct Fields {
        private(set) var rest: ArraySlice<UInt8>

        init(bytes: ArraySlice<UInt8>) { rest = bytes }

        /// Whether nothing but zeros is left.
        var isAtEnd: Bool { rest.allSatisfy { $0 == 0 } }

        mutating func bytes(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }

        mutating func language() -> (tag: String?, code: UInt16)? {
            guard let code = rest.bigEndian16(at: 0), code < 0x8000 else { return nil }
            let letters = [code >> 10, code >> 5 & 31, code & 31]
            guard code == 0 || letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
            rest = rest.dropFirst(2)
            return (ItemLocale.languageTag(code), code)
        }

        /// Text up to a zero or the end.
        mutating func string() -> (text: String, isWide: Bool)? {
            if rest.bigEndian16(at: 0) == 0xFEFF {
                var size = 2
                while let unit = rest.bigEndian16(at: size), unit != 0 { size += 2 }
                defer { rest = rest.dropFirst(size + 2) }
                return (TextCoding.utf16(rest.prefix(size), isBigEndian: true), true)
            }
            let bytes = rest.prefix { $0 != 0 }
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            rest = rest.dropFirst(bytes.count + 1)
            return (text, false)
        }

        /// Language and text as an entry.
        mutating func text(_ type: FourCC) -> MetadataEntry? {
            guard let language = language(), let (text, isWide) = string() else { return nil }
            return UserDataBox.text(.isoUserData, type, text, languageTag: language.tag, isWide: isWide)
        }
    }
}

/// Text and languages as QuickTime stored them before Unicode.
///
/// Source: QuickTime File Format, "Language Code Values"; Inside Macintosh: Text.
enum MacintoshText {
    /// Languages in the order of their numbers.
    private static let languages = """
        en fr de it nl sv es da pt no he ja ar fi el is mt tr hr zh-Hant ur hi th ko lt pl hu et lv se fo fa ru zh-Hans \
        nl-BE ga sq ro cs sk sl yi sr mk bg uk be uz kk az az-Arab hy ka ro-MD ky tg tk mn mn-Cyrl ps ku ks sd bo ne sa \
        mr bn as gu pa or ml kn ta te si my km lo vi id tl ms ms-Arab am ti om so sw rw rn ny mg eo
        """.split(separator: " ").map(String.init)
    /// Languages from number 128 on.
    private static let moreLanguages = "cy eu ca la qu gn ay tt ug dz jv".split(separator: " ").map(String.init)

    /// The BCP 47 tag of a language's number.
    ///
    /// 0 is English, but also what writers leave in place that know of no
    /// language, so it names none.
    static func languageTag(_ number: UInt16) -> String? {
        let number = Int(number)
        if (1..<languages.count).contains(number) { return languages[number] }
        return moreLanguages.indices.contains(number - 128) ? moreLanguages[number - 128] : nil
    }

    /// The number of a language, `nil` if it has none.
    ///
    /// Regions have no numbers; of Chinese the script matters, which the region tells where the tag does not.
    static func number(ofLanguage tag: String) -> UInt16? {
        let parts = tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard let language = parts.first else { return nil }
        var wanted = [tag.lowercased(), language]
        switch language {
        case "zh":
            let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
            wanted = [isTraditional ? "zh-hant" : "zh-hans"]
        case "nb", "nn": wanted = ["no"]
        default: break
        }
        for name in wanted {
            if let index = languages.firstIndex(where: { $0.lowercased() == name }) { return UInt16(index) }
            if let index = moreLanguages.firstIndex(of: name) { return UInt16(128 + index) }
        }
        return nil
    }

    /// The characters of the bytes from 128 on.
    private static let upperHalf = Array(
        ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ"
            + "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)

    /// Text in the Roman encoding.
    ///
    /// Many writers put UTF-8 where this belongs; what is that is hardly ever Roman by chance.
    static func romanOrUTF8(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(byte < 128 ? UnicodeScalar(byte) : upperHalf[Int(byte) - 128]) }
        return String(scalars)
    }
}
