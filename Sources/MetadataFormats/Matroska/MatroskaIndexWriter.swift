internal import MediaIO
internal import MediaMetadata

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
