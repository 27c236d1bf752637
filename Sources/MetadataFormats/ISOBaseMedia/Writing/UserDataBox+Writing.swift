internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Why a value cannot be stored under its key.
struct UnfitValue: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension UserDataBox {
    /// The most bytes of one text, whose length has 16 bits.
    private static let maximumText = 65_535

    /// Whether two entries can be texts of one box.
    static func canShareBox(_ entry: MetadataEntry, _ other: MetadataEntry) -> Bool {
        guard entry.key == other.key, case .code(let code) = entry.key, entry.text != nil, other.text != nil else {
            return false
        }
        let type = FourCC(rawValue: code)
        if type == keywords { return entry.languageTag == other.languageTag && entry.keySpace == other.keySpace }
        return isInternationalText(type) && [entry, other].allSatisfy { $0.extras[.layout] == nil && !isItem($0) }
    }

    /// Whether an entry's box holds its text alone, without a language.
    static func isBare(_ entry: MetadataEntry, _ type: FourCC) -> Bool {
        bareTexts.contains(type) && !(languageTexts.contains(type) && entry.languageTag != nil)
    }

    /// What of an entry's language its box cannot say, in one line.
    static func languageLoss(_ entry: MetadataEntry, _ type: FourCC) -> String? {
        guard let tag = entry.languageTag, entry.text != nil, !isItem(entry) else { return nil }
        if isBare(entry, type) || entry.extras[.layout] != nil { return "its language, \(tag), cannot be stored" }
        let stored = ItemLocale.languageTag(ItemLocale.packed(languageOf: tag))
        return stored == tag ? nil : "of its language, \(tag), only \(stored ?? "none") can be stored"
    }

    /// Whether an entry lies in its box as iTunes metadata does.
    private static func isItem(_ entry: MetadataEntry) -> Bool {
        entry.extras[.dataTypeNamespace] == .text(DataTypeNamespace.iTunes)
            && entry.extras[.dataType] != nil && entry.keySpace == .quickTimeUserData
    }

    /// The content of a box with entries that can share it.
    static func content(_ type: FourCC, _ entries: [MetadataEntry]) throws(UnfitValue) -> [UInt8] {
        guard let first = entries.first else { return [] }
        if isInternationalText(type), isItem(first) { return DataBox(first).bytes }
        if case .data(let bytes) = first.value { return bytes }
        guard isInternationalText(type) else { return try MobileUserData.content(type, entries) }
        if first.extras[.layout] == BoxLayout.text.value, let text = first.text { return Array(text.utf8) }
        var content: [UInt8] = []
        for entry in entries {
            guard let text = entry.text else { throw UnfitValue("only text can be stored under this key") }
            let isWide = entry.dataType == MetadataDataType.utf16
            let bytes = isWide ? [0xFE, 0xFF] + TextCoding.utf16BigEndian(text) : Array(text.utf8)
            guard bytes.count <= maximumText else { throw UnfitValue("the text is longer than 65,535 bytes") }
            content.append(bigEndian: UInt16(bytes.count))
            content.append(bigEndian: ItemLocale.packed(languageOf: entry.languageTag))
            content += bytes
        }
        return content
    }
}

extension ItemLocale {
    /// The packed language of a tag, that of no language if it has none.
    static func packed(languageOf tag: String?) -> UInt16 {
        let code = LanguageCodes.iso639(of: tag)
        let isCode = code.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return packed(isCode ? code : "und")
    }
}

extension MobileUserData {
    /// The content of a box of 3GPP's or of bare text.
    static func content(_ type: FourCC, _ entries: [MetadataEntry]) throws(UnfitValue) -> [UInt8] {
        guard let entry = entries.first else { return [] }
        if case .integer(let number) = entry.value { return try content(type, number) }
        guard let text = entry.text else { throw UnfitValue("no such value can be stored under this key") }
        guard !entries.contains(where: { $0.text?.unicodeScalars.contains("\0") == true }) else {
            throw UnfitValue("text with a zero character cannot be stored under this key")
        }
        var content: [UInt8] = [0, 0, 0, 0]
        switch type {
        case UserDataBox.keywords: return try keywords(entries)
        case UserDataBox.location: return try location(entry, text)
        case UserDataBox.rating, UserDataBox.classification:
            content += try fourCharacters(entry.extras[.entity])
            if type == UserDataBox.rating {
                content += try fourCharacters(entry.extras[.criteria])
            } else if case .integer(let number) = entry.extras[.criteria] {
                content.append(bigEndian: UInt16(truncatingIfNeeded: number))
            } else {
                content += [0, 0]
            }
            return content + language(entry) + string(text, entry)
        case UserDataBox.album:
            content += language(entry) + string(text, entry)
            if case .integer(let number) = entry.extras[.trackNumber], let number = UInt8(exactly: number) {
                content.append(number)
            }
            return content
        case _ where UserDataBox.languageTexts.contains(type) && !UserDataBox.isBare(entry, type):
            return content + language(entry) + string(text, entry)
        case _ where UserDataBox.bareTexts.contains(type): return Array(text.utf8)
        default: throw UnfitValue("it is not known how text is stored under this key")
        }
    }

    private static func content(_ type: FourCC, _ number: Int64) throws(UnfitValue) -> [UInt8] {
        if type == UserDataBox.year, let year = UInt16(exactly: number) {
            return [0, 0, 0, 0, UInt8(year >> 8), UInt8(year & 255)]
        }
        if type == UserDataBox.userRating, let rating = UInt8(exactly: number) { return [0, 0, 0, 0, 0, 0, 0, rating] }
        throw UnfitValue("the number cannot be stored under this key")
    }

    private static func language(_ entry: MetadataEntry) -> [UInt8] {
        let code = ItemLocale.packed(languageOf: entry.languageTag)
        return [UInt8(code >> 8), UInt8(code & 255)]
    }

    /// Text with a zero at its end.
    private static func string(_ text: String, _ entry: MetadataEntry? = nil) -> [UInt8] {
        if entry?.dataType == MetadataDataType.utf16 {
            return [0xFE, 0xFF] + TextCoding.utf16BigEndian(text) + [0, 0]
        }
        return Array(text.utf8) + [0]
    }

    private static func fourCharacters(_ value: MetadataValue?) throws(UnfitValue) -> [UInt8] {
        guard case .text(let text) = value else { return [0, 0, 0, 0] }
        guard let bytes = text.latin1, bytes.count == 4 else {
            throw UnfitValue("the rating's rules need four letters")
        }
        return bytes
    }

    private static func keywords(_ entries: [MetadataEntry]) throws(UnfitValue) -> [UInt8] {
        guard let first = entries.first, entries.count <= 255 else { throw UnfitValue("there are over 255 keywords") }
        var content: [UInt8] = [0, 0, 0, 0] + language(first) + [UInt8(entries.count)]
        for entry in entries {
            let keyword = string(entry.text ?? "", entry)
            guard keyword.count <= 255 else { throw UnfitValue("a keyword is longer than 254 bytes") }
            content += [UInt8(keyword.count)] + keyword
        }
        return content
    }

    private static func location(_ entry: MetadataEntry, _ text: String) throws(UnfitValue) -> [UInt8] {
        guard let point = GeographicPoint(text) else { throw UnfitValue("the place is not in ISO 6709 degrees") }
        var content: [UInt8] = [0, 0, 0, 0] + language(entry) + string(entry.info ?? "", entry)
        if case .integer(let role) = entry.extras[.role], let role = UInt8(exactly: role) {
            content.append(role)
        } else {
            content.append(0)
        }
        for number in [point.longitude, point.latitude, point.altitude] { content.append(bigEndian: number) }
        for key in [AVMetadataExtraAttributeKey.astronomicalBody, .notes] {
            if case .text(let text) = entry.extras[key] { content += string(text) } else { content.append(0) }
        }
        return content
    }
}

/// Which stored items of a file stay for new entries, and which entries are new.
///
/// The new entries are gone through in order. Where they equal the entries of
/// a stored item, all of them and in its order, the stored item stays as it is; the others
/// are written anew.
struct ItemPlacement {
    typealias StoredItem = MovieMetadata.StoredItem

    /// What comes next in the new order.
    enum Step {
        /// The stored item of an index.
        case keep(Int)
        /// Entries that make up one stored item.
        case write([MetadataEntry])
    }

    private(set) var steps: [Step] = []

    /// - Parameter canShare: Whether two entries can be in one stored item.
    init(
        _ entries: [MetadataEntry], among storedItems: [StoredItem],
        canShare: (MetadataEntry, MetadataEntry) -> Bool
    ) {
        var indices: [MetadataEntry: ArraySlice<Int>] = [:]
        for (index, storedItem) in storedItems.enumerated() {
            if let first = storedItem.entries.first { indices[first, default: []].append(index) }
        }
        var position = 0
        var lastKept = -1
        while position < entries.count {
            let entry = entries[position]
            // Looking at a few is enough unless a file is made to be slow.
            let matches = (indices[entry] ?? []).prefix(16).enumerated().filter {
                entries[position...].starts(with: storedItems[$0.element].entries)
            }
            if let (offset, index) = matches.first(where: { $0.element > lastKept }) ?? matches.first {
                if offset == 0 {
                    _ = indices[entry]?.popFirst()
                } else {
                    indices[entry]?.removeAll { $0 == index }
                }
                steps.append(.keep(index))
                lastKept = max(lastKept, index)
                position += storedItems[index].entries.count
                continue
            }
            if case .write(let group) = steps.last, let last = group.last, canShare(last, entry) {
                steps[steps.count - 1] = .write(group + [entry])
            } else {
                steps.append(.write([entry]))
            }
            position += 1
        }
        joinWithKept(storedItems, canShare: canShare)
    }

    /// Adds values that follow a kept stored item of their key to that stored item, unless the
    /// file has separate stored items for the key anyway.
    ///
    /// Many readers see only the first stored item of a key.
    private mutating func joinWithKept(_ storedItems: [StoredItem], canShare: (MetadataEntry, MetadataEntry) -> Bool) {
        // In how many stored items each key is.
        var uses: [MetadataKey: Int] = [:]
        for item in storedItems { for key in Set(item.entries.map(\.key)) { uses[key, default: 0] += 1 } }
        steps = steps.reduce(into: []) { joined, step in
            guard case .write(let group) = step, case .keep(let kept) = joined.last,
                let last = storedItems[kept].entries.last, let first = group.first, canShare(last, first),
                uses[first.key] == 1
            else { return joined.append(step) }
            joined[joined.count - 1] = .write(storedItems[kept].entries + group)
        }
    }
}
