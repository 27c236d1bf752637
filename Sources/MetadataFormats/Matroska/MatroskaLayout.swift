internal import MediaIO
internal import MediaMetadata

/// New content for the elements of one ID at the top level.
struct MatroskaChange {
    let id: UInt32
    /// What the file has, in file order.
    let old: [EBMLElement]
    /// The new content without a checksum, `nil` for no such element.
    let content: [FileRewrite.Segment]?
    let hasChecksum: Bool

    /// Whether players need it before the first Cluster.
    var isForFront: Bool { id == MatroskaID.info || id == MatroskaID.tracks }
    /// Bytes of the new content.
    var contentSize: UInt64 { content.map(Self.size) ?? 0 }

    /// The new element, `nil` if there is none.
    var element: MatroskaNewElement? {
        guard let content else { return nil }
        guard hasChecksum, content.allSatisfy(\.isBytes) else { return MatroskaNewElement(id: id, content: content) }
        let bytes = EBMLWriter.content(content.map(\.bytes), withChecksum: true)
        return MatroskaNewElement(id: id, content: [.bytes(bytes)])
    }

    static func size(_ content: [FileRewrite.Segment]) -> UInt64 { content.byteCount }
}

extension FileRewrite.Segment {
    fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
    fileprivate var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}

/// An element to be written.
struct MatroskaNewElement {
    let id: UInt32
    let content: [FileRewrite.Segment]
    /// More bytes for its size than needed, to fill a space that a Void is too large for.
    var extraWidth = 0

    var header: [UInt8] {
        let size = MatroskaChange.size(content)
        return EBMLWriter.header(id, contentSize: size, width: EBMLWriter.sizeWidth(size) + extraWidth)
    }
    /// Bytes of the whole element.
    var byteCount: UInt64 { UInt64(header.count) + MatroskaChange.size(content) }
    var pieces: [MatroskaLayout.Piece] { [.bytes(header)] + content.map(MatroskaLayout.Piece.init) }
}

/// Where the parts of the new version lie, for a version in which the Clusters stay where they are.
struct MatroskaLayout {
    enum Piece {
        case bytes([UInt8])
        /// A range of the old version.
        case source(Range<UInt64>)
        /// The content of a Void.
        case zeros(UInt64)

        var byteCount: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .source(let range): range.upperBound - range.lowerBound
            case .zeros(let count): count
            }
        }

        init(_ segment: FileRewrite.Segment) {
            switch segment {
            case .bytes(let bytes): self = .bytes(bytes)
            case .source(let range): self = .source(range)
            }
        }

        /// A Void of a number of bytes in all, at least two.
        static func void(_ byteCount: UInt64) -> [Piece] {
            let header = EBMLWriter.voidHeader(byteCount: byteCount)
            return [.bytes(header), .zeros(byteCount - UInt64(header.count))]
        }
    }

    /// Bytes that take the place of others, or of nothing behind the old end.
    struct Region {
        let start: UInt64
        let pieces: [Piece]

        var end: UInt64 { start + pieces.reduce(0) { $0 + $1.byteCount } }
    }

    let segment: MatroskaSegment
    /// What changes, in file order.
    let regions: [Region]
    /// Where the Segment ends.
    let end: UInt64

    /// Room left behind new elements, for the next change to find place.
    static let padding: UInt64 = 4096

    /// The Segment's size with its new value; longer than before if it does not fit.
    var sizeBytes: [UInt8] {
        let width = Int(segment.sizeField.upperBound - segment.sizeField.lowerBound)
        let old = segment.file.read(at: segment.sizeField.lowerBound, count: width)
        guard end != segment.content.upperBound, !segment.isUnknownSize else { return old }
        let size = end - segment.content.lowerBound
        return EBMLWriter.size(size, width: EBMLWriter.sizeWidth(size) > width ? 8 : width)
    }

    /// The new version of the file.
    var segments: [FileRewrite.Segment] {
        let old = segment.content.upperBound
        var result: [FileRewrite.Segment] = [.source(0..<segment.sizeField.lowerBound), .bytes(sizeBytes)]
        var position = segment.sizeField.upperBound
        for region in regions {
            if region.start > position { result.append(.source(position..<min(region.start, max(position, old)))) }
            result += region.pieces.flatMap(Self.segments)
            position = region.end
        }
        if position < end, position < old { result.append(.source(position..<min(end, old))) }
        if old < segment.file.byteCount { result.append(.source(old..<segment.file.byteCount)) }
        return result
    }

    static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    /// Pieces as segments; zeros in parts that share their bytes.
    static func segments(_ piece: Piece) -> [FileRewrite.Segment] {
        switch piece {
        case .bytes(let bytes): return [.bytes(bytes)]
        case .source(let range): return [.source(range)]
        case .zeros(let count):
            let whole = [FileRewrite.Segment](repeating: .bytes(zeros), count: Int(count / UInt64(zeros.count)))
            let rest = Int(count % UInt64(zeros.count))
            return whole + (rest > 0 ? [.bytes([UInt8](repeating: 0, count: rest))] : [])
        }
    }
}
