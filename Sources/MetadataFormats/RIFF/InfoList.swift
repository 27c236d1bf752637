internal import MediaIO
internal import MediaMetadata

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
