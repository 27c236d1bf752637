internal import MediaIO
internal import MediaMetadata

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

    private func bytes(of piece: Piece) -> [UInt8]? {
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
