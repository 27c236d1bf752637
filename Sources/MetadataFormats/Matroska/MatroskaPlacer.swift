internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Finds places for new elements among what may be overwritten: Voids, elements
/// that change or go, and the end of the Segment.
///
/// The Clusters stay where they are, and so do all other elements, unless those
/// before the first Cluster are packed.
struct MatroskaPlacer {
    /// Where a new element goes, if there is room.
    enum Preference: Hashable {
        /// Where the old one is.
        case oldPlace
        /// Into the first space that is large enough.
        case firstSpace
        /// Behind everything else.
        case end
        /// Into the first space once everything before the first Cluster is packed,
        /// with what changes there or without.
        case packedFront(holdsAll: Bool)

        var isPacked: Bool { if case .packedFront = self { true } else { false } }
    }

    /// Free bytes in a row, and what was put there.
    struct Gap {
        var range: Range<UInt64>
        /// Whether it ends the Segment, which may get longer.
        var canGrow = false
        /// Whether something was there that changes or goes.
        var isFreed = false
        var placed: [(start: UInt64, byteCount: UInt64, pieces: [MatroskaLayout.ByteRun])] = []

        var cursor: UInt64 { placed.last.map { $0.start + $0.byteCount } ?? range.lowerBound }
    }

    let segment: MatroskaSegment
    let changes: [MatroskaChange]
    let preference: Preference
    /// Whether the Segment gets shorter when much becomes free at its end.
    var cutsEnd = true
    /// Whether each new element must begin where the old one does.
    var keepsPlaces = false

    /// The layout, `nil` if there is not room enough.
    func layout() -> MatroskaLayout? {
        let seekHead = segment.seekHeads.first
        guard seekHead != nil || preference.isPacked else {
            return placed(index: [])?.layout
        }
        // Positions decide how long the index is, and its length decides about positions.
        var index = [UInt8](repeating: 0, count: seekHead.map { Int($0.element.range.count) } ?? 64)
        for attempt in 0..<6 {
            guard let result = placed(index: index),
                let least = result.writer.bytes(replacing: seekHead)
            else { return nil }
            if least == index { return result.layout }
            let isPadded = attempt > 1 && least.count < index.count
            let padded = isPadded ? result.writer.bytes(replacing: seekHead, byteCount: UInt64(index.count)) : nil
            if padded == index { return result.layout }
            index = padded ?? least
        }
        return nil
    }

    /// Puts an index and the new elements in their places.
    ///
    /// - Returns: The layout and what the index should be; `nil` if there is no room.
    private func placed(index: [UInt8]) -> (layout: MatroskaLayout, writer: MatroskaIndexWriter)? {
        var gaps = self.gaps
        var writer = MatroskaIndexWriter(segment: segment, changed: Set(changes.map(\.id)))
        var regions: [MatroskaLayout.Region] = []
        var rest = changes.filter { $0.content != nil }
        guard !keepsPlaces || rest.count == changes.count else { return nil }
        if preference.isPacked {
            guard let front = packedFront(index: index, &rest, &writer) else { return nil }
            regions.append(front)
            gaps = gaps.filter { $0.range.lowerBound >= segment.firstCluster }
        } else if !index.isEmpty, let seekHead = segment.seekHeads.first {
            let gap = gaps.firstIndex { $0.range.contains(seekHead.element.start) }
            guard let gap,
                put([.bytes(index)], UInt64(index.count), into: &gaps[gap], at: seekHead.element.start) != nil
            else { return nil }
        }
        let isIndexed = !index.isEmpty
        for change in rest {
            guard let start = place(change, into: &gaps) else { return nil }
            guard !keepsPlaces || (change.old.count == 1 && start == change.old.first?.start) else { return nil }
            let wasBehind = change.old.contains { $0.start >= segment.firstCluster }
            // Without an index nobody would look for it behind the Clusters.
            guard isIndexed || wasBehind || start < segment.firstCluster || !segment.hasClusters else { return nil }
            writer.placed.append((change.id, start))
        }
        var end = segment.content.upperBound
        for gap in gaps { regions += self.regions(of: gap, end: &end) }
        return (MatroskaLayout(segment: segment, regions: regions, end: end), writer)
    }

    // MARK: Gaps

    /// The elements that may be overwritten.
    private func isFree(_ element: EBMLElement) -> Bool {
        element.id == MatroskaID.void || element.id == MatroskaID.crc32
            || element.start == segment.seekHeads.first?.element.start || isChanged(element)
    }

    private func isChanged(_ element: EBMLElement) -> Bool {
        changes.contains { $0.old.contains { $0.start == element.start } }
    }

    private var gaps: [Gap] {
        var gaps: [Gap] = []
        for element in segment.elements where isFree(element) {
            let isFreed = isChanged(element)
            if let last = gaps.last, last.range.upperBound == element.start {
                gaps[gaps.count - 1].range = last.range.lowerBound..<element.range.upperBound
                gaps[gaps.count - 1].isFreed = last.isFreed || isFreed
            } else {
                gaps.append(Gap(range: element.range, isFreed: isFreed))
            }
        }
        guard segment.canGrow else { return gaps }
        let end = segment.content.upperBound
        if gaps.last?.range.upperBound != end { gaps.append(Gap(range: end..<end)) }
        gaps[gaps.count - 1].canGrow = true
        return gaps
    }

    // MARK: Placing

    private func place(_ change: MatroskaChange, into gaps: inout [Gap]) -> UInt64? {
        guard let element = change.element else { return nil }
        if preference == .oldPlace, let old = change.old.first,
            let gap = gaps.firstIndex(where: { $0.range.contains(old.start) }),
            let start = put(element, into: &gaps[gap], at: old.start)
        {
            return start
        }
        let first = segment.seekHeads.first?.element.start ?? segment.content.lowerBound
        for index in gaps.indices where gaps[index].range.upperBound > first {
            if change.isForFront, gaps[index].range.upperBound > segment.firstCluster { continue }
            if preference == .end, !change.isForFront, !gaps[index].canGrow { continue }
            if let start = put(element, into: &gaps[index], at: nil) { return start }
        }
        return nil
    }

    private func put(_ element: MatroskaNewElement, into gap: inout Gap, at start: UInt64?) -> UInt64? {
        var element = element
        for _ in 0..<2 {
            if let start = put(element.pieces, element.byteCount, into: &gap, at: start) { return start }
            // A single byte that remains is too small for a Void.
            element.extraWidth = 1
        }
        return nil
    }

    private func put(
        _ pieces: [MatroskaLayout.ByteRun], _ byteCount: UInt64, into gap: inout Gap, at wanted: UInt64?
    ) -> UInt64? {
        var start = gap.cursor
        if let wanted, wanted > start, wanted - start != 1 { start = wanted }
        let end = start + byteCount
        guard gap.canGrow || (end <= gap.range.upperBound && gap.range.upperBound - end != 1) else { return nil }
        gap.placed.append((start, byteCount, pieces))
        return start
    }

    // MARK: Packing

    /// Everything before the first Cluster without the Voids between, and one Void behind the index.
    private func packedFront(
        index: [UInt8], _ rest: inout [MatroskaChange], _ writer: inout MatroskaIndexWriter
    ) -> MatroskaLayout.Region? {
        // A second index would have to tell of what moves, too.
        guard segment.isFrontWhole, segment.hasClusters, segment.seekHeads.count < 2 else { return nil }
        let holdsAll = preference == .packedFront(holdsAll: true)
        let parts = MatroskaFront(segment: segment, changes: changes, holdsAll: holdsAll)
        let length = segment.firstCluster - segment.content.lowerBound
        guard let space = length.minus(UInt64(index.count) + parts.byteCount), space != 1 else { return nil }
        let start = segment.content.lowerBound + UInt64(index.count) + space
        rest = rest.filter { !parts.changed.contains($0.id) }
        let moved = parts.positions(from: start)
        writer.moved = { moved[$0] ?? $0 }
        writer.placed = parts.placed(from: start)
        let void = space > 0 ? MatroskaLayout.ByteRun.void(space) : []
        return MatroskaLayout.Region(
            start: segment.content.lowerBound, pieces: [.bytes(index)] + void + parts.parts.flatMap(\.pieces))
    }

    // MARK: Regions

    /// What a gap is to hold.
    private func regions(of gap: Gap, end: inout UInt64) -> [MatroskaLayout.Region] {
        var regions: [MatroskaLayout.Region] = []
        var position = gap.range.lowerBound
        for item in gap.placed {
            if item.start > position { regions += void(position..<item.start) }
            regions.append(MatroskaLayout.Region(start: item.start, pieces: item.pieces))
            position = item.start + item.byteCount
        }
        if gap.canGrow {
            guard gap.isFreed || !gap.placed.isEmpty else { return regions }
            end = segmentEnd(position, old: gap.range.upperBound, isEmpty: gap.placed.isEmpty)
            if end > position { regions += void(position..<end) }
        } else if position < gap.range.upperBound {
            regions += void(position..<gap.range.upperBound)
        }
        return regions
    }

    /// Where the Segment ends if its last new element ends at a position.
    private func segmentEnd(_ position: UInt64, old: UInt64, isEmpty: Bool) -> UInt64 {
        let padding = isEmpty ? 0 : MatroskaLayout.padding
        guard position < old else { return position == old ? old : position + padding }
        let left = old - position
        if cutsEnd, left > 2 * MatroskaLayout.padding { return position + padding }
        return left == 1 ? position + MatroskaLayout.padding : old
    }

    /// A Void, unless the file has the very same.
    private func void(_ range: Range<UInt64>) -> [MatroskaLayout.Region] {
        if segment.elements.contains(where: { $0.id == MatroskaID.void && $0.range == range }) { return [] }
        return [
            MatroskaLayout.Region(
                start: range.lowerBound, pieces: MatroskaLayout.ByteRun.void(range.upperBound - range.lowerBound))
        ]
    }
}

/// What lies before the first Cluster in the new version, without Voids and without the index.
struct MatroskaFront {
    struct Part {
        let id: UInt32
        /// The element of the file, `nil` for a new one.
        let old: EBMLElement?
        var pieces: [MatroskaLayout.ByteRun]

        var byteCount: UInt64 { pieces.reduce(0) { $0 + $1.byteCount } }
    }

    private(set) var parts: [Part] = []
    /// The IDs of the changes that are among the parts.
    private(set) var changed: Set<UInt32> = []
    var byteCount: UInt64 { parts.reduce(0) { $0 + $1.byteCount } }

    /// The elements of the file, each change where its old element is; those
    /// that players need before the Clusters in any case.
    ///
    /// - Parameter holdsAll: Whether changes that may lie elsewhere stay here too.
    init(segment: MatroskaSegment, changes: [MatroskaChange], holdsAll: Bool) {
        for element in segment.elements where element.start < segment.firstCluster {
            if let change = changes.first(where: { $0.old.contains { $0.start == element.start } }) {
                if !changed.contains(change.id), holdsAll || change.isForFront { add(change) }
            } else if ![MatroskaID.void, MatroskaID.crc32].contains(element.id),
                element.start != segment.seekHeads.first?.element.start
            {
                parts.append(Part(id: element.id, old: element, pieces: [.source(element.range)]))
            }
        }
        for change in changes where change.isForFront && !changed.contains(change.id) { add(change) }
    }

    /// Adds a new element.
    mutating func add(_ change: MatroskaChange) {
        guard let element = change.element else { return }
        changed.insert(change.id)
        parts.append(Part(id: change.id, old: nil, pieces: element.pieces))
    }

    /// Gives elements of the file other bytes.
    mutating func replace(
        _ replacement: (EBMLElement) throws(MetadataError) -> [FileRewrite.Segment]?
    ) throws(MetadataError) {
        for index in parts.indices {
            guard let old = parts[index].old, let segments = try replacement(old) else { continue }
            parts[index].pieces = segments.map(MatroskaLayout.ByteRun.init)
        }
    }

    /// Where the elements of the file go if the first part begins at a position.
    func positions(from start: UInt64) -> [UInt64: UInt64] {
        var result: [UInt64: UInt64] = [:]
        var position = start
        for part in parts {
            if let old = part.old { result[old.start] = position }
            position += part.byteCount
        }
        return result
    }

    /// Where the new elements go if the first part begins at a position.
    func placed(from start: UInt64) -> [(id: UInt32, start: UInt64)] {
        var result: [(id: UInt32, start: UInt64)] = []
        var position = start
        for part in parts {
            if part.old == nil { result.append((part.id, position)) }
            position += part.byteCount
        }
        return result
    }
}
