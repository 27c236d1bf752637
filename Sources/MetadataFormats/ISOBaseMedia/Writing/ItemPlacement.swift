internal import MediaIO
internal import MediaMetadata

/// Which stored items of a file stay for new entries, and which entries are new.
///
/// The new entries are gone through in order. Where they equal the entries of
/// a stored item, all of them and in its order, the stored item stays as it is; the others
/// are written anew.
struct ItemPlacement {
    typealias StoredItem = MovieMetadata.StoredItem

    /// What comes next in the new order.
    enum Step {
        /// The stored item of an index.
        case keep(Int)
        /// Entries that make up one stored item.
        case write([MetadataEntry])
    }

    private(set) var steps: [Step] = []

    /// - Parameter canShare: Whether two entries can be in one stored item.
    init(
        _ entries: [MetadataEntry], among storedItems: [StoredItem],
        canShare: (MetadataEntry, MetadataEntry) -> Bool
    ) {
        var indices: [MetadataEntry: ArraySlice<Int>] = [:]
        for (index, storedItem) in storedItems.enumerated() {
            if let first = storedItem.entries.first { indices[first, default: []].append(index) }
        }
        var position = 0
        var lastKept = -1
        while position < entries.count {
            let entry = entries[position]
            // Looking at a few is enough unless a file is made to be slow.
            let matches = (indices[entry] ?? []).prefix(16).enumerated().filter {
                entries[position...].starts(with: storedItems[$0.element].entries)
            }
            if let (offset, index) = matches.first(where: { $0.element > lastKept }) ?? matches.first {
                if offset == 0 {
                    _ = indices[entry]?.popFirst()
                } else {
                    indices[entry]?.removeAll { $0 == index }
                }
                steps.append(.keep(index))
                lastKept = max(lastKept, index)
                position += storedItems[index].entries.count
                continue
            }
            if case .write(let group) = steps.last, let last = group.last, canShare(last, entry) {
                steps[steps.count - 1] = .write(group + [entry])
            } else {
                steps.append(.write([entry]))
            }
            position += 1
        }
        joinWithKept(storedItems, canShare: canShare)
    }

    /// Adds values that follow a kept stored item of their key to that stored item, unless the
    /// file has separate stored items for the key anyway.
    ///
    /// Many readers see only the first stored item of a key.
    private mutating func joinWithKept(_ storedItems: [StoredItem], canShare: (MetadataEntry, MetadataEntry) -> Bool) {
        var index = 1
        while index < steps.count {
            defer { index += 1 }
            guard case .keep(let kept) = steps[index - 1], case .write(let group) = steps[index],
                let last = storedItems[kept].entries.last, let first = group.first, canShare(last, first),
                storedItems.count(where: { $0.entries.contains { $0.key == first.key } }) == 1
            else { continue }
            steps[index - 1] = .write(storedItems[kept].entries + group)
            steps.remove(at: index)
        }
    }
}
