internal import MediaCore
package import MediaIO

/// How long the list of samples becomes that a reader makes of a movie's tables and fragments.
///
/// A table of twenty bytes may list billions of samples that are all alike, an edit list may show each of them
/// thousands of times, and a packed header may hold both: libavformat makes an entry of 24 bytes for each, without
/// asking anybody. This is worked out from the boxes alone, before it sees them.
///
/// Where the boxes can be understood in two ways, the larger number counts. Boxes are found as libavformat finds them:
/// one that claims more than there is ends where what holds it ends.
///
/// Source: ISO/IEC 14496-12; QuickTime File Format, "Compressed Movie Resources"; libavformat/mov.c.
package struct MovieIndexSize {
    private let limits: MediaLimits
    private let shouldStop: () -> Bool
    private var entries: UInt64 = 0
    private var boxCount = 0
    private var movieTimescale: UInt32 = 0

    /// Boxes that hold boxes, as far as libavformat looks into them.
    private static let containers: Set<FourCC> = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "udta", "mvex", "moof", "traf", "tref", "wave", "meta",
        "ilst", "sinf", "schi", "tapt", "mfra", "hoov",
    ]
    /// Levels of boxes; libavformat has ten.
    private static let maximumDepth = 12
    /// Fragments are read whole up to this size, which saves a call for each of their boxes.
    private static let maximumFragment = 1 << 16

    /// Fails if a movie lists more samples than its reader may hold, or has a packed header that is too large.
    ///
    /// Of what is no movie, hardly anything is read.
    ///
    /// - Parameters:
    ///   - start: Where the movie begins: after tags that stand before it.
    ///   - shouldStop: Asked every now and then; if it says so, the rest is not looked at.
    package static func check(
        _ file: RandomAccessFile, from start: UInt64 = 0, shouldStop: @escaping () -> Bool = { false }
    ) throws(MovieError) {
        var size = MovieIndexSize(limits: file.limits, shouldStop: shouldStop)
        try size.walk(file, min(start, file.byteCount)..<file.byteCount, depth: 0)
    }

    private init(limits: MediaLimits, shouldStop: @escaping () -> Bool) {
        (self.limits, self.shouldStop) = (limits, shouldStop)
    }

    private mutating func walk(_ file: RandomAccessFile, _ range: Range<UInt64>, depth: Int) throws(MovieError) {
        var track: TrackIndexSize?
        try walk(file, range, depth: depth, track: &track)
    }

    private mutating func walk(
        _ file: RandomAccessFile, _ range: Range<UInt64>, depth: Int, track: inout TrackIndexSize?
    ) throws(MovieError) {
        var position = range.lowerBound
        var window = BoxHeaderWindow(file: file)
        while let box = Self.box(in: &window, position..<range.upperBound) {
            boxCount += 1
            if boxCount % 1024 == 0, shouldStop() { return }
            // A movie whose header was freed, by those who look for it there if there is no other.
            if box.type == "free", Self.hidesMovie(box, &window) {
                try walk(file, box.content, depth: depth + 1, track: &track)
            } else {
                try look(at: box, in: file, depth: depth, track: &track)
            }
            position = box.range.upperBound
        }
    }

    /// The box that a range begins with, cut off where the range ends.
    private static func box(in window: inout BoxHeaderWindow, _ range: Range<UInt64>) -> Box? {
        guard range.length >= 8, case let header = window.read(at: range.lowerBound),
            let size32 = header.bigEndian32(at: 0), let type = header.fourCC(at: 4)
        else { return nil }
        let isLarge = size32 == 1
        let headerSize: UInt64 = isLarge ? 16 : 8
        let stated = isLarge ? header.bigEndian64(at: 8) ?? 0 : UInt64(size32)
        let size = min(stated == 0 && !isLarge ? range.length : stated, range.length)
        guard size >= headerSize else { return nil }
        return Box(
            type: type, start: range.lowerBound,
            content: (range.lowerBound + headerSize)..<(range.lowerBound + size))
    }

    private mutating func look(
        at box: Box, in file: RandomAccessFile, depth: Int, track: inout TrackIndexSize?
    ) throws(MovieError) {
        guard depth < Self.maximumDepth else { return }
        switch box.type {
        case "trak":
            var inner: TrackIndexSize? = TrackIndexSize(reader: BoxReader(file: file))
            try walk(file, box.content, depth: depth + 1, track: &inner)
            if let inner { try add(inner.entries(movieTimescale: movieTimescale, limit: limits.indexEntries)) }
        case "moof" where box.content.length <= Self.maximumFragment:
            let bytes = file.read(at: box.content.lowerBound, count: Int(box.content.length))
            try walk(RandomAccessFile(bytes: bytes), 0..<UInt64(bytes.count), depth: depth + 1)
        case "mvhd":
            let bytes = file.read(at: box.content.lowerBound, count: 32)
            movieTimescale = bytes.bigEndian32(at: bytes.first == 1 ? 20 : 12) ?? 0
        case "trun":
            try add(UInt64(file.read(at: box.content.lowerBound, count: 8).bigEndian32(at: 4) ?? 0))
        case "cmov": try unpack(box, in: file, depth: depth)
        case let type where Self.containers.contains(type):
            let content = type == "meta" ? BoxReader(file: file).children(of: box) : box.content
            try walk(file, content, depth: depth + 1, track: &track)
        default: track?.add(box)
        }
    }

    private static func hidesMovie(_ box: Box, _ window: inout BoxHeaderWindow) -> Bool {
        guard box.content.length >= 8 else { return false }
        let type = window.read(at: box.content.lowerBound, count: 8).fourCC(at: 4)
        return type == "mvhd" || type == "cmov"
    }

    private mutating func add(_ count: UInt64) throws(MovieError) {
        entries = entries.addingReportingOverflow(count).overflow ? .max : entries + count
        guard entries <= UInt64(limits.indexEntries) else {
            throw MovieError(
                .limit, "the movie lists more samples than the limit of \(limits.indexEntries)", limit: .indexEntries)
        }
    }

    /// Looks into a packed header, the parts of which stand at fixed places.
    private mutating func unpack(_ box: Box, in file: RandomAccessFile, depth: Int) throws(MovieError) {
        let head = file.read(at: box.content.lowerBound, count: 24)
        guard head.fourCC(at: 4) == "dcom", head.fourCC(at: 8) == "zlib", head.fourCC(at: 16) == "cmvd",
            let size = head.bigEndian32(at: 20)
        else { return }
        // Not even nothing but zeros is packed to less than a thousandth.
        guard size <= limits.metadataSize, box.content.length <= UInt64(limits.metadataSize) else {
            throw MovieError(
                .limit, "the packed movie header has \(size) bytes, the limit is \(limits.metadataSize)",
                limit: .metadataSize)
        }
        let packed = file.read(at: box.content.lowerBound + 24, count: Int(box.content.length) - 24)
        guard let bytes = Inflate.content(packed[...], limit: Int(size)) else { return }
        try walk(RandomAccessFile(bytes: bytes), 0..<UInt64(bytes.count), depth: depth + 1)
    }
}

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
