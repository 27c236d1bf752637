internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// What changes beside the movie when entries there are added or removed.
///
/// Boxes that go become free space of the same size, so that nothing moves.
struct OuterRewriter {
    /// What takes the place of ranges of the file, of the same size.
    private(set) var changes: [(range: Range<UInt64>, bytes: [UInt8])] = []
    /// Boxes to add at the end.
    private(set) var additions: [UInt8] = []
    private(set) var losses: [MetadataLoss] = []

    /// Whether an entry belongs beside the movie.
    static func holds(_ entry: MetadataEntry) -> Bool {
        [OuterMetadata.packetKeySpace, OuterMetadata.metaKeySpace].contains(entry.keySpace)
            && entry.extras[.dataTypeNamespace] == nil
    }

    init(_ entries: [MetadataEntry], among storedItems: [MovieMetadata.StoredItem]) {
        let placement = ItemPlacement(entries, among: storedItems) { _, _ in false }
        var kept: Set<Int> = []
        var packets: [[UInt8]] = []
        for step in placement.steps {
            switch step {
            case .keep(let index): kept.insert(index)
            case .write(let group):
                for entry in group {
                    if let box = Self.packetBox(entry) {
                        packets.append(box)
                    } else {
                        losses.append(
                            MetadataLoss(
                                item: entry.identifier.rawValue,
                                reason: "beside the movie only XMP packets can be written"))
                    }
                }
            }
        }
        for index in storedItems.indices where !kept.contains(index) {
            let box = storedItems[index].box
            let size = Int(box.range.length)
            let rest = { (packet: [UInt8]) in size - packet.count }
            var bytes: [UInt8] = []
            if box.type == "uuid", let fitting = packets.firstIndex(where: { rest($0) == 0 || rest($0) >= 8 }) {
                bytes = packets.remove(at: fitting)
            }
            if bytes.count < size { bytes += .box("free", [UInt8](repeating: 0, count: size - bytes.count - 8)) }
            changes.append((box.range, bytes))
        }
        additions = packets.flatMap { $0 }
    }

    private static func packetBox(_ entry: MetadataEntry) -> [UInt8]? {
        guard entry.keySpace == OuterMetadata.packetKeySpace, entry.key == OuterMetadata.packetKey else { return nil }
        switch entry.value {
        case .text(let text): return .box("uuid", OuterMetadata.packetIdentifier + text.utf8)
        case .data(let bytes): return .box("uuid", OuterMetadata.packetIdentifier + bytes)
        default: return nil
        }
    }
}
