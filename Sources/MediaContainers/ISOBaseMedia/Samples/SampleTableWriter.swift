internal import MediaCore
internal import MediaIO

/// Writes a track's sample tables anew for the samples that are kept.
struct SampleTableWriter {
    let tables: SampleTables
    let cut: TrackCut
    let reader: BoxReader
    /// The track's number in the plan, for its chunk offsets.
    let index: Int
    /// The table of chunks, `stsc`, which comes with the chunks themselves.
    let chunkRuns: [UInt8]
    let auxiliary: AuxiliaryInformation?
    /// What the samples have become, of text that is converted.
    let text: TextConversion?

    private let ranges: [Range<Int>]
    /// The new number, from 0, of each range's first sample.
    private let newStarts: [Int]

    init(
        tables: SampleTables, cut: TrackCut, reader: BoxReader, index: Int, chunkRuns: [UInt8],
        auxiliary: AuxiliaryInformation?, text: TextConversion? = nil
    ) {
        (self.tables, self.cut, self.reader, self.index) = (tables, cut, reader, index)
        (self.chunkRuns, self.auxiliary, self.text) = (chunkRuns, auxiliary, text)
        ranges = cut.runs.map(\.samples)
        var count = 0
        newStarts = ranges.map { range in
            defer { count += range.count }
            return count
        }
    }

    /// The sample table box's children in the order of the old ones.
    func nodes(from boxes: [Box]) throws(MovieError) -> [MovieNode] {
        var result: [MovieNode] = []
        let hasOffsets = boxes.contains { $0.type == "ctts" }
        let lastGroup = boxes.last { $0.type == "sbgp" || $0.type == "csgp" }
        for box in boxes {
            switch box.type {
            case "stts":
                result.append(.bytes(durationBox()))
                if !hasOffsets, let offsets = offsetBox(version: 0) {
                    result.append(.bytes(offsets))
                }
            case "ctts":
                let version = reader.bytes(of: box, limit: 1).first ?? 0
                if let offsets = offsetBox(version: version) { result.append(.bytes(offsets)) }
            case "stsz", "stz2": result.append(.bytes(text?.sizeBox ?? tables.sizes.box(of: ranges)))
            case "stsc": result.append(.bytes(.box("stsc", chunkRuns)))
            case "stco", "co64": result.append(.chunkOffsets(track: index))
            case "saio":
                if let node = auxiliary?.offsetNode(of: box, reader) { result.append(node) }
            case "sbgp", "csgp": break
            default: result.append(.bytes(try rewritten(box)))
            }
            if box == lastGroup {
                result += tables.groups.map { .bytes($0.box(of: ranges)) }
            }
        }
        return result
    }

    private func rewritten(_ box: Box) throws(MovieError) -> [UInt8] {
        let content = { TableBytes(bytes: reader.bytes(of: box, limit: .max)) }
        return switch box.type {
        case "cslg": compositionBox()
        case "stss", "stps": [UInt8].box(box.type, sampleNumbers(content()))
        case "stsh": [UInt8].box(box.type, shadowSamples(content()))
        case "sdtp": [UInt8].box(box.type, perSample(content(), bytes: 1))
        case "stdp": [UInt8].box(box.type, perSample(content(), bytes: 2))
        case "padb": [UInt8].box(box.type, paddingBits(content()))
        case "subs": [UInt8].box(box.type, subsamples(content()))
        case "saiz": auxiliary?.sizeBox(of: box, reader, ranges) ?? reader.wholeBytes(of: box)
        case "senc": try encryptionBox(content())
        default: reader.wholeBytes(of: box)
        }
    }

    /// The new number of a sample, from 0; `nil` if it is left out.
    private func newIndex(of sample: Int) -> Int? {
        let index = ranges.partitioningIndex { $0.upperBound > sample }
        guard index < ranges.count, ranges[index].contains(sample) else { return nil }
        return newStarts[index] + sample - ranges[index].lowerBound
    }

    // MARK: Times

    /// Rows of a table that says a number for some samples.
    private struct Rows {
        private(set) var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        private var count: UInt32 = 0
        private var row: (samples: Int, number: UInt32) = (0, 0)

        mutating func add(_ number: UInt32, times samples: Int) {
            guard samples > 0 else { return }
            if row.samples > 0, row.number == number {
                row.samples += samples
            } else {
                finish()
                row = (samples, number)
            }
        }

        mutating func finish() {
            guard row.samples > 0 else { return }
            bytes.append(bigEndian: UInt32(row.samples))
            bytes.append(bigEndian: row.number)
            count += 1
            row.samples = 0
            bytes.set(bigEndian: count, at: 4)
        }

        func box(_ type: FourCC, version: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[0] = version
            return .box(type, bytes)
        }
    }

    /// Rows of all kept samples, some of which have a number of their own.
    private func rows(
        changes: [Int: UInt32], number: (SampleTiming.Run) -> UInt32
    ) -> Rows {
        var rows = Rows()
        let changed = changes.sorted { $0.key < $1.key }
        var next = 0
        for range in ranges {
            while next < changed.count, changed[next].key < range.lowerBound { next += 1 }
            tables.timing.forEachRun(in: range) { run in
                var first = run.samples.lowerBound
                while next < changed.count, changed[next].key < run.samples.upperBound {
                    rows.add(number(run), times: changed[next].key - first)
                    rows.add(changed[next].value, times: 1)
                    first = changed[next].key + 1
                    next += 1
                }
                rows.add(number(run), times: run.samples.upperBound - first)
            }
        }
        rows.finish()
        return rows
    }

    private func durationBox() -> [UInt8] {
        rows(changes: cut.durations) { $0.duration }.box("stts", version: 0)
    }

    private func offsetBox(version: UInt8) -> [UInt8]? {
        guard tables.timing.hasOffsets || !cut.offsets.isEmpty else { return nil }
        func shifted(_ offset: Int32) -> UInt32 {
            UInt32(bitPattern: Int32(clamping: Int64(offset) + cut.offsetShift))
        }
        let rows = rows(changes: cut.offsets.mapValues(shifted)) { shifted($0.offset) }
        return rows.box("ctts", version: version)
    }

    /// The box `cslg`: how far presentation and decode times lie apart.
    private func compositionBox() -> [UInt8] {
        var (least, greatest): (Int64, Int64) = (.max, .min)
        var (start, end): (Int64, Int64) = (.max, .min)
        for run in cut.runs {
            tables.timing.forEachRun(in: run.samples) { part in
                least = min(least, Int64(part.offset))
                greatest = max(greatest, Int64(part.offset))
            }
            let shown = tables.timing.presentationBounds(of: run.samples)
            start = min(start, shown.lowerBound - run.oldStart + run.newStart)
            end = max(end, shown.upperBound - run.oldStart + run.newStart)
        }
        for offset in cut.offsets.values { greatest = max(greatest, Int64(offset)) }
        if least > greatest { (least, greatest, start, end) = (0, 0, 0, 0) }
        let values = [least, greatest, start, end].map { $0 + cut.offsetShift }
        let numbers = [max(0, -values[0])] + values
        let isLong = numbers.contains { Int32(exactly: $0) == nil }
        var content: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
        for number in numbers {
            if isLong {
                content.append(bigEndian: UInt64(bitPattern: number))
            } else {
                content.append(bigEndian: UInt32(bitPattern: Int32(truncatingIfNeeded: number)))
            }
        }
        return .box("cslg", content)
    }

    // MARK: Numbers of samples

    private func sampleNumbers(_ table: TableBytes) -> [UInt8] {
        let count = table.count(at: 4, entrySize: 4)
        var bytes = Array(table.bytes.prefix(4)) + [0, 0, 0, 0]
        bytes.reserveCapacity(8 + count * 4)
        for row in 0..<count {
            let sample = Int(table.u32(8 + row * 4)) - 1
            guard let index = newIndex(of: sample), !cut.unlisted.contains(sample) else { continue }
            bytes.append(bigEndian: UInt32(index + 1))
        }
        bytes.set(bigEndian: UInt32(bytes.count / 4 - 2), at: 4)
        return bytes
    }

    private func shadowSamples(_ table: TableBytes) -> [UInt8] {
        var bytes = Array(table.bytes.prefix(4)) + [0, 0, 0, 0]
        for index in 0..<table.count(at: 4, entrySize: 8) {
            guard let shadowed = newIndex(of: Int(table.u32(8 + index * 8)) - 1),
                let sync = newIndex(of: Int(table.u32(12 + index * 8)) - 1)
            else { continue }
            bytes.append(bigEndian: UInt32(shadowed + 1))
            bytes.append(bigEndian: UInt32(sync + 1))
        }
        bytes.set(bigEndian: UInt32(bytes.count / 8 - 1), at: 4)
        return bytes
    }

    // MARK: Values of every sample

    /// A table may be shorter than the samples are many; of what it does not
    /// have nothing is made up.
    private func perSample(_ table: TableBytes, bytes size: Int) -> [UInt8] {
        var bytes = Array(table.bytes.prefix(4))
        for range in ranges {
            let (start, end) = (4 + range.lowerBound * size, 4 + range.upperBound * size)
            bytes.append(contentsOf: table.bytes[min(start, table.bytes.count)..<min(end, table.bytes.count)])
        }
        return bytes
    }

    private func paddingBits(_ table: TableBytes) -> [UInt8] {
        let known = 0..<max(0, table.bytes.count - 8) * 2
        var bits: [UInt8] = []
        for sample in ranges.lazy.map({ $0.clamped(to: known) }).joined() {
            let value = table.bytes[8 + sample / 2]
            bits.append(sample % 2 == 0 ? value >> 4 : value & 15)
        }
        var bytes = Array(table.bytes.prefix(4))
        bytes.append(bigEndian: UInt32(bits.count))
        for index in stride(from: 0, to: bits.count, by: 2) {
            bytes.append(bits[index] << 4 | (index + 1 < bits.count ? bits[index + 1] : 0))
        }
        return bytes
    }

    private func subsamples(_ table: TableBytes) -> [UInt8] {
        let rowSize = table.version == 1 ? 10 : 8
        var bytes = Array(table.bytes.prefix(4)) + [0, 0, 0, 0]
        var (position, sample, previous, count) = (8, -1, -1, UInt32(0))
        for _ in 0..<table.count(at: 4, entrySize: 6) {
            guard position + 6 <= table.bytes.count else { break }
            sample += Int(table.u32(position))
            let end = position + 6 + Int(table.u16(position + 4)) * rowSize
            guard end <= table.bytes.count else { break }
            if let index = newIndex(of: sample) {
                bytes.append(bigEndian: UInt32(index - previous))
                bytes.append(contentsOf: table.bytes[(position + 4)..<end])
                previous = index
                count += 1
            }
            position = end
        }
        bytes.set(bigEndian: count, at: 4)
        return bytes
    }

    /// The box `senc`, whose entries are the auxiliary information of each sample once more.
    private func encryptionBox(_ table: TableBytes) throws(MovieError) -> [UInt8] {
        guard let auxiliary, table.bytes.count >= 8 else {
            throw MovieError(.unsupported, "its encryption is described in a way that cannot be cut")
        }
        var bytes = Array(table.bytes.prefix(4))
        bytes.append(bigEndian: UInt32(cut.sampleCount))
        return .box("senc", bytes + auxiliary.bytes)
    }
}
