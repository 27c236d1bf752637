internal import MediaIO
internal import MediaMetadata

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
        var pieces: [Piece] = [
            .bytes(EBMLWriter.header(change.id, contentSize: contentEnd - contentStart, width: 8))
        ]
        pieces += Piece.void(start - contentStart)
        // Without the header, whose place is taken.
        pieces += MatroskaNewElement(id: change.id, content: content).pieces.dropFirst()
        if contentEnd < end { pieces += Piece.void(end - contentEnd) }
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
