internal import MediaCore
internal import MediaIO

/// Which group each sample belongs to: a box `sbgp` or `csgp`.
struct SampleGroups {
    private struct Run {
        var first: Int
        var group: UInt32
    }

    let type: FourCC
    /// `grouping_type_parameter`, if there is one.
    let parameter: UInt32?
    private var runs: [Run] = []
    private var end = 0

    /// Runs of one box; the patterns of a compact one may repeat without end.
    private static let maximumRuns = 1 << 22

    /// Reads the box; `nil` if it is cut off.
    init?(_ table: TableBytes, isCompact: Bool, count: Int) {
        guard table.bytes.count >= 12 else { return nil }
        type = FourCC(rawValue: table.u32(4))
        let hasParameter = isCompact ? table.flags & 0x40 != 0 : table.version == 1
        guard table.bytes.count >= (hasParameter ? 16 : 12) else { return nil }
        parameter = hasParameter ? table.u32(8) : nil
        let position = hasParameter ? 12 : 8
        if isCompact {
            guard readCompact(table, at: position, count: count) else { return nil }
        } else {
            for index in 0..<min(table.count(at: position, entrySize: 8), Self.maximumRuns) where end < count {
                let entry = position + 4 + index * 8
                add(table.u32(entry + 4), times: min(Int(table.u32(entry)), count - end))
            }
        }
        if end < count { add(0, times: count - end) }
    }

    private mutating func add(_ group: UInt32, times: Int) {
        guard times > 0 else { return }
        if runs.last?.group != group { runs.append(Run(first: end, group: group)) }
        end += times
    }

    /// Patterns of group numbers, each repeated over some samples.
    ///
    /// Source: ISO/IEC 14496-12, compact sample to group box.
    private mutating func readCompact(_ table: TableBytes, at position: Int, count: Int) -> Bool {
        func width(_ shift: UInt32) -> Int { 4 << Int(table.flags >> shift & 3) }
        let (patternWidth, countWidth, indexWidth) = (width(4), width(2), width(0))
        var bit = (position + 4) * 8
        func number(_ width: Int) -> UInt32? {
            guard bit + width <= table.bytes.count * 8 else { return nil }
            defer { bit += width }
            if width == 4 { return UInt32(table.bytes[bit / 8] >> (bit % 8 == 0 ? 4 : 0) & 15) }
            // Fields of more than four bits need not begin at a byte either.
            return (0..<width).reduce(0) { value, index in
                let place = bit + index
                return value << 1 | UInt32(table.bytes[place / 8] >> (7 - place % 8) & 1)
            }
        }
        var patterns: [(length: Int, samples: Int)] = []
        for _ in 0..<Int(table.u32(position)) {
            guard let length = number(patternWidth), let samples = number(countWidth), patterns.count < 1 << 20 else {
                return false
            }
            patterns.append((Int(length), Int(samples)))
        }
        for pattern in patterns where end < count {
            var groups: [UInt32] = []
            for _ in 0..<pattern.length {
                guard let group = number(indexWidth), groups.count < Self.maximumRuns else { return false }
                groups.append(group)
            }
            guard !groups.isEmpty || pattern.samples == 0 else { return false }
            for sample in 0..<min(pattern.samples, count - end) {
                if groups.count == 1 {
                    add(groups[0], times: min(pattern.samples, count - end))
                    break
                }
                guard runs.count < Self.maximumRuns else { return false }
                add(groups[sample % groups.count], times: 1)
            }
        }
        return true
    }

    /// The samples of any group.
    func members(limit: Int) -> [Int] {
        var result: [Int] = []
        for (index, run) in runs.enumerated() where run.group != 0 {
            let runEnd = index + 1 < runs.count ? runs[index + 1].first : end
            guard result.count + runEnd - run.first <= limit else { break }
            result += run.first..<runEnd
        }
        return result
    }

    /// Gives how many samples in turn are in which group.
    func forEachRun(_ body: (Int, UInt32) -> Void) {
        for (index, run) in runs.enumerated() {
            body((index + 1 < runs.count ? runs[index + 1].first : end) - run.first, run.group)
        }
    }

    /// The box `sbgp` for ranges of samples.
    func box(of ranges: [Range<Int>]) -> [UInt8] {
        var rows: [(count: Int, group: UInt32)] = []
        for range in ranges {
            var index = max(0, runs.partitioningIndex { $0.first > range.lowerBound } - 1)
            while index < runs.count, runs[index].first < range.upperBound {
                let runEnd = index + 1 < runs.count ? runs[index + 1].first : end
                let samples = min(runEnd, range.upperBound) - max(runs[index].first, range.lowerBound)
                if rows.last?.group == runs[index].group {
                    rows[rows.count - 1].count += samples
                } else if samples > 0 {
                    rows.append((samples, runs[index].group))
                }
                index += 1
            }
        }
        var content: [UInt8] = []
        content.append(bigEndian: UInt32(parameter == nil ? 0 : 1 << 24))
        content.append(bigEndian: type.rawValue)
        if let parameter { content.append(bigEndian: parameter) }
        content.append(bigEndian: UInt32(rows.count))
        for row in rows {
            content.append(bigEndian: UInt32(row.count))
            content.append(bigEndian: row.group)
        }
        return .box("sbgp", content)
    }
}

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
