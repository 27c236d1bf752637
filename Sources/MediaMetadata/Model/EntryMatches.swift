/// Finds out which of a file's entries new ones are.
package enum EntryMatches {
    /// What equal entries share, without looking at every byte of pictures.
    private struct Signature: Hashable {
        private static let sampleSize = 64

        let key: MetadataKey
        let byteCount: Int
        let samples: [UInt8]

        init(_ entry: MetadataEntry) {
            key = entry.key
            switch entry.value {
            case .text(let text): (byteCount, samples) = (text.utf8.count, Self.samples(text.utf8))
            case .data(let bytes): (byteCount, samples) = (bytes.count, Self.samples(bytes))
            case .integer, .real: (byteCount, samples) = (0, [])
            }
        }

        private static func samples(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
            Array(bytes.prefix(sampleSize)) + Array(bytes.suffix(sampleSize))
        }
    }

    /// So many entries of one signature are compared, so that a file of nothing
    /// else is soon done with; one that is missed is merely encoded anew.
    private static let maximumTries = 32

    /// For each new entry the place of the old one that it equals; each old one is taken once, in order.
    package static func places(of newEntries: [MetadataEntry], in oldEntries: [MetadataEntry]) -> [Int?] {
        var candidates: [Signature: [Int]] = [:]
        // From the last to the first, so that the next one is the last of its list.
        for index in oldEntries.indices.reversed() {
            candidates[Signature(oldEntries[index]), default: []].append(index)
        }
        return newEntries.map { entry in
            let signature = Signature(entry)
            let place = candidates[signature]?.suffix(maximumTries).lastIndex { oldEntries[$0] == entry }
            return place.flatMap { candidates[signature]?.remove(at: $0) }
        }
    }
}
