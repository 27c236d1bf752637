internal import MediaIO
internal import MediaMetadata

/// One chunk of a RIFF or IFF file.
struct Chunk: Hashable {
    let name: String
    /// The type of a list's content: `INFO`; `nil` for a chunk that is no list.
    let listType: String?
    /// Where its header begins.
    let start: UInt64
    /// Its bytes after the header; those of a list begin with its type.
    let content: Range<UInt64>
    /// Where the next chunk begins.
    let end: UInt64
    /// Whether it claims more bytes than there are.
    let isCut: Bool

    static let headerLength: UInt64 = 8

    var range: Range<UInt64> { start..<end }
    /// What a list holds.
    var listContent: Range<UInt64> { min(content.lowerBound + 4, content.upperBound)..<content.upperBound }
    /// Whether it holds nothing but space.
    var isFiller: Bool { ["JUNK", "PAD ", "FLLR"].contains(name) }
}

/// Walks the chunks of a file; only headers are read.
struct ChunkReader {
    let file: RandomAccessFile
    let isBigEndian: Bool
    /// Sizes that do not fit into a chunk's header, by the chunk's name.
    var largeSizes: [String: UInt64] = [:]

    /// The chunks in a range, not more than a limit.
    func chunks(in range: Range<UInt64>, limit: Int = 1 << 14) -> [Chunk] {
        var result: [Chunk] = []
        var position = range.lowerBound
        while position < range.upperBound, range.upperBound - position >= Chunk.headerLength,
            result.count < limit, let chunk = chunk(at: position, end: range.upperBound)
        {
            result.append(chunk)
            position = chunk.end
        }
        return result
    }

    private func chunk(at position: UInt64, end: UInt64) -> Chunk? {
        let header = file.read(at: position, count: 12)
        guard let short = isBigEndian ? header.bigEndian32(at: 4) : header.littleEndian32(at: 4),
            Self.isName(header.prefix(4))
        else { return nil }
        let name = String(latin1: header.prefix(4))
        let size = short == .max ? largeSizes[name] ?? UInt64(short) : UInt64(short)
        let start = position + Chunk.headerLength
        let isCut = size > end - start
        let contentEnd = isCut ? end : start + size
        let isList = (name == "LIST" || name == "RIFF") && header.count == 12 && contentEnd - start >= 4
        return Chunk(
            name: name, listType: isList ? String(latin1: header[8..<12]) : nil, start: position,
            content: start..<contentEnd, end: padded(contentEnd, size: size, end: end), isCut: isCut)
    }

    /// Where the next chunk begins: after a byte of padding if the size is odd,
    /// though some programs left that out.
    private func padded(_ position: UInt64, size: UInt64, end: UInt64) -> UInt64 {
        guard size % 2 == 1, position < end else { return position }
        let next = file.read(at: position, count: 5)
        if next.first != 0, next.count == 5, Self.isName(next.prefix(4)), !Self.isName(next.suffix(4)) {
            return position
        }
        return position + 1
    }

    private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == 4 && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// A file of chunks: its header and what lies directly in it.
struct ChunkFile {
    enum Kind {
        case riff
        /// RIFF with sizes of 64 bits in a chunk of their own.
        case riff64
        case form
    }

    let kind: Kind
    /// `WAVE`, `AVI `, `AIFF`, `AIFC`.
    let type: String
    let reader: ChunkReader
    let chunks: [Chunk]
    /// Where the outermost chunk ends.
    let end: UInt64
    /// Why no chunk can be added, in one line.
    let obstacle: String?
    static let headerLength: UInt64 = 12

    /// The layout of a file, `nil` if it does not begin like one of chunks.
    init?(_ file: RandomAccessFile) {
        let header = file.read(at: 0, count: 36)
        guard header.count >= 12, let kind = Self.kind(header) else { return nil }
        self.kind = kind
        type = String(latin1: header[8..<12])
        var reader = ChunkReader(file: file, isBigEndian: kind == .form)
        var size = (kind == .form ? header.bigEndian32(at: 4) : header.littleEndian32(at: 4)).map(UInt64.init)
        if kind == .riff64 {
            size = header.dropFirst(12).prefix(4).elementsEqual("ds64".utf8) ? header.littleEndian64(at: 20) : nil
            reader.largeSizes = Self.largeSizes(file, header)
        }
        let available = file.byteCount - Chunk.headerLength
        let isKnown = size.map { $0 >= 4 && $0 <= available } ?? false
        end = isKnown ? Chunk.headerLength + (size ?? 0) : file.byteCount
        chunks = reader.chunks(in: Self.headerLength..<max(Self.headerLength, end))
        self.reader = reader
        if !isKnown {
            obstacle = "the file's size does not agree with its header"
        } else if chunks.contains(where: \.isCut) {
            obstacle = "the file's last chunk is cut short"
        } else if (chunks.last?.end ?? Self.headerLength) < end {
            obstacle = "the file has bytes between its chunks"
        } else if chunks.dropLast().contains(where: { ($0.end - $0.start) % 2 == 1 }) {
            obstacle = "chunks of odd size lack their padding"
        } else {
            obstacle = nil
        }
    }

    private static func kind(_ header: [UInt8]) -> Kind? {
        switch String(latin1: header[0..<4]) {
        case "RIFF": .riff
        case "RF64", "BW64": .riff64
        case "FORM": .form
        default: nil
        }
    }

    /// The sizes in the chunk `ds64`: that of the data, and a table.
    private static func largeSizes(_ file: RandomAccessFile, _ header: [UInt8]) -> [String: UInt64] {
        guard let size = header.littleEndian64(at: 28) else { return [:] }
        var sizes = ["data": size]
        let table = file.read(at: 44, count: 4 + 12 * 64)
        for index in 0..<min(Int(table.littleEndian32(at: 0) ?? 0), 64) {
            guard let size = table.littleEndian64(at: 8 + 12 * index) else { break }
            sizes[String(latin1: table[(4 + 12 * index)..<(8 + 12 * index)])] = size
        }
        return sizes
    }

    /// A chunk with its header and padding.
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        header(name, count: content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    /// The header of a chunk.
    func header(_ name: String, count: Int) -> [UInt8] {
        var bytes = name.latin1 ?? []
        let size = UInt32(truncatingIfNeeded: count)
        if kind == .form { bytes.append(bigEndian: size) } else { bytes.append(littleEndian: size) }
        return bytes
    }
}

extension MetadataEntry {
    /// What a chunk of its own holds: bytes as they are, all else as text.
    var chunkContent: [UInt8] {
        switch value {
        case .data(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        }
    }
}
