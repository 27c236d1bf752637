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
