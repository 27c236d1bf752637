internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

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
