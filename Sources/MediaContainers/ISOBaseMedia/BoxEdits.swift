internal import MediaCore
package import MediaIO

/// Changes of boxes within boxes.
///
/// What is changed is described by where boxes begin in the file; the boxes
/// around it get their new sizes, and everything else stays as it is, byte by
/// byte. Free space within a box gives and takes what its neighbours need, so
/// that sizes change no further out than necessary.
package struct BoxEdits {
    /// What a part of the new file is made of.
    package typealias Segment = FileRewrite.Segment

    /// No changes.
    package init() {}

    private var replacements: [UInt64: [Segment]] = [:]
    /// By the box they go into, and where in it: before the box that begins there.
    private var insertions: [UInt64: [UInt64: [Segment]]] = [:]
    private var additions: [UInt64: [Segment]] = [:]
    /// Where changes are, to find out soon whether a box has any.
    private var positions: Set<UInt64> = []

    var isEmpty: Bool { positions.isEmpty }

    /// Puts something in a box's place; nothing removes it.
    package mutating func replace(_ box: Box, with segments: [Segment]) {
        replacements[box.start] = segments
        positions.insert(box.start)
    }

    /// Changes the bytes of a small box's content, those that it has by earlier changes.
    package mutating func change(_ box: Box, _ reader: BoxReader, _ body: (inout [UInt8]) -> Void) {
        var content = reader.bytes(of: box)
        if let old = replacements[box.start] {
            guard case .bytes(let bytes)? = old.first, old.count == 1, bytes.count >= 8 else { return }
            content = Array(bytes.dropFirst(8))
        }
        let before = content
        body(&content)
        if content != before { replace(box, with: [.bytes(.box(box.type, content))]) }
    }

    /// Puts boxes into a box, before that of its boxes that begins at a position.
    package mutating func insert(_ segments: [Segment], into box: Box, at position: UInt64) {
        insertions[box.start, default: [:]][position, default: []] += segments
        positions.insert(box.start)
    }

    /// Puts boxes into a box after all others.
    package mutating func append(_ segments: [Segment], to box: Box) {
        additions[box.start, default: []] += segments
        positions.insert(box.start)
    }

    // MARK: Result

    /// The types that may remain in a `meta` box which holds nothing.
    private static let structureOfMetadata: Set<FourCC> = ["hdlr", "keys", "mhdr", "ctry", "lang", "free", "skip"]

    /// Boxes deeper than this are not changed.
    private static let maximumDepth = 12

    /// A box as it will be; nothing if it holds nothing any more.
    func result(for box: Box, reader: BoxReader) -> [Segment] {
        result(for: box, reader: reader, positions: positions.sorted(), depth: 0)
    }

    private func result(for box: Box, reader: BoxReader, positions: [UInt64], depth: Int) -> [Segment] {
        if let replacement = replacements[box.start] { return replacement }
        guard depth < Self.maximumDepth, hasEdits(box, positions) else { return unchanged(box, reader, depth: depth) }
        let inner = reader.children(of: box)
        let children = reader.boxes(in: inner)
        let end = children.last?.range.upperBound ?? inner.lowerBound
        let places = insertions[box.start] ?? [:]
        var parts: [Part] = []
        for child in children {
            if let insertion = places[child.start] { parts.append(Part(segments: insertion)) }
            let segments = result(for: child, reader: reader, positions: positions, depth: depth + 1)
            if segments.isEmpty { continue }
            let isSame = segments == [.source(child.range)]
            parts.append(Part(segments: segments, type: child.type, padding: isSame ? child.padding(reader) : nil))
        }
        let last = [places[end], additions[box.start]].compactMap(\.self)
        if !last.isEmpty, let child = children.last, parts.last?.segments == [.source(child.range)] {
            parts[parts.count - 1].segments = reader.segments(of: child)
        }
        parts += last.map { Part(segments: $0) }
        let tail = end..<inner.upperBound
        if isEmptied(box, parts, tail: tail, reader) { return [] }
        absorb(difference: 8 + (inner.lowerBound - box.content.lowerBound), in: &parts, of: box, tail: tail)
        var segments: [Segment] = [.source(box.content.lowerBound..<inner.lowerBound)]
        segments += parts.flatMap(\.segments) + [.source(tail)]
        segments.removeAll { $0.byteCount == 0 }
        return [.bytes(.boxHeader(box.type, contentLength: segments.byteCount))] + segments
    }

    /// A box that stays as it is, but for a size that it does not state and needs now.
    private func unchanged(_ box: Box, _ reader: BoxReader, depth: Int) -> [Segment] {
        // Within a box only the last one may have none, which is found out where others come after it.
        depth == 0 ? reader.segments(of: box) : [.source(box.range)]
    }

    /// A part of a box as it will be.
    private struct Part {
        var segments: [Segment]
        /// `nil` for what is new.
        var type: FourCC?
        /// The box, if it is free space.
        var padding: Box?
    }

    private func hasEdits(_ box: Box, _ positions: [UInt64]) -> Bool {
        if insertions[box.start] != nil || additions[box.start] != nil { return true }
        let index = positions.partitioningIndex { $0 >= box.content.lowerBound }
        return index < positions.count && positions[index] < box.content.upperBound
    }

    /// Whether a changed box holds nothing that it is there for.
    private func isEmptied(_ box: Box, _ parts: [Part], tail: Range<UInt64>, _ reader: BoxReader) -> Bool {
        switch box.type {
        case "ilst", "udta":
            return parts.allSatisfy { $0.padding != nil } && tail.length < 8
        case "meta":
            return parts.allSatisfy { part in part.type.map(Self.structureOfMetadata.contains) == true }
        default: return false
        }
    }

    /// Lets free space grow or shrink so that the box keeps its size, if some can.
    ///
    /// - Parameter overhead: Bytes of the new header and of what is between it and the first box.
    private func absorb(
        difference overhead: UInt64, in parts: inout [Part], of box: Box, tail: Range<UInt64>
    ) {
        let new = overhead + parts.reduce(0) { $0 + $1.segments.byteCount } + (tail.length)
        let old = box.range.length
        guard new != old else { return }
        for index in parts.indices.reversed() {
            guard let padding = parts[index].padding else { continue }
            let size = padding.range.length
            guard size + old >= new, case let size = size + old - new, size == 0 || size >= 8,
                let segments = padding.resized(to: size)
            else { continue }
            parts[index].segments = segments
            return
        }
    }
}

extension Box {
    /// Free space that is looked through for what programs hide in it; more is left alone.
    private static let maximumPadding: UInt64 = 16 << 20

    /// The box itself if it is free space, filled with zeros or one other byte.
    ///
    /// Some cameras keep data in such boxes.
    func padding(_ reader: BoxReader) -> Box? {
        guard FourCC.freeSpace.contains(type), range.length <= Self.maximumPadding,
            let bytes = reader.file.read(content, limit: Int(Self.maximumPadding)), bytes.allSatisfy({ $0 == bytes[0] })
        else { return nil }
        return self
    }

    /// Free space of another size, `nil` if it would be too large.
    fileprivate func resized(to size: UInt64) -> [FileRewrite.Segment]? {
        guard size > 0 else { return [] }
        guard size <= Self.maximumPadding else { return nil }
        let content = [UInt8](repeating: 0, count: Int(size) - 8)
        return [.bytes(.boxHeader(type, contentLength: size - 8) + content)]
    }
}

extension [UInt8] {
    /// A whole box.
    package static func box(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
        var bytes = boxHeader(type, contentLength: UInt64(content.count))
        bytes.reserveCapacity(bytes.count + content.count)
        bytes += content
        return bytes
    }

    /// A box's header, with a size of 64 bits if it needs one.
    static func boxHeader(_ type: FourCC, contentLength: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        let isLarge = contentLength > UInt64(UInt32.max) - 8
        bytes.append(bigEndian: isLarge ? 1 : UInt32(contentLength + 8))
        bytes.append(bigEndian: type.rawValue)
        if isLarge { bytes.append(bigEndian: contentLength + 16) }
        return bytes
    }
}

/// The content of a table box, read number by number: there may be millions.
///
/// What lies beyond the end reads as zero; ``count(at:entrySize:)`` tells how many entries do not.
package struct TableBytes {
    /// The content.
    package let bytes: [UInt8]

    /// The content of a box.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The version of the box, its first byte.
    package var version: UInt8 { bytes.first ?? 0 }
    /// The 24 bits after the version.
    package var flags: UInt32 { bytes.count >= 4 ? u32(0) & 0xFF_FFFF : 0 }

    /// The 16-bit number at a position.
    func u16(_ at: Int) -> UInt16 {
        guard at >= 0, at <= bytes.count - 2 else { return 0 }
        return UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
    }

    /// The 32-bit number at a position.
    package func u32(_ at: Int) -> UInt32 {
        guard at >= 0, at <= bytes.count - 4 else { return 0 }
        return UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
            | UInt32(bytes[at + 3])
    }

    /// The 64-bit number at a position.
    package func u64(_ at: Int) -> UInt64 { UInt64(u32(at)) << 32 | UInt64(u32(at + 4)) }

    /// The entries that a table claims at a position, but no more than it has bytes for.
    ///
    /// - Parameters:
    ///   - position: Where the count is; the entries follow it.
    ///   - size: Bytes of an entry.
    func count(at position: Int, entrySize size: Int) -> Int {
        guard bytes.count >= position + 4 else { return 0 }
        return min(Int(u32(position)), (bytes.count - position - 4) / size)
    }
}

extension TableBytes {
    /// Rows of tables that take more memory in use than in the file; twenty hours of film have no more.
    private static let maximumRows = 1 << 22

    /// The entries of a table, if they are not too many.
    func limitedCount(at position: Int, entrySize size: Int) throws(MovieError) -> Int {
        let count = count(at: position, entrySize: size)
        guard count <= Self.maximumRows else {
            throw MovieError(.limit, "one of its tables has more than \(Self.maximumRows) rows")
        }
        return count
    }
}

extension [UInt8] {
    /// Writes a number over the bytes at a position, the high byte first.
    mutating func set(bigEndian number: some FixedWidthInteger, at position: Int) {
        let width = number.bitWidth / 8
        for index in 0..<width {
            self[position + index] = UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - index)))
        }
    }
}
