internal import MediaIO

/// Where the samples of a track that is put together lie: chunks as the pieces have them.
struct JoinedChunks {
    /// Where each chunk lies among the pieces' files, one after the other.
    var offsets: [UInt64] = []
    private var rows: [(firstChunk: Int, samples: Int, description: UInt32)] = []

    /// Adds all chunks of a piece.
    ///
    /// - Parameters:
    ///   - base: Where the piece's file begins.
    ///   - descriptions: The new numbers of the piece's sample descriptions.
    /// - Returns: The bytes that they take, in the order of the samples.
    mutating func append(
        _ tables: SampleTables, descriptions: [UInt32], base: UInt64, fileByteCount: UInt64
    ) throws(MovieError) -> [Range<UInt64>] {
        var ranges: [Range<UInt64>] = []
        try tables.chunks.forEachPart(of: 0..<tables.count) { part throws(MovieError) in
            let count = tables.sizes.byteCount(of: part.samples)
            let start = part.chunkOffset
            guard count == 0 || (start < fileByteCount && count <= fileByteCount - start) else {
                throw MovieError(.damaged, "its samples lie outside the file")
            }
            guard let index = Int(exactly: part.description), descriptions.indices.contains(index - 1) else {
                throw MovieError(.damaged, "its samples have no description")
            }
            let bytes = count == 0 ? base..<base : (base + start)..<(base + start + count)
            try append(bytes.lowerBound, samples: part.samples.count, description: descriptions[index - 1])
            guard !bytes.isEmpty else { return }
            if let last = ranges.last, last.upperBound == bytes.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<bytes.upperBound
            } else {
                ranges.append(bytes)
            }
        }
        return ranges
    }

    /// Adds a chunk.
    mutating func append(_ offset: UInt64, samples: Int, description: UInt32) throws(MovieError) {
        guard offsets.count < MovieSource.maximumMovieBytes / 4 else {
            throw MovieError(.limit, "it would have too many chunks")
        }
        if rows.last.map({ $0.samples != samples || $0.description != description }) ?? true {
            rows.append((offsets.count + 1, samples, description))
        }
        offsets.append(offset)
    }

    /// The number of the last chunk's sample description.
    var lastDescription: UInt32 { rows.last?.description ?? 1 }

    /// The box `stsc`.
    var box: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.reserveCapacity(8 + rows.count * 12)
        content.append(bigEndian: UInt32(clamping: rows.count))
        for row in rows {
            content.append(bigEndian: UInt32(clamping: row.firstChunk))
            content.append(bigEndian: UInt32(clamping: row.samples))
            content.append(bigEndian: row.description)
        }
        return .box("stsc", content)
    }
}
