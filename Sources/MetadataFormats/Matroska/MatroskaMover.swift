internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// A new version with more room before the first Cluster, for files that have
/// room nowhere else.
///
/// Everything behind moves, so that all that tells positions is written anew:
/// indexes, Cues, and the Clusters' own positions.
struct MatroskaMover {
    private let segment: MatroskaSegment
    private let changes: [MatroskaChange]
    /// The index, with what further indexes name but Clusters.
    private let index: MatroskaSeekHead?
    /// Further indexes, which name Clusters.
    private let clusterIndexes: [MatroskaSeekHead]
    private let changedIDs: Set<UInt32>

    init(segment: MatroskaSegment, changes: [MatroskaChange]) {
        self.segment = segment
        let changes = changes.filter { $0.id != MatroskaID.seekHead }
        changedIDs = Set(changes.map(\.id))
        let further = segment.seekHeads.dropFirst()
        let clusterIndexes = further.map { seekHead in
            MatroskaSeekHead(seekHead, entries: seekHead.entries.filter { $0.id == MatroskaID.cluster })
        }.filter { !$0.entries.isEmpty }
        self.clusterIndexes = clusterIndexes
        let gone = further.map(\.element).filter { element in !clusterIndexes.contains { $0.element == element } }
        self.changes =
            changes + [MatroskaChange(id: MatroskaID.seekHead, old: gone, content: nil, hasChecksum: false)]
        index = segment.seekHeads.first.map { first in
            var known: Set<UInt64> = Set(gone.map(\.start))
            let entries = further.flatMap(\.entries).filter { $0.id != MatroskaID.cluster }
            return MatroskaSeekHead(
                first, entries: (first.entries + entries).filter { known.insert($0.target ?? 0).inserted })
        }
    }

    /// Bytes in the place of others.
    private struct Edit {
        let range: Range<UInt64>
        let segments: [FileRewrite.Segment]
        /// How many bytes there are more than before.
        var growth: Int64 { Int64(segments.reduce(0) { $0 + $1.byteCount }) - Int64(range.count) }
    }

    /// Empty room behind an index.
    private static let indexPadding: UInt64 = 128

    /// The new version.
    func segments() throws(MetadataError) -> [FileRewrite.Segment] {
        guard segment.isFrontWhole else {
            throw MetadataError(.damaged, "the beginning of the Segment cannot be read")
        }
        var front = MatroskaFront(segment: segment, changes: changes, holdsAll: true)
        for change in changes where !front.changed.contains(change.id) { front.add(change) }
        // No position can become longer than this in the new version.
        let added = changes.reduce(0) { $0 + $1.contentSize } + segment.content.lowerBound + 1 << 20
        let width = EBMLWriter.numberWidth(segment.file.byteCount + added + cuesSize)
        try front.replace { element throws(MetadataError) in try repositioned(element, width) { $0 } }
        var writer = MatroskaIndexWriter(segment: segment, changed: changedIDs)
        writer.minimumWidth = width
        writer.placed = front.placed(from: segment.content.lowerBound)
        guard let sizedIndex = writer.bytes(replacing: index) else { return [] }
        let void = max(Self.indexPadding, 2)
        let start = segment.content.lowerBound + UInt64(sizedIndex.count) + void
        let frontEnd = start + front.byteCount + MatroskaLayout.padding
        // Sizes first, with positions as they are; then positions by those sizes.
        let sized = try edits(width: width) { $0 }
        let map = PositionMap(segment: segment, front: front.positions(from: start), frontEnd: frontEnd, edits: sized)
        writer.placed = front.placed(from: start)
        writer.moved = map.moved
        let edits = try edits(width: width, moved: map.moved)
        let frontSize = front.byteCount
        try front.replace { element throws(MetadataError) in try repositioned(element, width, map.moved) }
        guard let finalIndex = writer.bytes(replacing: index, byteCount: UInt64(sizedIndex.count)),
            sized.map(\.growth) == edits.map(\.growth), front.byteCount == frontSize
        else { throw MetadataError(.unsupported, "the index cannot be written anew") }
        let pieces: [MatroskaLayout.ByteRun] =
            [.bytes(finalIndex)] + MatroskaLayout.ByteRun.void(void) + front.parts.flatMap(\.pieces)
            + MatroskaLayout.ByteRun.void(MatroskaLayout.padding)
        return assembled(pieces.flatMap(MatroskaLayout.segments), frontEnd: frontEnd, edits)
    }

    /// The whole file: what lies before the Segment, its front, and the rest with its edits.
    private func assembled(
        _ front: [FileRewrite.Segment], frontEnd: UInt64, _ edits: [Edit]
    ) -> [FileRewrite.Segment] {
        var body: [FileRewrite.Segment] = []
        var position = segment.firstCluster
        for edit in edits {
            if edit.range.lowerBound > position { body.append(.source(position..<edit.range.lowerBound)) }
            body += edit.segments
            position = edit.range.upperBound
        }
        if position < segment.content.upperBound { body.append(.source(position..<segment.content.upperBound)) }
        let old = segment.content.upperBound - segment.content.lowerBound
        let new = frontEnd - segment.content.lowerBound + body.reduce(0) { $0 + $1.byteCount }
        let width = segment.sizeField.count
        var size = segment.file.read(at: segment.sizeField.lowerBound, count: width)
        if !segment.isUnknownSize {
            // What a file that is cut off lacks stays lacking.
            let (stated, isTooLong) = (segment.statedSize - old).addingReportingOverflow(new)
            if !isTooLong, stated < 1 << 56 - 1 {
                size = EBMLWriter.size(stated, width: EBMLWriter.sizeWidth(stated) > width ? 8 : width)
            }
        }
        let head: [FileRewrite.Segment] = [.source(0..<segment.sizeField.lowerBound), .bytes(size)]
        let end = segment.content.upperBound..<max(segment.file.byteCount, segment.content.upperBound)
        return head + front + body + (end.isEmpty ? [] : [.source(end)])
    }

    // MARK: Edits

    /// What changes behind the front.
    ///
    /// - Parameters:
    ///   - width: Bytes that positions take at least.
    ///   - moved: Where what lies at a position goes.
    private func edits(width: Int, moved: @escaping (UInt64) -> UInt64) throws(MetadataError) -> [Edit] {
        var result = clusterEdits(moved: moved)
        let gone = Set(changes.flatMap { $0.old.map(\.start) })
        for element in segment.elements where element.start >= segment.firstCluster {
            if gone.contains(element.start) {
                let pieces = MatroskaLayout.ByteRun.void(UInt64(element.range.count))
                result.append(Edit(range: element.range, segments: pieces.flatMap(MatroskaLayout.segments)))
            } else if let segments = try repositioned(element, width, moved) {
                result.append(Edit(range: element.range, segments: segments))
            }
        }
        return result.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Cues or an index with other positions, `nil` for elements that hold none.
    private func repositioned(
        _ element: EBMLElement, _ width: Int, _ moved: @escaping (UInt64) -> UInt64
    ) throws(MetadataError) -> [FileRewrite.Segment]? {
        if element.id == MatroskaID.cues { return try cues(element, width, moved) }
        guard let seekHead = clusterIndexes.first(where: { $0.element == element }) else { return nil }
        var writer = MatroskaIndexWriter(segment: segment, changed: [], moved: moved)
        writer.minimumWidth = width
        return writer.bytes(replacing: seekHead).map { [.bytes($0)] }
    }

    private var cuesSize: UInt64 { segment.all(MatroskaID.cues).reduce(0) { $0 + 8 * UInt64($1.range.count) } }

    /// Cues with other positions.
    private func cues(
        _ element: EBMLElement, _ width: Int, _ moved: (UInt64) -> UInt64
    ) throws(MetadataError) -> [FileRewrite.Segment] {
        guard let bytes = segment.file.read(element.range, limit: MatroskaLimit.bytes) else {
            throw MetadataError(.limit, "the Cues are larger than \(MatroskaLimit.bytes >> 20) MiB")
        }
        return [.bytes(try cues(bytes[...], width, moved, depth: 0))]
    }

    private func cues(
        _ bytes: ArraySlice<UInt8>, _ width: Int, _ moved: (UInt64) -> UInt64, depth: Int
    ) throws(MetadataError) -> [UInt8] {
        let masters: Set<UInt32> = [
            MatroskaID.cues, MatroskaID.cuePoint, MatroskaID.cueTrackPositions, MatroskaID.cueReference,
        ]
        let positions: Set<UInt32> = [
            MatroskaID.cueClusterPosition, MatroskaID.cueCodecState, MatroskaID.cueRefCluster,
            MatroskaID.cueRefCodecState,
        ]
        let (nodes, isWhole) = EBMLNode.nodes(in: bytes, limit: 1 << 20)
        guard isWhole else { throw MetadataError(.damaged, "the Cues cannot be read") }
        var children: [[UInt8]] = []
        for node in nodes where node.id != MatroskaID.crc32 {
            if masters.contains(node.id), depth < MatroskaLimit.depth {
                let content = try cues(node.content, width, moved, depth: depth + 1)
                children.append(EBMLWriter.element(node.id, content))
            } else if positions.contains(node.id), let value = node.unsigned,
                // For a codec state, zero means that there is none.
                value > 0 || node.id == MatroskaID.cueClusterPosition
            {
                let width = max(width, node.content.count)
                children.append(EBMLWriter.unsigned(node.id, position(value, moved), width: width))
            } else {
                children.append(Array(node.bytes))
            }
        }
        return EBMLWriter.content(children, withChecksum: nodes.haveChecksum)
    }

    /// A position within the Segment, moved.
    private func position(_ old: UInt64, _ moved: (UInt64) -> UInt64) -> UInt64 {
        let start = segment.content.lowerBound
        let (absolute, isTooFar) = start.addingReportingOverflow(old)
        guard !isTooFar, absolute <= segment.content.upperBound else { return old }
        return moved(absolute) - start
    }

    /// What Clusters tell about their own positions.
    private func clusterEdits(moved: (UInt64) -> UInt64) -> [Edit] {
        let reader = EBMLReader(file: segment.file)
        let limit = segment.content.upperBound
        var result: [Edit] = []
        var position = segment.firstCluster
        for _ in 0..<MatroskaLimit.blocks {
            guard let element = reader.element(at: position, limit: limit) else { break }
            guard element.id == MatroskaID.cluster else {
                if element.isUnknownSize { break }
                position = element.range.upperBound
                continue
            }
            let (end, edit) = clusterEdit(element, moved: moved)
            if let edit { result += edit }
            position = end
        }
        return result
    }

    private func clusterEdit(_ cluster: EBMLElement, moved: (UInt64) -> UInt64) -> (end: UInt64, edits: [Edit]?) {
        let reader = EBMLReader(file: segment.file)
        var edits: [Edit]?
        var checksum: EBMLElement?
        var position = cluster.content.lowerBound
        var hasBlocks = false
        while let child = reader.element(at: position, limit: cluster.content.upperBound) {
            // A Cluster of unknown size ends where an element of the top level begins.
            if cluster.isUnknownSize, child.id >= 0x1000_0000 { return (position, edits) }
            if child.isUnknownSize { break }
            hasBlocks = hasBlocks || child.id == MatroskaID.simpleBlock || child.id == MatroskaID.blockGroup
            if hasBlocks, !cluster.isUnknownSize { break }
            if child.id == MatroskaID.crc32 { checksum = child }
            if child.id == MatroskaID.clusterPosition, !hasBlocks, let edit = positionEdit(child, cluster, moved) {
                edits = [edit]
                // The checksum is no longer right: it becomes a Void of the same length.
                if let checksum, checksum.start < child.start {
                    let range = checksum.start..<(checksum.start + 1)
                    edits = [Edit(range: range, segments: [.bytes([UInt8(MatroskaID.void)])]), edit]
                }
            }
            position = child.range.upperBound
        }
        return (cluster.content.upperBound, edits)
    }

    /// The new position, or a Void if it takes more bytes than there are.
    private func positionEdit(
        _ element: EBMLElement, _ cluster: EBMLElement, _ moved: (UInt64) -> UInt64
    ) -> Edit? {
        let width = element.content.count
        guard width <= 8 else { return nil }
        let value = moved(cluster.start) - segment.content.lowerBound
        if width > 0, EBMLWriter.numberWidth(value) <= width {
            return Edit(range: element.content, segments: [.bytes(EBMLWriter.number(value, width: width))])
        }
        let pieces = MatroskaLayout.ByteRun.void(UInt64(element.range.count))
        return Edit(range: element.range, segments: pieces.flatMap(MatroskaLayout.segments))
    }

    /// Where what lies at a position of the old version lies in the new one.
    private struct PositionMap {
        private let front: [UInt64: UInt64]
        private let firstCluster: UInt64
        private let frontEnd: UInt64
        /// Positions from which on all moves by so much more than the first Cluster.
        private var shifts: [(from: UInt64, by: Int64)] = []

        init(segment: MatroskaSegment, front: [UInt64: UInt64], frontEnd: UInt64, edits: [Edit]) {
            (self.front, self.frontEnd, firstCluster) = (front, frontEnd, segment.firstCluster)
            var shift: Int64 = 0
            for edit in edits where edit.growth != 0 {
                shift += edit.growth
                shifts.append((edit.range.upperBound, shift))
            }
        }

        func moved(_ position: UInt64) -> UInt64 {
            if let place = front[position] { return place }
            guard let distance = position.minus(firstCluster) else { return position }
            let shift = shifts.last { $0.from <= position }?.by ?? 0
            return UInt64(Int64(frontEnd + distance) + shift)
        }
    }
}

/// Encodes the index of elements of the top level.
struct MatroskaIndexWriter {
    let segment: MatroskaSegment
    /// The IDs of the elements that change.
    let changed: Set<UInt32>
    /// Where new elements lie.
    var placed: [(id: UInt32, start: UInt64)] = []
    /// Where others go.
    var moved: (UInt64) -> UInt64 = { $0 }
    /// Bytes that positions take at least, for an index whose length must not depend on them.
    var minimumWidth = 1

    /// The index of a file.
    ///
    /// - Parameters:
    ///   - seekHead: The old index, `nil` if there is none.
    ///   - byteCount: The length that it must have; `nil` for the least.
    /// - Returns: `nil` if it cannot have that length.
    func bytes(replacing seekHead: MatroskaSeekHead?, byteCount: UInt64? = nil) -> [UInt8]? {
        let content = EBMLWriter.content(entries(of: seekHead), withChecksum: seekHead?.hasChecksum ?? false)
        let size = UInt64(content.count)
        var width = EBMLWriter.sizeWidth(size)
        if let byteCount {
            let least = 4 + UInt64(width) + size
            guard byteCount >= least, byteCount - least + UInt64(width) <= 8 else { return nil }
            width += Int(byteCount - least)
        }
        return EBMLWriter.header(MatroskaID.seekHead, contentSize: size, width: width) + content
    }

    private func entries(of seekHead: MatroskaSeekHead?) -> [[UInt8]] {
        var new = placed
        var result: [[UInt8]] = []
        for entry in seekHead?.entries ?? known {
            guard let target = entry.target else { continue }
            var start = moved(target)
            if changed.contains(entry.id) {
                guard let index = new.firstIndex(where: { $0.id == entry.id }) else { continue }
                start = new.remove(at: index).start
            }
            let isSame = start == target && entry.width >= minimumWidth && !entry.bytes.isEmpty
            result.append(isSame ? entry.bytes : encoded(entry.id, start, width: entry.width))
        }
        return result + new.map { encoded($0.id, $0.start, width: 1) }
    }

    /// What an index should name, for a file without one.
    private var known: [MatroskaSeekHead.Entry] {
        let ids: Set<UInt32> = [
            MatroskaID.info, MatroskaID.tracks, MatroskaID.cues, MatroskaID.chapters, MatroskaID.tags,
            MatroskaID.attachments,
        ]
        return segment.elements.filter { ids.contains($0.id) && !changed.contains($0.id) }
            .map { MatroskaSeekHead.Entry(id: $0.id, target: $0.start, width: 1, bytes: []) }
    }

    private func encoded(_ id: UInt32, _ start: UInt64, width: Int) -> [UInt8] {
        let position = start - min(start, segment.content.lowerBound)
        let fields = [
            EBMLWriter.element(MatroskaID.seekID, EBMLWriter.id(id)),
            EBMLWriter.unsigned(MatroskaID.seekPosition, position, width: max(width, minimumWidth)),
        ]
        return EBMLWriter.element(MatroskaID.seek, Array(fields.joined()))
    }
}
