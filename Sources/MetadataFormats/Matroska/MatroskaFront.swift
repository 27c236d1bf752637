internal import MediaIO
internal import MediaMetadata

/// What lies before the first Cluster in the new version, without Voids and without the index.
struct MatroskaFront {
    struct Part {
        let id: UInt32
        /// The element of the file, `nil` for a new one.
        let old: EBMLElement?
        var pieces: [MatroskaLayout.Piece]

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
            parts[index].pieces = segments.map(MatroskaLayout.Piece.init)
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
