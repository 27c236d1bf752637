internal import MediaCore
internal import MediaIO

/// How many entries a reader's list of a track's samples has.
struct TrackIndexSize {
    private let reader: BoxReader
    /// Samples that the tables of sizes list, and samples of one size in chunks.
    private var sampleCount: UInt64 = 0
    private var boxes: [FourCC: [Box]] = [:]
    private var handlers: Set<FourCC> = []

    init(reader: BoxReader) { self.reader = reader }

    /// Bytes that are read of one table.
    private static let maximumTable = 64 << 20
    private static let tables: Set<FourCC> = ["stts", "stsc", "stco", "co64", "stss", "stsd", "elst", "mdhd"]
    private static let kinds: Set<FourCC> = ["soun", "vide", "text", "subp", "clcp", "m1a ", "tmcd"]

    /// Takes in a box of the track.
    mutating func add(_ box: Box) {
        switch box.type {
        case "stsz", "stz2":
            let head = reader.bytes(of: box, limit: 12)
            guard let size = head.bigEndian32(at: 4), let count = head.bigEndian32(at: 8) else { return }
            // Of samples with sizes of their own, there are no more than the table has bits for.
            let stored = box.content.length.subtractingReportingOverflow(12).partialValue
            let most = box.type == "stsz" ? stored / 4 : stored.multipliedReportingOverflow(by: 2).partialValue
            sampleCount += box.type == "stsz" && size != 0 ? UInt64(count) : min(UInt64(count), most)
        case "hdlr":
            if let kind = reader.bytes(of: box, limit: 12).fourCC(at: 8), Self.kinds.contains(kind) {
                handlers.insert(kind)
            }
        case let type where Self.tables.contains(type): boxes[type, default: []].append(box)
        default: break
        }
    }

    private func tables(_ types: FourCC...) -> [TableBytes] {
        types.flatMap { boxes[$0] ?? [] }.map { TableBytes(bytes: reader.bytes(of: $0, limit: Self.maximumTable)) }
    }

    /// The entries, once for each edit that shows them.
    ///
    /// - Parameter limit: More than this need not be told apart.
    func entries(movieTimescale: UInt32, limit: Int64) -> UInt64 {
        let entries = countsBytes ? chunkEntries : sampleCount
        var edits: [EditList.Segment] = []
        for table in tables("elst") { edits += EditList(content: table.bytes, maximum: .max).segments }
        edits = edits.filter { $0.mediaTime >= 0 }
        guard edits.count > 1, entries > 0 else { return entries }
        let (product, isBeyond) = entries.multipliedReportingOverflow(by: UInt64(edits.count))
        guard isBeyond || product > UInt64(limit / 16) else { return product }
        return shown(by: edits, of: entries, movieTimescale: movieTimescale)
    }

    // MARK: Sound of bytes

    /// Whether the samples are those of uncompressed sound, of which whole chunks are entries.
    private var countsBytes: Bool {
        guard handlers == ["soun"] else { return false }
        let times = tables("stts")
        return !times.isEmpty
            && times.allSatisfy { $0.count(at: 4, entrySize: 8) == 1 && $0.u32(12) == 1 }
    }

    /// A thousand samples of each chunk are an entry, or as many as go together by the description of the sound.
    private var chunkEntries: UInt64 {
        let packets = tables("stsd").map { $0.u16(24) >= 1 ? $0.u32(52) : 0 }.filter { $0 >= 160 }
        let together = UInt64(packets.min() ?? 800)
        let chunks =
            UInt64(tables("stco").reduce(0) { $0 + $1.count(at: 4, entrySize: 4) })
            + UInt64(tables("co64").reduce(0) { $0 + $1.count(at: 4, entrySize: 8) })
        var entries: UInt64 = 0
        for table in tables("stsc") {
            let runs = table.count(at: 4, entrySize: 12)
            for run in 0..<runs {
                let first = UInt64(table.u32(8 + 12 * run))
                let next = run + 1 < runs ? UInt64(table.u32(20 + 12 * run)) : chunks + 1
                let count = min(next, chunks + 1).subtractingReportingOverflow(max(first, 1))
                guard !count.overflow else { continue }
                let each = (UInt64(table.u32(12 + 12 * run)) + together - 1) / together
                entries += count.partialValue * each
            }
        }
        return entries
    }

    // MARK: Edits

    /// Samples that are shown by edits, and those before them from a sync sample on.
    private func shown(by edits: [EditList.Segment], of entries: UInt64, movieTimescale: UInt32) -> UInt64 {
        let media = tables("mdhd").first.map { $0.version == 1 ? $0.u32(20) : $0.u32(12) } ?? 0
        let (starts, times) = runs
        let syncSamples = tables("stss").first.map { table in
            (0..<table.count(at: 4, entrySize: 4)).map { UInt64(max(1, table.u32(8 + 4 * $0)) - 1) }
        }
        func index(_ time: UInt64) -> UInt64 {
            let run = times.partitioningIndex { $0.time > time } - 1
            guard run >= 0 else { return 0 }
            let delta = times[run].delta
            let inside = delta == 0 ? 0 : (time - times[run].time) / UInt64(delta)
            let end = run + 1 < starts.count ? starts[run + 1] : entries
            return min(starts[run] + inside, max(end, starts[run]))
        }
        return edits.reduce(0) { sum, edit in
            let start = UInt64(edit.mediaTime)
            let ticks = Double(edit.duration) * Double(media) / Double(max(1, movieTimescale))
            let length = edit.duration == 0 ? UInt64.max / 4 : UInt64(min(ticks, Double(UInt64.max / 4)))
            let first = index(start)
            let sync = syncSamples.map { all in
                let place = all.partitioningIndex { $0 > first }
                return place > 0 ? all[place - 1] : 0
            }
            let shown = min(entries, index(start.addingReportingOverflow(length).overflow ? .max : start + length) + 1)
            return sum + 1 + shown - min(shown, sync ?? first)
        }
    }

    /// The first sample and the time of each run of samples that last equally long.
    private var runs: (starts: [UInt64], times: [(time: UInt64, delta: UInt32)]) {
        var (starts, times): ([UInt64], [(time: UInt64, delta: UInt32)]) = ([], [])
        var (sample, time): (UInt64, UInt64) = (0, 0)
        for table in tables("stts").prefix(1) {
            for row in 0..<table.count(at: 4, entrySize: 8) {
                let (count, delta) = (UInt64(table.u32(8 + 8 * row)), table.u32(12 + 8 * row))
                starts.append(sample)
                times.append((time, delta))
                sample += count
                time = time.addingReportingOverflow(count * UInt64(delta)).partialValue
            }
        }
        return (starts, times)
    }
}
