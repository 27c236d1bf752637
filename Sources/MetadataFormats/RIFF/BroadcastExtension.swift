internal import MediaIO
internal import MediaMetadata

/// The chunk `bext` of Broadcast Wave files.
///
/// Source: EBU Tech 3285, version 2.
struct BroadcastExtension {
    private enum Form: Equatable {
        case text
        /// A count of samples, 64 bits.
        case count
        case hexadecimal
        /// Hundredths, 16 bits with a sign.
        case hundredths
    }

    private struct Field {
        let name: String
        let range: Range<Int>
        let form: Form
    }

    private static let fields = [
        Field(name: "description", range: 0..<256, form: .text),
        Field(name: "originator", range: 256..<288, form: .text),
        Field(name: "originator-reference", range: 288..<320, form: .text),
        Field(name: "origination-date", range: 320..<330, form: .text),
        Field(name: "origination-time", range: 330..<338, form: .text),
        Field(name: "time-reference", range: 338..<346, form: .count),
        Field(name: "umid", range: 348..<412, form: .hexadecimal),
        Field(name: "loudness-value", range: 412..<414, form: .hundredths),
        Field(name: "loudness-range", range: 414..<416, form: .hundredths),
        Field(name: "max-true-peak-level", range: 416..<418, form: .hundredths),
        Field(name: "max-momentary-loudness", range: 418..<420, form: .hundredths),
        Field(name: "max-short-term-loudness", range: 420..<422, form: .hundredths),
    ]
    private static let history = "coding-history"
    private static let versionOffset = 346
    private static let fixedLength = 602
    private static let noLoudness: UInt16 = 0x7FFF
    static let prefix = "bext-"
    /// A larger chunk is not read: its history of codings is a line for each.
    static let maximumLength = 1 << 20

    private var bytes: [UInt8]

    /// A chunk's content; what is missing at its end counts as empty.
    init(_ content: [UInt8]) {
        bytes = content + Array(repeating: 0, count: max(0, Self.fixedLength - content.count))
    }

    private var version: Int { Int(bytes.littleEndian16(at: Self.versionOffset) ?? 0) }

    /// What is filled in.
    var entries: [MetadataEntry] {
        let texts = Self.fields.map { ($0.name, text(of: $0)) }
        let history = TextCoding.utf8OrLatin1(bytes[Self.fixedLength...].prefix { $0 != 0 })
        return (texts + [(Self.history, history)]).compactMap { name, text in
            text.isEmpty ? nil : MetadataEntry(.audioFile, .text(Self.prefix + name), .text(text))
        }
    }

    private func text(of field: Field) -> String {
        let value = bytes[field.range]
        switch field.form {
        case .text: return TextCoding.utf8OrLatin1(value.prefix { $0 != 0 })
        case .count: return value.littleEndian64(at: 0).map { $0 == 0 ? "" : String($0) } ?? ""
        case .hexadecimal:
            guard version >= 1, value.contains(where: { $0 != 0 }) else { return "" }
            return value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        case .hundredths:
            guard version >= 2, let number = value.littleEndian16(at: 0), number != Self.noLoudness else { return "" }
            return Self.decimal(Int(Int16(bitPattern: number)))
        }
    }

    private static func decimal(_ hundredths: Int) -> String {
        let digits = String(abs(hundredths) % 100)
        return (hundredths < 0 ? "-" : "") + "\(abs(hundredths) / 100)." + (digits.count == 1 ? "0" : "") + digits
    }

    // MARK: Writing

    /// The content with other entries, and what it could not hold; `nil` for no entries.
    static func content(
        of entries: [MetadataEntry], replacing old: BroadcastExtension?
    ) -> (content: [UInt8]?, losses: [MetadataLoss]) {
        guard !entries.isEmpty else { return (nil, []) }
        var new = old ?? BroadcastExtension([])
        let before = Dictionary(new.entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<MetadataKey> = []
        var losses: [MetadataLoss] = []
        for entry in entries {
            let isFirst = seen.insert(entry.key).inserted
            if isFirst, before[entry.key] == entry { continue }
            let text = entry.text ?? ""
            if !isFirst || !new.set(String(entry.key.text.dropFirst(prefix.count)), to: text) {
                let reason = isFirst ? "it does not fit into its field of the chunk bext" : "bext has one of it only"
                losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason))
            }
        }
        for key in before.keys where !seen.contains(key) {
            _ = new.set(String(key.text.dropFirst(prefix.count)), to: "")
        }
        return (new.bytes, losses)
    }

    /// Fills in a field; `false` if it is none or the text does not fit.
    private mutating func set(_ name: String, to text: String) -> Bool {
        if name == Self.history {
            bytes.replaceSubrange(Self.fixedLength..., with: Array(text.utf8))
            return true
        }
        guard let field = Self.fields.first(where: { $0.name == name }),
            let value = Self.value(of: text, field), value.count <= field.range.count
        else { return false }
        let needed = field.form == .hundredths ? 2 : field.form == .hexadecimal ? 1 : 0
        if version < needed, !text.isEmpty { setVersion(needed) }
        let padding = Array(repeating: UInt8(0), count: field.range.count - value.count)
        bytes.replaceSubrange(field.range, with: value + padding)
        return true
    }

    private mutating func setVersion(_ version: Int) {
        if version >= 2, self.version < 2 {
            for field in Self.fields where field.form == .hundredths {
                bytes.replaceSubrange(field.range, with: [0xFF, 0x7F])
            }
        }
        bytes.replaceSubrange(Self.versionOffset..<(Self.versionOffset + 2), with: [UInt8(version), 0])
    }

    private static func value(of text: String, _ field: Field) -> [UInt8]? {
        var value: [UInt8] = []
        switch field.form {
        case .text: return Array(text.utf8)
        case .count:
            guard let number = text.isEmpty ? 0 : UInt64(text) else { return nil }
            value.append(littleEndian: number)
        case .hexadecimal:
            let digits = Array(text.utf8)
            guard digits.count % 2 == 0, digits.count <= 2 * field.range.count else { return nil }
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let byte = UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) else {
                    return nil
                }
                value.append(byte)
            }
        case .hundredths:
            guard let number = text.isEmpty ? Double(noLoudness) / 100 : Double(text),
                let hundredths = Int16(exactly: (number * 100).rounded())
            else { return nil }
            value.append(littleEndian: UInt16(bitPattern: hundredths))
        }
        return value
    }
}

/// A list `INFO` of RIFF: texts under names of four characters.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, section 2.
struct InfoList {
    private struct Item {
        /// The chunk with its header and padding.
        let bytes: [UInt8]
        let entry: MetadataEntry
    }

    private var items: [Item] = []
    /// Whether there are bytes that are no chunks.
    private(set) var isDamaged = false
    /// Lists are read into memory.
    private static let maximumLength = 16 << 20
    private static let maximumItems = 1 << 12

    /// Names of the key space that do not say how a format stores them.
    private static let aliases = [
        "info-title": "INAM", "info-artist": "IART", "info-author": "IART", "info-comment": "ICMT",
        "info-comments": "ICMT", "info-copyright": "ICOP",
    ]

    /// Reads lists, `nil` if they are too large.
    init?(_ lists: [Chunk], _ reader: ChunkReader) {
        var room = UInt64(Self.maximumLength)
        for list in lists {
            let range = list.listContent
            guard range.length <= room else { return nil }
            room -= range.length
            let chunks = reader.chunks(in: range, limit: Self.maximumItems)
            guard items.count + chunks.count < Self.maximumItems else { return nil }
            isDamaged = isDamaged || (chunks.last?.end ?? range.lowerBound) < range.upperBound
            items += chunks.filter { !$0.isFiller }.compactMap { Self.item($0, reader.file) }
        }
    }

    private static func item(_ chunk: Chunk, _ file: RandomAccessFile) -> Item? {
        guard var bytes = file.read(chunk.range, limit: maximumLength) else { return nil }
        if chunk.isCut {
            var size: [UInt8] = []
            size.append(littleEndian: UInt32(bytes.count - Int(Chunk.headerLength)))
            bytes.replaceSubrange(4..<8, with: size)
        }
        let text = bytes.dropFirst(Int(Chunk.headerLength)).prefix { $0 != 0 }
        let entry = MetadataEntry(.audioFile, .text(chunk.name), .text(TextCoding.utf8OrLatin1(text)))
        if bytes.count % 2 == 1 { bytes.append(0) }
        return Item(bytes: bytes, entry: entry)
    }

    var entries: [MetadataEntry] { items.map(\.entry) }

    /// The name under which an entry is stored, `nil` if it cannot be.
    static func name(of entry: MetadataEntry) -> String? {
        guard entry.keySpace == .audioFile, case .text(let key) = entry.key else { return nil }
        let name = aliases[key] ?? key
        return name.utf8.count == 4 && name.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? name : nil
    }

    /// A list of entries, no bytes for no entries; those that the old list has keep their bytes.
    func chunk(of entries: [MetadataEntry], in layout: ChunkFile) -> [UInt8] {
        guard !entries.isEmpty else { return [] }
        let old = Dictionary(items.map { ($0.entry, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        let chunks = entries.flatMap { entry in
            if let bytes = old[entry] { return bytes }
            let text =
                switch entry.value {
                case .text(let text): Array(text.utf8)
                case .integer(let number): Array(String(number).utf8)
                case .real(let number): Array(String(number).utf8)
                case .data(let bytes): bytes
                }
            return layout.chunk(Self.name(of: entry) ?? "    ", text + [0])
        }
        return layout.chunk("LIST", Array("INFO".utf8) + chunks)
    }
}
