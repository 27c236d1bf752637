internal import MediaCore
internal import MediaIO

/// How many bytes each sample has: `stsz` or `stz2`, or what the sound description says.
package struct SampleSizeTable {
    private enum Storage {
        /// Units of some samples and some bytes.
        case constant(SoundPacking)
        case each([UInt32])
    }

    private let storage: Storage
    /// Samples that the table claims and has a size for.
    let count: Int
    /// Samples that the table claims.
    let claimedCount: Int
    /// What `stsz` says in its second field: one size for all, or 0.
    let constantSize: UInt32

    /// The sizes of no sample.
    init() { (storage, count, claimedCount, constantSize) = (.each([]), 0, 0, 0) }

    /// Reads the table.
    ///
    /// - Parameter packing: What the sound description says of samples in packets.
    init(_ table: TableBytes, isCompact: Bool, packing: SoundPacking?) throws(MovieError) {
        guard table.bytes.count >= 12 else { throw MovieError(.damaged, "its table of sample sizes is cut off") }
        let size = isCompact ? 0 : table.u32(4)
        constantSize = size
        claimedCount = Int(table.u32(8))
        if size > 0 {
            count = claimedCount
            let bySize = SoundPacking(samples: 1, bytes: Int(size))
            storage = .constant(size == 1 ? packing ?? bySize : bySize)
            return
        }
        let bits = isCompact ? Int(table.bytes[7]) : 32
        guard [4, 8, 16, 32].contains(bits) else {
            throw MovieError(.damaged, "its sample sizes have \(bits) bits")
        }
        count = min(claimedCount, (table.bytes.count - 12) * 8 / bits)
        storage = .each(
            (0..<count).map { index in
                switch bits {
                case 4: UInt32(table.bytes[12 + index / 2] >> (index % 2 == 0 ? 4 : 0) & 15)
                case 8: UInt32(table.bytes[12 + index])
                case 16: UInt32(table.u16(12 + index * 2))
                default: table.u32(12 + index * 4)
                }
            })
    }

    /// Samples that cannot be parted.
    package var samplesPerPacket: Int { if case .constant(let packing) = storage { packing.samples } else { 1 } }

    /// The bytes of samples that follow each other.
    ///
    /// - Parameter samples: At most 2^32 of them.
    package func byteCount(of samples: Range<Int>) -> UInt64 {
        switch storage {
        case .constant(let packing):
            return UInt64((samples.count + packing.samples - 1) / packing.samples) * UInt64(packing.bytes)
        case .each(let sizes):
            var sum: UInt64 = 0
            for index in samples { sum += UInt64(sizes[index]) }
            return sum
        }
    }

    /// The box `stsz` for ranges of samples.
    func box(of ranges: [Range<Int>]) -> [UInt8] {
        let kept = ranges.reduce(0) { $0 + $1.count }
        var content: [UInt8] = []
        content.append(bigEndian: UInt32(0))
        content.append(bigEndian: constantSize)
        content.append(bigEndian: UInt32(kept))
        if constantSize == 0, case .each(let sizes) = storage {
            content.reserveCapacity(12 + kept * 4)
            for range in ranges { for index in range { content.append(bigEndian: sizes[index]) } }
        }
        return .box("stsz", content)
    }
}

/// Where samples lie: the tables `stsc` and `stco` or `co64`.
package struct ChunkTable {
    private struct Run {
        var firstChunk: Int
        var firstSample: Int
        var samplesPerChunk: Int
        var description: UInt32
    }

    /// Samples of one chunk that follow each other.
    package struct Part {
        package var samples: Range<Int>
        /// The number of the chunk, from 0.
        var chunk: Int
        /// The first sample of the chunk that they are part of.
        var chunkStart: Int
        /// Where the chunk begins in the file.
        package var chunkOffset: UInt64
        /// The number of their sample description, from 1.
        package var description: UInt32
    }

    private var runs: [Run] = []
    private let offsets: TableBytes
    private let isLong: Bool
    /// Chunks.
    let count: Int
    /// Samples in all chunks.
    private(set) var sampleCount = 0

    /// A table without a chunk.
    init() { (offsets, isLong, count) = (TableBytes(bytes: []), false, 0) }

    init(samplesPerChunk table: TableBytes, offsets: TableBytes, isLong: Bool) throws(MovieError) {
        (self.offsets, self.isLong) = (offsets, isLong)
        count = offsets.count(at: 4, entrySize: isLong ? 8 : 4)
        let entries = table.count(at: 4, entrySize: 12)
        runs.reserveCapacity(entries)
        for index in 0..<entries {
            let firstChunk = Int(table.u32(8 + index * 12)) - 1
            guard firstChunk >= 0, firstChunk > runs.last?.firstChunk ?? -1 else {
                throw MovieError(.damaged, "its table of chunks is not in order")
            }
            guard firstChunk < count else { break }
            if let last = runs.last { sampleCount += (firstChunk - last.firstChunk) * last.samplesPerChunk }
            runs.append(
                Run(
                    firstChunk: firstChunk, firstSample: sampleCount,
                    samplesPerChunk: Int(table.u32(12 + index * 12)), description: table.u32(16 + index * 12)))
        }
        if let last = runs.last { sampleCount += (count - last.firstChunk) * last.samplesPerChunk }
        guard runs.first.map({ $0.firstChunk == 0 }) ?? true else {
            throw MovieError(.damaged, "its table of chunks does not begin with the first")
        }
    }

    private func offset(_ chunk: Int) -> UInt64 {
        isLong ? offsets.u64(8 + chunk * 8) : UInt64(offsets.u32(8 + chunk * 4))
    }

    /// Gives the parts of chunks that hold a range of samples, in order.
    package func forEachPart(
        of samples: Range<Int>, _ body: (Part) throws(MovieError) -> Void
    ) throws(MovieError) {
        guard !samples.isEmpty, !runs.isEmpty else { return }
        var run = max(0, runs.partitioningIndex { $0.firstSample > samples.lowerBound } - 1)
        // Runs of chunks without samples begin where the one with samples begins.
        while runs[run].samplesPerChunk == 0, run > 0 { run -= 1 }
        while run < runs.count {
            let current = runs[run]
            let endChunk = run + 1 < runs.count ? runs[run + 1].firstChunk : count
            run += 1
            guard current.samplesPerChunk > 0 else { continue }
            let skipped = max(0, samples.lowerBound - current.firstSample) / current.samplesPerChunk
            for chunk in stride(from: current.firstChunk + skipped, to: endChunk, by: 1) {
                let start = current.firstSample + (chunk - current.firstChunk) * current.samplesPerChunk
                guard start < samples.upperBound else { return }
                let part = max(start, samples.lowerBound)..<min(start + current.samplesPerChunk, samples.upperBound)
                try body(
                    Part(
                        samples: part, chunk: chunk, chunkStart: start, chunkOffset: offset(chunk),
                        description: current.description))
            }
        }
    }
}

/// The new chunks of a track: a chunk of the source, or what is kept of it, is one.
struct ChunkList {
    /// Where each chunk lies in the source, or in the new data.
    private(set) var offsets: [UInt64] = []
    private(set) var isNewData = false
    /// Bytes of the source that are kept.
    var intervals: [Range<UInt64>] = []
    /// The bytes of each chunk, in the order of the samples.
    private(set) var parts: [Range<UInt64>] = []
    private(set) var byteCount: UInt64 = 0
    private var rows: [Row] = []
    private var sampleCount = 0

    private struct Row {
        var firstChunk: Int
        var samplesPerChunk: Int
        var description: UInt32
    }

    /// Parts are remembered one by one only up to here; more no caller asks for.
    private static let maximumParts = 4096

    /// Adds what chunks hold of a range of samples.
    mutating func add(
        _ samples: Range<Int>, _ tables: SampleTables, fileByteCount: UInt64
    ) throws(MovieError) {
        try tables.chunks.forEachPart(of: samples) { part throws(MovieError) in
            guard (part.samples.lowerBound - part.chunkStart) % tables.sizes.samplesPerPacket == 0 else {
                throw MovieError(.unsupported, "its chunks do not hold whole packets")
            }
            let before = tables.sizes.byteCount(of: part.chunkStart..<part.samples.lowerBound)
            let count = tables.sizes.byteCount(of: part.samples)
            let (start, overflow) = part.chunkOffset.addingReportingOverflow(before)
            guard count == 0 || (!overflow && start < fileByteCount && count <= fileByteCount - start) else {
                throw MovieError(.damaged, "its samples lie outside the file")
            }
            append(count == 0 ? 0..<0 : start..<(start + count), part.samples.count, part.description)
        }
    }

    private mutating func append(_ bytes: Range<UInt64>, _ samples: Int, _ description: UInt32) {
        if rows.last.map({ $0.samplesPerChunk != samples || $0.description != description }) ?? true {
            rows.append(Row(firstChunk: offsets.count + 1, samplesPerChunk: samples, description: description))
        }
        offsets.append(bytes.lowerBound)
        if parts.count < Self.maximumParts { parts.append(bytes) }
        byteCount += UInt64(bytes.count)
        sampleCount += samples
        guard !bytes.isEmpty else { return }
        if let last = intervals.last, last.upperBound == bytes.lowerBound {
            intervals[intervals.count - 1] = last.lowerBound..<bytes.upperBound
        } else {
            intervals.append(bytes)
        }
    }

    /// All samples as one chunk of the new data.
    func inNewData(at position: UInt64) -> ChunkList {
        var list = ChunkList()
        list.isNewData = true
        list.offsets = [position]
        list.rows = [Row(firstChunk: 1, samplesPerChunk: sampleCount, description: rows.first?.description ?? 1)]
        return list
    }

    /// The content of the box `stsc`.
    var table: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: UInt32(rows.count))
        for row in rows {
            content.append(bigEndian: UInt32(row.firstChunk))
            content.append(bigEndian: UInt32(row.samplesPerChunk))
            content.append(bigEndian: row.description)
        }
        return content
    }
}
