internal import MediaIO

/// What is kept of a track's auxiliary information, such as the initialization
/// vectors of encrypted samples: `saiz` and `saio`.
struct AuxiliaryInformation {
    /// Of all kept samples, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Where the bytes begin in the new data.
    var position: UInt64 = 0

    /// More than this is no initialization vectors.
    private static let maximumBytes: UInt64 = 64 << 20

    /// Reads what the kept samples have.
    ///
    /// - Returns: `nil` if the track has none.
    init?(
        _ boxes: [Box], _ tables: SampleTables, ranges: [Range<Int>], _ reader: BoxReader, file: RandomAccessFile
    ) throws(MovieError) {
        let sizeBoxes = boxes.filter { $0.type == "saiz" }
        let offsetBoxes = boxes.filter { $0.type == "saio" }
        guard !sizeBoxes.isEmpty || !offsetBoxes.isEmpty else { return nil }
        guard let sizeBox = sizeBoxes.first, let offsetBox = offsetBoxes.first, sizeBoxes.count == 1,
            offsetBoxes.count == 1, let sizes = Sizes(TableBytes(bytes: reader.bytes(of: sizeBox, limit: .max))),
            case let offsets = Self.offsets(TableBytes(bytes: reader.bytes(of: offsetBox, limit: .max))),
            let first = offsets.first
        else { throw MovieError(.unsupported, "its auxiliary information is of several kinds or damaged") }
        for range in ranges {
            if offsets.count == 1 {
                try read(range, runStart: 0, offset: first, sizes, file)
            } else {
                try tables.chunks.forEachPart(of: range) { part throws(MovieError) in
                    guard part.chunk < offsets.count else {
                        throw MovieError(.damaged, "its auxiliary information is cut off")
                    }
                    try read(part.samples, runStart: part.chunkStart, offset: offsets[part.chunk], sizes, file)
                }
            }
        }
    }

    private mutating func read(
        _ samples: Range<Int>, runStart: Int, offset: UInt64, _ sizes: Sizes, _ file: RandomAccessFile
    ) throws(MovieError) {
        let (start, overflow) = offset.addingReportingOverflow(sizes.byteCount(of: runStart..<samples.lowerBound))
        let count = sizes.byteCount(of: samples)
        guard !overflow, start <= file.byteCount, count <= file.byteCount - start else {
            throw MovieError(.damaged, "its auxiliary information lies outside the file")
        }
        guard UInt64(bytes.count) + count <= Self.maximumBytes else {
            throw MovieError(.limit, "its auxiliary information has more than \(Self.maximumBytes >> 20) MiB")
        }
        bytes += file.read(at: start, count: Int(count))
    }

    private static func offsets(_ table: TableBytes) -> [UInt64] {
        let start = table.flags & 1 != 0 ? 12 : 4
        let isLong = table.version == 1
        return (0..<table.count(at: start, entrySize: isLong ? 8 : 4)).map { index in
            isLong ? table.u64(start + 4 + index * 8) : UInt64(table.u32(start + 4 + index * 4))
        }
    }

    /// The box `saiz`, without the samples that are left out.
    func sizeBox(of box: Box, _ reader: BoxReader, _ ranges: [Range<Int>]) -> [UInt8]? {
        let table = TableBytes(bytes: reader.bytes(of: box, limit: .max))
        guard let sizes = Sizes(table) else { return nil }
        var content = Array(table.bytes.prefix(table.flags & 1 != 0 ? 13 : 5))
        // Samples that the old table does not reach have none in the new one either.
        let kept = ranges.map { $0.clamped(to: 0..<sizes.count) }
        content.append(bigEndian: UInt32(kept.reduce(0) { $0 + $1.count }))
        if sizes.constant == 0 { for sample in kept.joined() { content.append(sizes.size(of: sample)) } }
        return .box("saiz", content)
    }

    /// The box `saio` with one offset, of 64 bits.
    func offsetNode(of box: Box, _ reader: BoxReader) -> MovieNode {
        let table = TableBytes(bytes: reader.bytes(of: box, limit: 16))
        var header = Array(table.bytes.prefix(table.flags & 1 != 0 ? 12 : 4))
        header[0] = 1
        return .auxiliaryOffset(header: header, position: position)
    }

    /// The table `saiz`.
    private struct Sizes {
        let constant: UInt8
        /// Samples that have a size.
        let count: Int
        private let table: TableBytes
        private let start: Int

        init?(_ table: TableBytes) {
            start = table.flags & 1 != 0 ? 17 : 9
            guard table.bytes.count >= start else { return nil }
            self.table = table
            constant = table.bytes[start - 5]
            let claimed = Int(table.u32(start - 4))
            count = constant != 0 ? claimed : min(claimed, table.bytes.count - start)
        }

        func size(of sample: Int) -> UInt8 {
            if constant != 0 { return constant }
            return start + sample < table.bytes.count ? table.bytes[start + sample] : 0
        }

        func byteCount(of samples: Range<Int>) -> UInt64 {
            if constant != 0 { return UInt64(samples.count) * UInt64(constant) }
            let end = min(start + samples.upperBound, table.bytes.count)
            let first = min(start + samples.lowerBound, end)
            return table.bytes[first..<end].reduce(0) { $0 + UInt64($1) }
        }
    }
}
