internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// What an item of an `ilst` box holds, as entries: one for each of its values.
///
/// Source: QuickTime File Format, "Metadata"; mp4v2 and mutagen for iTunes.
enum ItemList {
    /// The entries of an iTunes item, at least one.
    static func iTunesEntries(type: FourCC, content: [UInt8]) -> [MetadataEntry] {
        let item = Item(content)
        var keySpace = AVMetadataKeySpace.iTunes
        var key = MetadataKey.code(type.rawValue)
        var extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
        if type == ITunesKeys.freeForm {
            guard let mean = item.mean, let name = item.name, !item.values.isEmpty else {
                return [whole(.iTunes, key, content)]
            }
            keySpace = .iTunesFreeForm
            key = .text(mean + "." + name)
            extras[.mean] = .text(mean)
        }
        guard !item.values.isEmpty else { return [whole(.iTunes, key, content)] }
        return item.values.map { box in
            var entry = entry(keySpace, key, box, item, namespace: DataTypeNamespace.iTunes)
            entry.extras.merge(extras) { $1 }
            return entry
        }
    }

    /// The entries of an item with a key of a list, at least one.
    static func keyedEntries(key: KeyList.Key, content: [UInt8], list: KeyList) -> [MetadataEntry] {
        let item = Item(content)
        let (keySpace, entryKey) = key.entryKey
        guard !item.values.isEmpty else {
            var entry = whole(keySpace, entryKey, content)
            entry.extras[.dataTypeNamespace] = .text(DataTypeNamespace.quickTimeMetadata)
            return [entry]
        }
        return item.values.map { box in
            var entry = entry(keySpace, entryKey, box, item, namespace: DataTypeNamespace.quickTimeMetadata)
            entry.languageTag = ItemLocale.tag(of: box.locale, languages: list.languages, countries: list.countries)
            return entry
        }
    }

    private static func entry(
        _ keySpace: AVMetadataKeySpace, _ key: MetadataKey, _ box: DataBox, _ item: Item, namespace: String
    ) -> MetadataEntry {
        var iTunesKey: FourCC?
        if keySpace == .iTunes, case .code(let code) = key { iTunesKey = FourCC(rawValue: code) }
        let (value, dataType) = box.value(forITunesKey: iTunesKey)
        var entry = MetadataEntry(
            keySpace, key, value, dataType: dataType, languageTag: ItemLocale.tag(of: box.locale),
            extras: [.dataType: .integer(Int64(box.type)), .dataTypeNamespace: .text(namespace)])
        if box.locale != 0 { entry.extras[.locale] = .integer(Int64(box.locale)) }
        if let name = item.name { entry.extras[.name] = .text(name) }
        if !item.others.isEmpty { entry.extras[.otherBoxes] = .data(item.others) }
        return entry
    }

    /// An entry for an item without values.
    private static func whole(
        _ keySpace: AVMetadataKeySpace, _ key: MetadataKey, _ content: [UInt8]
    ) -> MetadataEntry {
        MetadataEntry(
            keySpace, key, .data(content), dataType: MetadataDataType.raw, extras: [.layout: BoxLayout.content.value])
    }

    /// The parts of an item.
    private struct Item {
        /// More values than this in one item are kept as they are.
        private static let maximumValues = 1024

        var values: [DataBox] = []
        var mean: String?
        var name: String?
        /// Boxes of other types, and what is no box.
        var others: [UInt8] = []

        init(_ content: [UInt8]) {
            var offset = 0
            while let size = content.bigEndian32(at: offset).map(Int.init), size >= 8,
                size <= content.count - offset, values.count < Self.maximumValues,
                let type = content.fourCC(at: offset + 4)
            {
                let part = content[offset..<(offset + size)]
                offset += size
                if type == "data", let value = DataBox(Array(part.dropFirst(8))) {
                    values.append(value)
                } else if type == "mean", mean == nil, let text = Self.text(part) {
                    mean = text
                } else if type == "name", name == nil, let text = Self.text(part) {
                    name = text
                } else {
                    others += part
                }
            }
            others += content[offset...]
        }

        /// The text after size, type, version and flags.
        private static func text(_ box: ArraySlice<UInt8>) -> String? {
            guard box.count >= 12, box.bigEndian32(at: 8) == 0 else { return nil }
            return String(validating: box.dropFirst(12), as: UTF8.self)
        }
    }

    // MARK: Writing

    /// Whether two entries can be values of one item.
    static func canShareItem(_ entry: MetadataEntry, _ other: MetadataEntry) -> Bool {
        let keys: [AVMetadataExtraAttributeKey] = [.mean, .name, .otherBoxes, .layout]
        return entry.keySpace == other.keySpace && entry.key == other.key && entry.extras[.layout] == nil
            && keys.allSatisfy { entry.extras[$0] == other.extras[$0] }
    }

    /// The content of an item with entries that can share it.
    static func content(_ entries: [MetadataEntry]) -> [UInt8] {
        guard let first = entries.first else { return [] }
        if first.extras[.layout] == BoxLayout.content.value, case .data(let bytes) = first.value { return bytes }
        var content: [UInt8] = []
        func append(_ type: FourCC, _ text: String) { content += .box(type, [0, 0, 0, 0] + text.utf8) }
        if first.keySpace == .iTunesFreeForm {
            let (mean, name) = freeFormName(first)
            append("mean", mean)
            append("name", name)
        } else if case .text(let name) = first.extras[.name] {
            append("name", name)
        }
        for entry in entries { content += DataBox(entry).bytes }
        if case .data(let others) = first.extras[.otherBoxes] { content += others }
        return content
    }

    /// Whose name a free-form key is, and the name.
    ///
    /// Without the file's own word the last dot parts them, except that all that
    /// follows iTunes' own domain is the name.
    static func freeFormName(_ entry: MetadataEntry) -> (mean: String, name: String) {
        let iTunes = "com.apple.iTunes"
        let text = entry.key.text
        if case .text(let mean) = entry.extras[.mean], case .text(let name) = entry.extras[.name],
            mean + "." + name == text
        {
            return (mean, name)
        }
        if text.hasPrefix(iTunes + ".") { return (iTunes, String(text.dropFirst(iTunes.count + 1))) }
        guard let dot = text.lastIndex(of: ".") else { return (iTunes, text) }
        return (String(text[..<dot]), String(text[text.index(after: dot)...]))
    }
}

/// The list of keys that the items of QuickTime metadata number.
struct KeyList {
    struct Key: Hashable {
        /// What kind of key: `mdta` for names in reverse domain order.
        var namespace: FourCC
        var value: [UInt8]

        /// The key of an entry, `nil` if the list cannot hold it.
        init?(_ entry: MetadataEntry) {
            switch entry.key {
            case .text(let text): value = Array(text.utf8)
            case .code(let code):
                value = []
                value.append(bigEndian: code)
            }
            let name = entry.keySpace.rawValue.latin1 ?? []
            guard name.count == 4, let code = name.fourCC(at: 0), !value.isEmpty else { return nil }
            namespace = code
        }

        init(namespace: FourCC, value: [UInt8]) { (self.namespace, self.value) = (namespace, value) }

        /// Key space and key as entries have them.
        var entryKey: (AVMetadataKeySpace, MetadataKey) {
            let keySpace = AVMetadataKeySpace(rawValue: namespace.description)
            if keySpace.hasCodes, value.count == 4, let code = value.bigEndian32(at: 0) {
                return (keySpace, .code(code))
            }
            return (keySpace, .text(TextCoding.utf8OrLatin1(value)))
        }
    }

    /// More keys than this are not read.
    private static let maximumKeys = 1 << 16

    var keys: [Key] = []
    var languages: [[UInt16]] = []
    var countries: [[UInt16]] = []

    /// Reads the content of a `keys` box.
    init(_ content: [UInt8]) {
        guard let count = content.bigEndian32(at: 4) else { return }
        var offset = 8
        while keys.count < min(Int(count), Self.maximumKeys), let size = content.bigEndian32(at: offset), size >= 8,
            Int(size) <= content.count - offset, let namespace = content.fourCC(at: offset + 4)
        {
            keys.append(Key(namespace: namespace, value: Array(content[(offset + 8)..<(offset + Int(size))])))
            offset += Int(size)
        }
    }

    init(keys: [Key] = []) { self.keys = keys }

    /// The key of a number, which counts from 1.
    subscript(number: UInt32) -> Key? {
        let index = Int(number) - 1
        return keys.indices.contains(index) ? keys[index] : nil
    }

    /// The `keys` box.
    var bytes: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: UInt32(keys.count))
        for key in keys { content += .box(key.namespace, key.value) }
        return .box("keys", content)
    }
}

extension AVMetadataExtraAttributeKey {
    /// Whose name a free-form iTunes key is, in reverse domain order.
    static let mean = AVMetadataExtraAttributeKey(rawValue: "mean")
    /// The name in a free-form iTunes key, or the one that an item has beside its key.
    static let name = AVMetadataExtraAttributeKey(rawValue: "name")
    /// The country and language of an item's value as the file states them.
    static let locale = AVMetadataExtraAttributeKey(rawValue: "locale")
    /// What an item has beside values and names: whole boxes.
    static let otherBoxes = AVMetadataExtraAttributeKey(rawValue: "boxes")
    /// How the value lies in its box, where that is not what the key leads to expect:
    /// see `BoxLayout`.
    static let layout = AVMetadataExtraAttributeKey(rawValue: "layout")
    /// The number of a track on its album, in 3GPP's `albm`.
    static let trackNumber = AVMetadataExtraAttributeKey(rawValue: "trackNumber")
    /// Who rates or classifies, in 3GPP's `rtng` and `clsf`.
    static let entity = AVMetadataExtraAttributeKey(rawValue: "entity")
    /// By which rules: four characters in `rtng`, a number in `clsf`.
    static let criteria = AVMetadataExtraAttributeKey(rawValue: "criteria")
    /// What happened at a place: 0 shooting, 1 real place, 2 fictional place.
    static let role = AVMetadataExtraAttributeKey(rawValue: "role")
    /// The body in the sky that a place is on.
    static let astronomicalBody = AVMetadataExtraAttributeKey(rawValue: "astronomicalBody")
    /// Notes on a place.
    static let notes = AVMetadataExtraAttributeKey(rawValue: "notes")
}

/// How a value lies in its box, where that is not what the key leads to expect.
enum BoxLayout: String {
    /// The value is the content of the box.
    case content
    /// The content of the box is text and nothing else.
    case text

    var value: MetadataValue { .text(rawValue) }
}

/// Whose types of values a number in `dataType` is one of.
enum DataTypeNamespace {
    static let iTunes = "com.apple.itunes"
    static let quickTimeMetadata = "com.apple.quicktime.mdta"
    static let quickTimeUserData = "com.apple.quicktime.udta"
}
