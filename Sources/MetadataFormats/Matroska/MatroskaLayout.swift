internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// New content for the elements of one ID at the top level.
struct MatroskaChange {
    let id: UInt32
    /// What the file has, in file order.
    let old: [EBMLElement]
    /// The new content without a checksum, `nil` for no such element.
    let content: [FileRewrite.Segment]?
    let hasChecksum: Bool

    /// Whether players need it before the first Cluster.
    var isForFront: Bool { id == MatroskaID.info || id == MatroskaID.tracks }
    /// Bytes of the new content.
    var contentSize: UInt64 { content.map(Self.size) ?? 0 }

    /// The new element, `nil` if there is none.
    var element: MatroskaNewElement? {
        guard let content else { return nil }
        guard hasChecksum, content.allSatisfy(\.isBytes) else { return MatroskaNewElement(id: id, content: content) }
        let bytes = EBMLWriter.content(content.map(\.bytes), withChecksum: true)
        return MatroskaNewElement(id: id, content: [.bytes(bytes)])
    }

    static func size(_ content: [FileRewrite.Segment]) -> UInt64 { content.byteCount }
}

extension FileRewrite.Segment {
    fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
    fileprivate var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}

/// An element to be written.
struct MatroskaNewElement {
    let id: UInt32
    let content: [FileRewrite.Segment]
    /// More bytes for its size than needed, to fill a space that a Void is too large for.
    var extraWidth = 0

    var header: [UInt8] {
        let size = MatroskaChange.size(content)
        return EBMLWriter.header(id, contentSize: size, width: EBMLWriter.sizeWidth(size) + extraWidth)
    }
    /// Bytes of the whole element.
    var byteCount: UInt64 { UInt64(header.count) + MatroskaChange.size(content) }
    var pieces: [MatroskaLayout.ByteRun] { [.bytes(header)] + content.map(MatroskaLayout.ByteRun.init) }
}

/// Where the parts of the new version lie, for a version in which the Clusters stay where they are.
struct MatroskaLayout {
    enum ByteRun {
        case bytes([UInt8])
        /// A range of the old version.
        case source(Range<UInt64>)
        /// The content of a Void.
        case zeros(UInt64)

        var byteCount: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .source(let range): range.upperBound - range.lowerBound
            case .zeros(let count): count
            }
        }

        init(_ segment: FileRewrite.Segment) {
            switch segment {
            case .bytes(let bytes): self = .bytes(bytes)
            case .source(let range): self = .source(range)
            }
        }

        /// A Void of a number of bytes in all, at least two.
        static func void(_ byteCount: UInt64) -> [ByteRun] {
            let header = EBMLWriter.voidHeader(byteCount: byteCount)
            return [.bytes(header), .zeros(byteCount - UInt64(header.count))]
        }
    }

    /// Bytes that take the place of others, or of nothing behind the old end.
    struct Region {
        let start: UInt64
        let pieces: [ByteRun]

        var end: UInt64 { start + pieces.reduce(0) { $0 + $1.byteCount } }
    }

    let segment: MatroskaSegment
    /// What changes, in file order.
    let regions: [Region]
    /// Where the Segment ends.
    let end: UInt64

    /// Room left behind new elements, for the next change to find place.
    static let padding: UInt64 = 4096

    /// The Segment's size with its new value; longer than before if it does not fit.
    var sizeBytes: [UInt8] {
        let width = Int(segment.sizeField.upperBound - segment.sizeField.lowerBound)
        let old = segment.file.read(at: segment.sizeField.lowerBound, count: width)
        guard end != segment.content.upperBound, !segment.isUnknownSize else { return old }
        let size = end - segment.content.lowerBound
        return EBMLWriter.size(size, width: EBMLWriter.sizeWidth(size) > width ? 8 : width)
    }

    /// The new version of the file.
    var segments: [FileRewrite.Segment] {
        let old = segment.content.upperBound
        var result: [FileRewrite.Segment] = [.source(0..<segment.sizeField.lowerBound), .bytes(sizeBytes)]
        var position = segment.sizeField.upperBound
        for region in regions {
            if region.start > position { result.append(.source(position..<min(region.start, max(position, old)))) }
            result += region.pieces.flatMap(Self.segments)
            position = region.end
        }
        if position < end, position < old { result.append(.source(position..<min(end, old))) }
        if old < segment.file.byteCount { result.append(.source(old..<segment.file.byteCount)) }
        return result
    }

    static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    /// Pieces as segments; zeros in parts that share their bytes.
    static func segments(_ piece: ByteRun) -> [FileRewrite.Segment] {
        switch piece {
        case .bytes(let bytes): return [.bytes(bytes)]
        case .source(let range): return [.source(range)]
        case .zeros(let count):
            let whole = [FileRewrite.Segment](repeating: .bytes(zeros), count: Int(count / UInt64(zeros.count)))
            let rest = Int(count % UInt64(zeros.count))
            return whole + (rest > 0 ? [.bytes([UInt8](repeating: 0, count: rest))] : [])
        }
    }
}

extension MatroskaLayout {
    /// More bytes than this are not written before the change itself.
    private static let maximumPrepared = 16 << 20

    /// Bytes for a position.
    private struct Write {
        var start: UInt64
        var bytes: [UInt8]
        var end: UInt64 { start + UInt64(bytes.count) }
    }

    /// What has to be written, by when it may be.
    private struct Writes {
        /// Where no reader of the old version looks.
        var before: [Write] = []
        /// What readers of both see.
        var change: [Write] = []
        /// Where no reader of the new version looks.
        var after: [Write] = []
    }

    /// A way to change the file itself, `nil` if there is none that leaves it
    /// whole at each moment.
    ///
    /// New content is first written to where no reader looks. A write within one
    /// page then makes the change. What became free is overwritten with zeros
    /// last, so that nothing removed can be read any more.
    ///
    /// - Parameter changes: What changes; Voids within the old elements are room as well.
    func steps(_ changes: [MatroskaChange]) -> [FileRewrite.Step]? {
        let old = segment.content.upperBound
        let isAtFileEnd = old == segment.file.byteCount
        guard sizeBytes.count == segment.sizeField.count, end == old || isAtFileEnd else { return nil }
        var unread = segment.unread(within: changes.filter { !$0.isForFront }.flatMap(\.old))
        if isAtFileEnd { unread.append(old..<UInt64.max) }
        guard var writes = writes(unread: unread) else { return nil }
        let size = Write(start: segment.sizeField.lowerBound, bytes: sizeBytes)
        let sizeWrite = differing(size)
        var commits: [Write] = []
        if let all = merged(writes.change + sizeWrite, writes.before) {
            commits = [all]
        } else if let longer = growth(&writes), let rest = merged(writes.change, writes.before + sizeWrite) {
            commits = sizeWrite + [rest]
            writes.before.append(longer)
        } else if let removal = removal(changes, writes.change + sizeWrite, writes.before) {
            commits = removal
        } else {
            return nil
        }
        var steps = added(&writes.before).map { FileRewrite.Step.prepare($0.bytes, at: $0.start) }
        steps += writes.before.map { .prepare($0.bytes, at: $0.start) }
        steps += commits.filter { !$0.bytes.isEmpty }.map { .commit($0.bytes, at: $0.start) }
        steps += writes.after.map { .prepare($0.bytes, at: $0.start) }
        if end < old { steps.append(.truncate(to: end)) }
        return steps
    }

    /// Sorts the regions' bytes by when they may be written.
    private func writes(unread: [Range<UInt64>]) -> Writes? {
        var result = Writes()
        var prepared = 0
        for region in regions {
            var position = region.start
            for piece in region.pieces {
                switch piece {
                case .zeros(let count): result.after += clearing(position..<(position + count))
                case .source, .bytes:
                    guard piece.byteCount <= UInt64(Self.maximumPrepared - prepared),
                        let bytes = bytes(of: piece)
                    else { return nil }
                    prepared += bytes.count
                    split(Write(start: position, bytes: bytes), unread, into: &result)
                }
                position += piece.byteCount
            }
        }
        return result
    }

    private func bytes(of piece: ByteRun) -> [UInt8]? {
        switch piece {
        case .bytes(let bytes): bytes
        case .source(let range): segment.file.read(range, limit: Self.maximumPrepared)
        case .zeros: nil
        }
    }

    /// Parts a write where what readers see begins and ends.
    private func split(_ write: Write, _ unread: [Range<UInt64>], into result: inout Writes) {
        var position = write.start
        while position < write.end {
            let space = unread.first { $0.upperBound > position }
            let isUnread = space.map { $0.lowerBound <= position } ?? false
            let next = min(write.end, isUnread ? space?.upperBound ?? write.end : space?.lowerBound ?? write.end)
            let part = Write(
                start: position, bytes: Array(write.bytes[Int(position - write.start)..<Int(next - write.start)]))
            if isUnread { result.before += differing(part) } else { result.change += differing(part) }
            position = next
        }
    }

    /// The part of a write from the first to the last byte that is another one in the file.
    private func differing(_ write: Write) -> [Write] {
        let old = segment.file.read(at: write.start, count: write.bytes.count)
        guard old.count == write.bytes.count else { return [write] }
        guard let first = old.indices.first(where: { old[$0] != write.bytes[$0] }),
            let last = old.indices.last(where: { old[$0] != write.bytes[$0] })
        else { return [] }
        return [Write(start: write.start + UInt64(first), bytes: Array(write.bytes[first...last]))]
    }

    /// Zeros for what is none in the file.
    private func clearing(_ range: Range<UInt64>) -> [Write] {
        var result: [Write] = []
        var position = range.lowerBound
        let end = min(range.upperBound, segment.file.byteCount)
        while position < end {
            let count = Int(min(end - position, UInt64(Self.zeros.count)))
            let old = segment.file.read(at: position, count: count)
            if old.contains(where: { $0 != 0 }) {
                // Whole parts share their bytes.
                let zeros = count == Self.zeros.count ? Self.zeros : [UInt8](repeating: 0, count: count)
                result.append(Write(start: position, bytes: zeros))
            }
            position += UInt64(count)
        }
        return result
    }

    /// One write instead of several, `nil` if they do not lie in one page.
    ///
    /// - Parameter before: Writes that were made already.
    private func merged(_ writes: [Write], _ before: [Write]) -> Write? {
        guard let start = writes.map(\.start).min(), let end = writes.map(\.end).max() else {
            return Write(start: 0, bytes: [])
        }
        guard start / FileRewrite.pageSize == (end - 1) / FileRewrite.pageSize else { return nil }
        var bytes = segment.file.read(at: start, count: Int(end - start))
        bytes += [UInt8](repeating: 0, count: Int(end - start) - bytes.count)
        for write in before + writes {
            let range = max(write.start, start)..<max(min(write.end, end), max(write.start, start))
            guard !range.isEmpty else { continue }
            let part = write.bytes[Int(range.lowerBound - write.start)..<Int(range.upperBound - write.start)]
            bytes.replaceSubrange(Int(range.lowerBound - start)..<Int(range.upperBound - start), with: part)
        }
        return Write(start: start, bytes: bytes)
    }

    /// The header of a Void over all that is added to the Segment, so that the
    /// Segment can be made longer before the change; `nil` if there is no place for it.
    private func growth(_ writes: inout Writes) -> Write? {
        let old = segment.content.upperBound
        guard end > old, let size = end.minus(old + Self.temporaryHeader) else { return nil }
        let header = EBMLWriter.header(MatroskaID.void, contentSize: size, width: 8)
        let isFree = !writes.before.contains { $0.start < old + Self.temporaryHeader && $0.end > old }
        guard isFree, UInt64(header.count) == Self.temporaryHeader else { return nil }
        writes.after.append(Write(start: old, bytes: [UInt8](repeating: 0, count: header.count)))
        return Write(start: old, bytes: header)
    }

    /// The writes for an element behind the Clusters that only goes.
    ///
    /// The element becomes a Void first, which removes it for all readers; what
    /// the index then still says leads them to that Void.
    private func removal(_ changes: [MatroskaChange], _ writes: [Write], _ before: [Write]) -> [Write]? {
        guard changes.count == 1, changes[0].content == nil, changes[0].old.count == 1,
            changes[0].old[0].start >= segment.firstCluster,
            let element = merged(writes.filter { $0.start >= segment.firstCluster }, before),
            let index = merged(writes.filter { $0.start < segment.firstCluster }, before)
        else { return nil }
        return [element, index]
    }

    /// What is added behind the end of the file, as one write.
    private func added(_ writes: inout [Write]) -> [Write] {
        let old = segment.file.byteCount
        guard end > old else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(min(end - old, UInt64(4 * Self.maximumPrepared))))
        for write in writes where write.start >= old && write.end - old <= UInt64(bytes.count) {
            bytes.replaceSubrange(Int(write.start - old)..<Int(write.end - old), with: write.bytes)
        }
        writes.removeAll { $0.start >= old }
        return [Write(start: old, bytes: bytes)]
    }
}

extension MatroskaLayout {
    /// A layout in which the new element begins where the old one does, with a
    /// Void before its content.
    ///
    /// The new content goes to where no reader looks: into a Void behind or
    /// within the old element, or behind the end of the file. One small write at
    /// the element's beginning then hides the old content and shows the new one,
    /// and nothing that refers to the element has to change.
    static func wrapped(_ change: MatroskaChange, in segment: MatroskaSegment) -> MatroskaLayout? {
        guard !change.isForFront, change.id != MatroskaID.seekHead, let content = change.content,
            change.old.count == 1, let old = change.old.first
        else { return nil }
        var end = old.range.upperBound
        for element in segment.elements where element.id == MatroskaID.void && element.start == end {
            end = element.range.upperBound
        }
        let size = change.contentSize
        for space in segment.unread(within: [old]) where space.lowerBound > old.start && space.upperBound <= end {
            let start = max(space.lowerBound, old.start + minimumStart)
            guard let rest = space.upperBound.minus(start)?.minus(size) else { continue }
            // Behind the content: the end of the space, or the header of a Void.
            let isFull = rest == 0 && space.upperBound == end
            guard isFull || rest >= UInt64(EBMLHeader.maximumByteCount) else { continue }
            return layout(change, content, in: segment, at: start, end: end)
        }
        guard segment.canGrow, end == segment.content.upperBound else { return nil }
        // Room for the header of a Void over all that is added, until the change is made.
        let start = max(end + temporaryHeader, old.start + minimumStart)
        return layout(change, content, in: segment, at: start, end: start + size + padding)
    }

    /// Bytes of a Void's header with the longest size.
    static let temporaryHeader: UInt64 = 9
    /// Bytes of the element's header and of the shortest Void.
    private static let minimumStart: UInt64 = 14

    private static func layout(
        _ change: MatroskaChange, _ content: [FileRewrite.Segment], in segment: MatroskaSegment, at start: UInt64,
        end: UInt64
    ) -> MatroskaLayout? {
        guard let old = change.old.first else { return nil }
        let contentStart = old.start + UInt64(EBMLHeader.maximumByteCount)
        let contentEnd = start + change.contentSize
        var pieces: [ByteRun] = [
            .bytes(EBMLWriter.header(change.id, contentSize: contentEnd - contentStart, width: 8))
        ]
        pieces += ByteRun.void(start - contentStart)
        // Without the header, whose place is taken.
        pieces += MatroskaNewElement(id: change.id, content: content).pieces.dropFirst()
        if contentEnd < end { pieces += ByteRun.void(end - contentEnd) }
        return MatroskaLayout(
            segment: segment, regions: [Region(start: old.start, pieces: pieces)],
            end: max(end, segment.content.upperBound))
    }
}

extension MatroskaSegment {
    /// The content of Voids: of the top level, and directly within some elements.
    ///
    /// Those within an element that has a checksum count as read.
    func unread(within parents: [EBMLElement]) -> [Range<UInt64>] {
        var result = all(MatroskaID.void).map(\.content)
        for parent in parents {
            let children = EBMLReader(file: file).elements(in: parent.content, count: 256)
            guard children.first?.id != MatroskaID.crc32 else { continue }
            result += children.filter { $0.id == MatroskaID.void && !$0.isUnknownSize }.map(\.content)
        }
        return result.sorted { $0.lowerBound < $1.lowerBound }
    }
}
