internal import MediaIO

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
