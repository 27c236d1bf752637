internal import MediaIO
internal import MediaMetadata

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
