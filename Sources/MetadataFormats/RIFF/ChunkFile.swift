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

/// Makes a new version of a file with some chunks changed.
///
/// What lies before the media data keeps its length, so that the data do not
/// move: other parts of the file may say where they are.
struct ChunkFileEditor {
    let layout: ChunkFile
    private let file: RandomAccessFile
    /// The chunks that lie before the media data, which must not move; none in formats where all may move.
    private let fixedCount: Int
    /// New chunks in place of old ones by index; empty ones for those that are removed.
    private var replacements: [Int: [UInt8]] = [:]
    private var additions: [[UInt8]] = []
    private var patches: [Patch] = []

    /// Larger stretches of space are left as they are.
    private static let maximumFiller: UInt64 = 1 << 20

    /// New bytes in place of as many old ones.
    private struct Patch {
        let position: UInt64
        let bytes: [UInt8]
    }

    init(_ layout: ChunkFile, of file: RandomAccessFile) {
        self.layout = layout
        self.file = file
        fixedCount = layout.chunks.firstIndex { $0.name == "data" || $0.listType == "movi" } ?? 0
    }

    mutating func replace(_ index: Int, with chunk: [UInt8]) { replacements[index] = chunk }
    mutating func remove(_ index: Int) { replacements[index] = [] }
    mutating func add(_ chunk: [UInt8]) { additions.append(chunk) }
    mutating func patch(at position: UInt64, with bytes: [UInt8]) {
        patches.append(Patch(position: position, bytes: bytes))
    }

    /// Makes space of a chunk within another one.
    mutating func blank(_ chunk: Chunk) { patch(at: chunk.start, with: filler(chunk.end - chunk.start)) }

    /// The new version of the file.
    func rewrite() throws(MetadataError) -> FileRewrite {
        if let obstacle = layout.obstacle { throw MetadataError(.unsupported, obstacle) }
        var additions = additions
        var segments = fixedSegments(&additions)
        let isAppendOnly = replacements.isEmpty && patches.isEmpty && additions.count == self.additions.count
        for index in fixedCount..<max(fixedCount, layout.chunks.count) {
            segments.append(replacements[index].map { .bytes($0) } ?? .source(layout.chunks[index].range))
        }
        var added = additions.flatMap { $0 }
        if !added.isEmpty, isPadMissing { added.insert(0, at: 0) }
        segments.append(.bytes(added))
        let length = segments.reduce(ChunkFile.headerLength) { $0 + $1.byteCount }
        let isWhole = layout.end == file.byteCount
        guard isWhole || length == layout.end || layout.type != "AVI " else {
            throw MetadataError(.unsupported, "an AVI file of several parts has no room for this in its first one")
        }
        let size = try sizeField(length)
        segments = ([.source(0..<ChunkFile.headerLength)] + segments + [.source(layout.end..<file.byteCount)])
            .flatMap { Self.patched($0, patches + [size]) }
        return FileRewrite(segments: segments, steps: isWhole ? steps(size, added, isAppendOnly: isAppendOnly) : nil)
    }

    /// Where the file's size is written, and what it is to be.
    private func sizeField(_ length: UInt64) throws(MetadataError) -> Patch {
        let size = length - Chunk.headerLength
        var bytes: [UInt8] = []
        if layout.kind == .riff64 {
            bytes.append(littleEndian: size)
            return Patch(position: 20, bytes: bytes)
        }
        guard let short = UInt32(exactly: size) else {
            throw MetadataError(.unsupported, "the file would be larger than its header can say")
        }
        if layout.kind == .form { bytes.append(bigEndian: short) } else { bytes.append(littleEndian: short) }
        return Patch(position: 4, bytes: bytes)
    }

    /// How to change the file itself: only if chunks are added after its end, or removed from there.
    private func steps(_ size: Patch, _ added: [UInt8], isAppendOnly: Bool) -> [FileRewrite.Step]? {
        let commit = FileRewrite.Step.commit(size.bytes, at: size.position)
        if isAppendOnly { return [.prepare(added, at: layout.end), commit] }
        guard patches.isEmpty, added.isEmpty, replacements.values.allSatisfy(\.isEmpty),
            let first = replacements.keys.min(), first >= fixedCount,
            replacements.count == layout.chunks.count - first
        else { return nil }
        return [commit, .truncate(to: layout.chunks[first].start)]
    }

    // MARK: Before the media data

    /// A stretch of chunks that are replaced, and of space.
    private struct Gap {
        var range: Range<UInt64>
        var isChanged = false
        var chunks: [[UInt8]] = []

        /// Puts a chunk in if it fills the gap, or leaves room for a chunk of space.
        mutating func take(_ chunk: [UInt8]) -> Bool {
            let length = chunks.reduce(UInt64(chunk.count)) { $0 + UInt64($1.count) }
            guard length == range.length || length + Chunk.headerLength <= range.length else { return false }
            chunks.append(chunk)
            isChanged = true
            return true
        }
    }

    /// The chunks before the media data with changes; what finds no room there is added to `additions`.
    private func fixedSegments(_ additions: inout [[UInt8]]) -> [FileRewrite.Segment] {
        var gaps: [Gap] = []
        var isOpen = false
        for (index, chunk) in layout.chunks.prefix(fixedCount).enumerated() {
            let replacement = replacements[index]
            // Space before the format of a WAV file is kept for large sizes.
            let isSpace = chunk.isFiller && chunk.range.length <= Self.maximumFiller
            let isGap = replacement != nil || (isSpace && (isOpen || layout.type == "AVI "))
            if isGap, !isOpen { gaps.append(Gap(range: chunk.range)) }
            isOpen = isGap
            guard isGap, var gap = gaps.popLast() else { continue }
            gap.range = gap.range.lowerBound..<chunk.end
            gap.isChanged = gap.isChanged || replacement != nil
            gaps.append(gap)
        }
        for (index, chunk) in layout.chunks.prefix(fixedCount).enumerated() {
            guard let new = replacements[index], !new.isEmpty,
                let place = gaps.firstIndex(where: { $0.range.contains(chunk.start) })
            else { continue }
            if !gaps[place].take(new) { additions.append(new) }
        }
        // Elsewhere a new chunk at the end keeps the file's beginning as it is.
        if layout.type == "AVI " {
            additions.removeAll { chunk in gaps.indices.contains { gaps[$0].take(chunk) } }
        }
        var segments: [FileRewrite.Segment] = []
        var position = ChunkFile.headerLength
        for gap in gaps where gap.isChanged {
            let used = gap.chunks.reduce(0) { $0 + UInt64($1.count) }
            segments.append(.source(position..<gap.range.lowerBound))
            segments.append(.bytes(gap.chunks.flatMap { $0 } + filler(gap.range.length - used)))
            position = gap.range.upperBound
        }
        let end = fixedCount > 0 ? layout.chunks[fixedCount - 1].end : position
        return segments + [.source(position..<end)]
    }

    /// A chunk of space of a whole length; odd ones stand for odd chunks without padding.
    private func filler(_ length: UInt64) -> [UInt8] {
        guard length >= Chunk.headerLength else { return [] }
        let count = Int(length - Chunk.headerLength)
        return layout.header("JUNK", count: count) + Array(repeating: 0, count: count)
    }

    /// Whether the last chunk is odd and lacks its byte of padding.
    private var isPadMissing: Bool {
        guard let last = layout.chunks.last else { return false }
        return replacements[layout.chunks.count - 1] == nil && last.range.length % 2 == 1
    }

    /// A segment with the new bytes that belong in it.
    private static func patched(_ segment: FileRewrite.Segment, _ patches: [Patch]) -> [FileRewrite.Segment] {
        guard case .source(var range) = segment else { return [segment] }
        var result: [FileRewrite.Segment] = []
        for patch in patches.sorted(by: { $0.position < $1.position }) {
            let end = patch.position + UInt64(patch.bytes.count)
            guard patch.position >= range.lowerBound, end <= range.upperBound else { continue }
            result += [.source(range.lowerBound..<patch.position), .bytes(patch.bytes)]
            range = end..<range.upperBound
        }
        return result + [.source(range)]
    }
}
