internal import MediaFile
internal import MediaMetadata

/// Which units of a file stay for new entries, and which entries are new.
///
/// The new entries are gone through in order. Where they equal the entries of
/// a unit, all of them and in its order, the unit stays as it is; the others
/// are written anew.
struct UnitPlacement {
    typealias Unit = MovieMetadata.Unit

    /// What comes next in the new order.
    enum Step {
        /// The unit of an index.
        case keep(Int)
        /// Entries that make up one unit.
        case write([MetadataEntry])
    }

    private(set) var steps: [Step] = []

    /// - Parameter canShare: Whether two entries can be in one unit.
    init(
        _ entries: [MetadataEntry], among units: [Unit],
        canShare: (MetadataEntry, MetadataEntry) -> Bool
    ) {
        var indices: [MetadataEntry: ArraySlice<Int>] = [:]
        for (index, unit) in units.enumerated() {
            if let first = unit.entries.first { indices[first, default: []].append(index) }
        }
        var position = 0
        var lastKept = -1
        while position < entries.count {
            let entry = entries[position]
            // Looking at a few is enough unless a file is made to be slow.
            let matches = (indices[entry] ?? []).prefix(16).enumerated().filter {
                entries[position...].starts(with: units[$0.element].entries)
            }
            if let (offset, index) = matches.first(where: { $0.element > lastKept }) ?? matches.first {
                if offset == 0 {
                    _ = indices[entry]?.popFirst()
                } else {
                    indices[entry]?.removeAll { $0 == index }
                }
                steps.append(.keep(index))
                lastKept = max(lastKept, index)
                position += units[index].entries.count
                continue
            }
            if case .write(let group) = steps.last, let last = group.last, canShare(last, entry) {
                steps[steps.count - 1] = .write(group + [entry])
            } else {
                steps.append(.write([entry]))
            }
            position += 1
        }
        joinWithKept(units, canShare: canShare)
    }

    /// Adds values that follow a kept unit of their key to that unit, unless the
    /// file has separate units for the key anyway.
    ///
    /// Many readers see only the first unit of a key.
    private mutating func joinWithKept(_ units: [Unit], canShare: (MetadataEntry, MetadataEntry) -> Bool) {
        var index = 1
        while index < steps.count {
            defer { index += 1 }
            guard case .keep(let kept) = steps[index - 1], case .write(let group) = steps[index],
                let last = units[kept].entries.last, let first = group.first, canShare(last, first),
                units.count(where: { $0.entries.contains { $0.key == first.key } }) == 1
            else { continue }
            steps[index - 1] = .write(units[kept].entries + group)
            steps.remove(at: index)
        }
    }
}
