internal import MediaCore
internal import MediaIO

/// Ranges of the source in order, none of which touches another.
///
/// Tracks are added one by one: those that lie between each other, as they do
/// in most movies, become one range again, however many chunks they have.
struct SourceRanges {
    private(set) var ranges: [Range<UInt64>] = []

    /// Adds the bytes of some ranges.
    mutating func formUnion(_ added: [Range<UInt64>]) {
        let isSorted = added.indices.dropFirst().allSatisfy { added[$0 - 1].lowerBound <= added[$0].lowerBound }
        let others = isSorted ? added : added.sorted { $0.lowerBound < $1.lowerBound }
        var union: [Range<UInt64>] = []
        var (left, right) = (ranges.startIndex, others.startIndex)
        while left < ranges.count || right < others.count {
            let takesLeft =
                right == others.count || (left < ranges.count && ranges[left].lowerBound <= others[right].lowerBound)
            let next = takesLeft ? ranges[left] : others[right]
            if takesLeft { left += 1 } else { right += 1 }
            if let last = union.last, next.lowerBound <= last.upperBound {
                union[union.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
            } else {
                union.append(next)
            }
        }
        ranges = union
    }
}

/// Source ranges of media data in the order of the file, each byte once.
struct MediaDataLayout: Sendable {
    let ranges: [Range<UInt64>]
    /// Where each range begins among the kept bytes.
    private let starts: [UInt64]
    let byteCount: UInt64

    init(_ ranges: [Range<UInt64>]) {
        var sum: UInt64 = 0
        starts = ranges.map { range in
            defer { sum += range.upperBound - range.lowerBound }
            return sum
        }
        byteCount = sum
        self.ranges = ranges
    }

    /// Where a kept byte of the source comes to lie.
    func position(of offset: UInt64) -> UInt64 {
        let index = ranges.partitioningIndex { $0.lowerBound > offset }
        guard index > 0 else { return 0 }
        return starts[index - 1] + offset - ranges[index - 1].lowerBound
    }
}

/// Everything that a trimmed movie is made of, so far as where it will lie.
struct MovieAssembly: Sendable {
    /// Chunks of one track.
    struct Chunks: Sendable {
        /// Places in the source, or in the new data.
        var offsets: [UInt64]
        var isNewData: Bool
    }

    /// The file's boxes before the movie box, its type first.
    let head: [FileRewrite.Segment]
    /// The file's boxes after the media data.
    let tail: [FileRewrite.Segment]
    let movie: MovieNode
    let chunks: [Chunks]
    let newData: [UInt8]
    let media: MediaDataLayout

    /// Free space after the movie box, for tags.
    private static let paddingSize: UInt64 = 4096

    private var payload: UInt64 { UInt64(newData.count) + media.byteCount }
    private var hasLongMediaBox: Bool { payload + 8 > UInt32.max }
    private var mediaHeaderSize: UInt64 { hasLongMediaBox ? 16 : 8 }

    private static func byteCount(of segments: [FileRewrite.Segment]) -> UInt64 {
        FileRewrite(segments: segments).byteCount
    }

    /// Bytes of the new file.
    var byteCount: UInt64 {
        layout().dataStart + payload + Self.byteCount(of: tail)
    }

    private func movieSize(_ isLong: [Bool]) -> UInt64 {
        UInt64(writer(isLong, dataStart: 0).byteCount(of: movie)) + Self.paddingSize
    }

    /// Which chunk tables need 64 bits, and where the media data begin.
    private func layout() -> (isLong: [Bool], dataStart: UInt64) {
        let before = Self.byteCount(of: head) + mediaHeaderSize
        func start(_ isLong: [Bool]) -> UInt64 { before + movieSize(isLong) }
        let short = chunks.map { _ in false }
        let shortStart = start(short)
        guard shortStart + payload > UInt32.max else { return (short, shortStart) }
        // Places are at most those that they would have if all tables were long.
        let longest = start(chunks.map { _ in true })
        let isLong = chunks.map { chunks in
            chunks.offsets.contains { place(of: $0, isNewData: chunks.isNewData, dataStart: longest) > UInt32.max }
        }
        return (isLong, start(isLong))
    }

    private func place(of offset: UInt64, isNewData: Bool, dataStart: UInt64) -> UInt64 {
        dataStart + (isNewData ? offset : UInt64(newData.count) + media.position(of: offset))
    }

    private func writer(_ isLong: [Bool], dataStart: UInt64) -> MovieNodeWriter {
        MovieNodeWriter(
            chunkOffsets: { track in
                let chunks = chunks[track]
                return chunks.offsets.map { place(of: $0, isNewData: chunks.isNewData, dataStart: dataStart) }
            },
            chunkCounts: zip(chunks, isLong).map { ($0.offsets.count, $1) }, newDataStart: dataStart,
            place: { place(of: $0, isNewData: false, dataStart: dataStart) })
    }

    /// The new file: boxes, movie box, free space, media data, boxes.
    func rewrite() -> FileRewrite {
        let (isLong, dataStart) = layout()
        let writer = writer(isLong, dataStart: dataStart)
        var front: [UInt8] = []
        front.reserveCapacity(Int(movieSize(isLong)))
        writer.append(movie, to: &front)
        front += .box("free", Array(repeating: 0, count: Int(Self.paddingSize) - 8))
        return FileRewrite(segments: head + [.bytes(front)] + mediaBox + tail)
    }

    // MARK: For another movie

    /// The media data in their box.
    var mediaBox: [FileRewrite.Segment] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: hasLongMediaBox ? 1 : UInt32(payload + 8))
        bytes += ("mdat" as FourCC).bytes
        if hasLongMediaBox { bytes.append(bigEndian: payload + 16) }
        return [.bytes(bytes + newData)] + media.ranges.map { .source($0) }
    }

    /// The tracks' boxes alone.
    ///
    /// - Parameter position: Where in another file the box with the media data begins.
    func trackBoxes(mediaBoxAt position: UInt64) -> [UInt8] {
        let dataStart = position + mediaHeaderSize
        let isLong = dataStart + payload > UInt32.max
        let writer = writer(chunks.map { _ in isLong }, dataStart: dataStart)
        var bytes: [UInt8] = []
        guard case .container(_, let children) = movie else { return bytes }
        for case .container("trak", let boxes) in children { writer.append(.container("trak", boxes), to: &bytes) }
        return bytes
    }
}

/// A part of the new movie box, some of whose numbers depend on where the media data will lie.
indirect enum MovieNode {
    case bytes([UInt8])
    case container(FourCC, [MovieNode])
    /// The table of chunk offsets of a track: places in the old file, or in the new data.
    case chunkOffsets(track: Int)
    /// The table of auxiliary information, which is one run in the new data.
    ///
    /// - Parameters:
    ///   - header: The box's bytes before the number of entries.
    case auxiliaryOffset(header: [UInt8], position: UInt64)
    /// The table of a camera's blocks of positions, at places in the old file.
    case cameraBlocks(CameraBlocks)
}

/// Writes nodes as bytes, given where the media data lie.
struct MovieNodeWriter {
    /// The new chunk offsets of each track, or as many zeros.
    var chunkOffsets: (Int) -> [UInt64]
    /// How many chunks each track has, and whether they need 64 bits.
    var chunkCounts: [(count: Int, isLong: Bool)]
    /// Where the new data begin.
    var newDataStart: UInt64
    /// Where a kept byte of the source comes to lie.
    var place: (UInt64) -> UInt64 = { _ in 0 }

    func byteCount(of node: MovieNode) -> Int {
        switch node {
        case .bytes(let bytes): bytes.count
        case .container(_, let children): children.reduce(8) { $0 + byteCount(of: $1) }
        case .chunkOffsets(let track): 16 + chunkCounts[track].count * (chunkCounts[track].isLong ? 8 : 4)
        case .auxiliaryOffset(let header, _): 8 + header.count + 4 + 8
        case .cameraBlocks(let blocks): blocks.byteCount
        }
    }

    func append(_ node: MovieNode, to output: inout [UInt8]) {
        switch node {
        case .bytes(let bytes): output.append(contentsOf: bytes)
        case .container(let type, let children):
            output.append(bigEndian: UInt32(byteCount(of: node)))
            output.append(bigEndian: type.rawValue)
            for child in children { append(child, to: &output) }
        case .chunkOffsets(let track):
            let (count, isLong) = chunkCounts[track]
            output.append(bigEndian: UInt32(byteCount(of: node)))
            output.append(bigEndian: (isLong ? "co64" : "stco" as FourCC).rawValue)
            output.append(bigEndian: UInt32(0))
            output.append(bigEndian: UInt32(count))
            for offset in chunkOffsets(track) {
                if isLong {
                    output.append(bigEndian: offset)
                } else {
                    output.append(bigEndian: UInt32(truncatingIfNeeded: offset))
                }
            }
        case .auxiliaryOffset(let header, let position):
            output.append(bigEndian: UInt32(byteCount(of: node)))
            output.append(bigEndian: ("saio" as FourCC).rawValue)
            output.append(contentsOf: header)
            output.append(bigEndian: UInt32(1))
            output.append(bigEndian: newDataStart + position)
        case .cameraBlocks(let blocks): output += blocks.box(place)
        }
    }
}
