internal import MediaIO

/// The sample sizes of a track that is put together: one for all as long as that is so.
struct JoinedSizes {
    private enum Storage {
        case none
        /// What `stsz` says in its second field.
        case constant(UInt32)
        case each([UInt32])
    }

    private var storage = Storage.none
    private(set) var count = 0

    /// Adds the sizes of all samples of a piece.
    mutating func append(_ sizes: SampleSizeTable, count added: Int) throws(MovieError) {
        guard added > 0 else { return }
        if let size = sizes.commonSize {
            try append(size, times: added)
        } else {
            try makeEach()
            guard case .each(var all) = storage else { return }
            storage = .none
            all.reserveCapacity(all.count + added)
            for sample in 0..<added { all.append(UInt32(clamping: sizes.byteCount(of: sample..<(sample + 1)))) }
            storage = .each(all)
            try count(added)
        }
    }

    /// Adds samples of one size.
    mutating func append(_ size: UInt32, times added: Int) throws(MovieError) {
        switch storage {
        case .none where size > 0: storage = .constant(size)
        case .constant(let other) where other == size: break
        default:
            try makeEach()
            guard case .each(var all) = storage else { break }
            try Self.check(all.count + added)
            storage = .none
            all += repeatElement(size, count: added)
            storage = .each(all)
        }
        try count(added)
    }

    /// Whether samples of the one size that all have can be added.
    var constant: UInt32? { if case .constant(let size) = storage { size } else { nil } }

    private mutating func count(_ added: Int) throws(MovieError) {
        count += added
        guard count <= Int(UInt32.max) else { throw MovieError(.limit, "it would have more than 2^32 samples") }
        if case .each = storage { try Self.check(count) }
    }

    /// Sizes that a movie box may have room for.
    private static func check(_ count: Int) throws(MovieError) {
        guard count <= MovieSource.maximumMovieBytes / 4 else {
            throw MovieError(.limit, "it would have too many samples")
        }
    }

    private mutating func makeEach() throws(MovieError) {
        switch storage {
        case .each: break
        case .none: storage = .each([])
        // Units of older sound, whose true size the description tells.
        case .constant(1) where count > 1: throw MovieError(.unsupported, "its samples are of different packings")
        case .constant(let size):
            try Self.check(count)
            storage = .each(Array(repeating: size, count: count))
        }
    }

    /// The box `stsz`.
    var box: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: constant ?? 0)
        content.append(bigEndian: UInt32(clamping: count))
        if case .each(let all) = storage {
            content.reserveCapacity(12 + all.count * 4)
            for size in all { content.append(bigEndian: size) }
        }
        return .box("stsz", content)
    }
}

extension SampleSizeTable {
    /// What `stsz` says that all samples have; `nil` if each has a size of its own.
    fileprivate var commonSize: UInt32? { constantSize > 0 ? constantSize : nil }
}

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

/// Bytes that no piece has, and where they will lie.
struct JoinedData {
    /// Places from here on count from the beginning of the new bytes.
    static let base: UInt64 = 1 << 62

    private(set) var bytes: [UInt8] = []
    private var known: [[UInt8]: UInt64] = [:]

    /// The place of some bytes, which are there once.
    mutating func offset(of part: [UInt8]) -> UInt64 {
        if let offset = known[part] { return offset }
        let offset = Self.base + UInt64(bytes.count)
        known[part] = offset
        bytes += part
        return offset
    }

    /// A place among all files, of which the new bytes are the last.
    ///
    /// - Parameter end: Where the others end.
    static func place(_ offset: UInt64, after end: UInt64) -> UInt64 {
        offset >= base ? offset - base + end : offset
    }
}

/// The sample descriptions of a track that is put together: those that say the same are one.
struct JoinedDescriptions {
    /// Whole entries.
    private var entries: [[UInt8]] = []
    private var numbers: [MovieTrackFormat.Coding: UInt32] = [:]

    /// More entries than this are not written: readers refuse them.
    private static let maximumEntries = 1024
    /// Bytes of an entry that no reader takes.
    private static let maximumBytes: UInt64 = 1 << 20

    /// Adds a track's entries.
    ///
    /// - Returns: The number, from 1, that each of them has now.
    mutating func add(_ track: MovieTrack, _ reader: BoxReader) throws(MovieError) -> [UInt32] {
        guard let box = track.tableBoxes.first(where: { $0.type == "stsd" }), box.content.length > 8 else {
            throw MovieError(.damaged, "it has no sample description")
        }
        var result: [UInt32] = []
        for (entry, place) in zip(track.entries, reader.boxes(in: box.content.dropping(8))) {
            let coding = MovieTrackFormat.Coding(entry, handler: track.handler)
            if let known = numbers[coding] {
                result.append(known)
                continue
            }
            guard entries.count < Self.maximumEntries, place.length <= Self.maximumBytes else {
                throw MovieError(.limit, "its sample descriptions are too many or too long")
            }
            entries.append(reader.wholeBytes(of: place))
            let number = UInt32(entries.count)
            numbers[coding] = number
            result.append(number)
        }
        return result
    }

    /// The box `stsd`.
    var box: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: UInt32(entries.count))
        for entry in entries { content += entry }
        return .box("stsd", content)
    }
}

/// The sample groups of a track that is put together, as far as all pieces describe them alike.
struct JoinedGroups {
    private struct Key: Hashable {
        var type: FourCC
        var parameter: UInt32?
    }

    private var descriptions: [FourCC: [[UInt8]]] = [:]
    private var rows: [Key: CountedRows<UInt32>] = [:]
    /// How many samples the rows tell of.
    private var counts: [Key: Int] = [:]
    /// In the order in which they came.
    private var keys: [Key] = []
    private var sampleCount = 0
    /// Groups that the pieces describe in different ways.
    private(set) var dropped: Set<FourCC> = []

    /// Adds the groups of a piece's samples.
    mutating func append(_ track: MovieTrack, _ tables: SampleTables, _ reader: BoxReader) {
        var own: [FourCC: [[UInt8]]] = [:]
        for box in track.tableBoxes where box.type == "sgpd" {
            let bytes = reader.wholeBytes(of: box)
            own[bytes.fourCC(at: 12) ?? .none, default: []].append(bytes)
        }
        for (type, boxes) in own {
            if let known = descriptions[type] {
                if known != boxes { dropped.insert(type) }
            } else {
                descriptions[type] = boxes
            }
        }
        for group in tables.groups {
            let key = Key(type: group.type, parameter: group.parameter)
            if rows[key] == nil {
                keys.append(key)
                rows[key] = CountedRows()
                rows[key]?.append(0, times: sampleCount)
            }
            // A second box of a kind would say something else of the same samples.
            guard counts[key] ?? 0 <= sampleCount else { continue }
            group.forEachRun { rows[key]?.append($1, times: $0) }
            counts[key] = sampleCount + tables.count
        }
        append(tables.count)
    }

    /// Rows of its tables.
    var rowCount: Int { rows.values.reduce(0) { $0 + $1.rows.count } }

    /// Adds samples that are in no group but those given above.
    mutating func append(_ count: Int) {
        sampleCount += count
        for key in keys {
            rows[key]?.append(0, times: sampleCount - (counts[key] ?? 0))
            counts[key] = sampleCount
        }
    }

    /// The boxes `sgpd` and `sbgp`.
    var boxes: [[UInt8]] {
        let kept = descriptions.filter { !dropped.contains($0.key) }.sorted { $0.key.rawValue < $1.key.rawValue }
        var result = kept.flatMap(\.value)
        for key in keys where !dropped.contains(key.type) {
            var head = key.type.bytes
            if let parameter = key.parameter { head.append(bigEndian: parameter) }
            if let rows = rows[key] {
                result.append(rows.box("sbgp", version: key.parameter == nil ? 0 : 1, head: head) { $0 })
            }
        }
        return result
    }
}

/// A table in rows: how many samples in turn have which number.
struct CountedRows<Number: Equatable & Sendable>: Sendable {
    struct Row: Sendable {
        var count: Int
        var number: Number
    }

    private(set) var rows: [Row] = []

    mutating func append(_ number: Number, times count: Int) {
        guard count > 0 else { return }
        if let last = rows.last, last.number == number {
            rows[rows.count - 1].count += count
        } else {
            rows.append(Row(count: count, number: number))
        }
    }

    /// Takes the last samples off.
    ///
    /// - Returns: Their rows in order.
    mutating func removeLast(_ count: Int) -> [Row] {
        var (removed, left): ([Row], Int) = ([], count)
        while left > 0, let last = rows.last {
            let taken = min(left, last.count)
            removed.append(Row(count: taken, number: last.number))
            if taken == last.count { rows.removeLast() } else { rows[rows.count - 1].count -= taken }
            left -= taken
        }
        return removed.reversed()
    }

    /// A table box of these rows, each number as 32 bits.
    func box(_ type: FourCC, version: UInt8 = 0, head: [UInt8] = [], _ number: (Number) -> UInt32) -> [UInt8] {
        var content: [UInt8] = [version, 0, 0, 0] + head
        content.reserveCapacity(content.count + 4 + rows.count * 8)
        content.append(bigEndian: UInt32(clamping: rows.count))
        for row in rows {
            content.append(bigEndian: UInt32(clamping: row.count))
            content.append(bigEndian: number(row.number))
        }
        return .box(type, content)
    }
}
