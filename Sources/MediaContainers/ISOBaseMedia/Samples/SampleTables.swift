internal import MediaCore
internal import MediaIO

/// The tables of a track that say when its samples are shown, where they lie and where decoding may begin.
package struct SampleTables {
    package let timing: SampleTiming
    package let sizes: SampleSizeTable
    package let chunks: ChunkTable
    let groups: [SampleGroups]
    /// Samples that decoding may begin at, in order; `nil` if it may at each.
    let entryPoints: [Int]?
    /// Samples that the tables claim and do not place.
    let missing: Int

    /// The samples that have a place.
    package var count: Int { timing.count }

    /// Tables without a sample.
    package init() {
        (timing, sizes, chunks) = (SampleTiming(), SampleSizeTable(), ChunkTable())
        (groups, entryPoints, missing) = ([], nil, 0)
    }

    /// Reads the tables.
    ///
    /// - Parameters:
    ///   - factor: How many new ticks each of the track's ticks is to be.
    ///   - maximum: No more samples than this are read, nor rows of tables; `nil` for all.
    package init(
        _ track: MovieTrack, _ reader: BoxReader, factor: UInt32 = 1, maximum: Int? = nil
    ) throws(MovieError) {
        // No row has more than 12 bytes, nor a table more before the first.
        let limit = maximum.map { 12 + 12 * $0 } ?? .max
        func table(_ types: FourCC...) -> TableBytes? {
            track.tableBoxes.first { types.contains($0.type) }
                .map { TableBytes(bytes: reader.bytes(of: $0, limit: limit)) }
        }
        guard track.timescale > 0 else { throw MovieError(.damaged, "its timescale is zero") }
        guard !track.entries.isEmpty else { throw MovieError(.damaged, "it has no sample description") }
        guard let sizeTable = table("stsz", "stz2"), let chunkTable = table("stsc"),
            let offsetTable = table("stco", "co64"), let timeTable = table("stts")
        else { throw MovieError(.damaged, "a table of its samples is missing") }
        let isLong = track.tableBoxes.first { $0.type == "stco" || $0.type == "co64" }?.type == "co64"
        let isCompact = track.tableBoxes.first { $0.type == "stsz" || $0.type == "stz2" }?.type == "stz2"
        sizes = try SampleSizeTable(sizeTable, isCompact: isCompact, packing: track.soundPacking)
        chunks = try ChunkTable(samplesPerChunk: chunkTable, offsets: offsetTable, isLong: isLong)
        let count = min(sizes.count, chunks.sampleCount, maximum ?? .max)
        guard count > 0 || sizes.count == 0 || maximum == 0 else {
            throw MovieError(.damaged, "its samples lie in no chunk")
        }
        missing = sizes.count - count
        timing = try SampleTiming(durations: timeTable, offsets: table("ctts"), count: count, factor: factor)
        let groups = track.tableBoxes.filter { $0.type == "sbgp" || $0.type == "csgp" }.compactMap { box in
            SampleGroups(
                TableBytes(bytes: reader.bytes(of: box, limit: limit)), isCompact: box.type == "csgp", count: count)
        }
        self.groups = groups
        if let sync = table("stss") {
            var points = try Self.numbers(sync, below: count)
            if let partial = table("stps") { points += try Self.numbers(partial, below: count) }
            for group in groups where group.type == "rap " { points += group.members(limit: 1 << 22) }
            if zip(points, points.dropFirst()).contains(where: { $0 >= $1 }) { points = Set(points).sorted() }
            entryPoints = points
        } else {
            entryPoints = nil
        }
    }

    /// A table of sample numbers, from 1 in the file and from 0 here.
    private static func numbers(_ table: TableBytes, below count: Int) throws(MovieError) -> [Int] {
        let rows = try table.limitedCount(at: 4, entrySize: 4)
        return (0..<rows).map { Int(table.u32(8 + $0 * 4)) - 1 }.filter { $0 >= 0 && $0 < count }
    }

    /// Whether the tables claim samples that cannot be read, or more than were to be.
    package var isCut: Bool { count < sizes.claimedCount }

    /// One sample in decode order.
    package struct Sample {
        /// Where its bytes lie in the file.
        package var position: UInt64
        package var size: UInt64
        /// From its decode time to that of the next, in the track's ticks.
        package var times: Range<Int64>
    }

    /// All samples in decode order, but for those that claim to lie beyond what a file can hold.
    package var samples: [Sample] {
        var samples: [Sample] = []
        // What the closure throws would be thrown here; it throws nothing.
        try? chunks.forEachPart(of: 0..<count) { part in
            var position = part.chunkOffset
            for sample in part.samples {
                let size = sizes.byteCount(of: sample..<sample + 1)
                let (end, isTooFar) = position.addingReportingOverflow(size)
                guard !isTooFar else { return }
                let start = timing.decodeTime(sample)
                samples.append(
                    Sample(position: position, size: size, times: start..<start + Int64(timing.duration(sample))))
                position = end
            }
        }
        return samples
    }

    /// The samples that must be there for some to be shown.
    ///
    /// - Parameters:
    ///   - media: From the time shown first up to, not including, the last.
    ///   - preroll: Samples to decode before the first for it to be right.
    ///   - entries: Where decoding may begin.
    /// - Returns: The sample that is shown first, and all that are needed; `nil` if none is shown.
    func samples(
        shownIn media: Range<Int64>, preroll: Int, entries: EntryPoints
    ) -> (first: Int, needed: Range<Int>)? {
        guard let first = timing.sample(shownAt: media.lowerBound) ?? timing.earliestSample(),
            timing.presentationTime(first) < media.upperBound || media.isEmpty
        else { return nil }
        let last = max(first, timing.lastSample(shownBefore: media.upperBound) ?? first)
        let packet = sizes.samplesPerPacket
        let start = entries.entry(for: max(0, first - preroll)) / packet * packet
        let end = min(count, (last + packet) / packet * packet)
        return (first, start..<end)
    }

    /// The sync samples between the beginning of a cut and its first shown
    /// sample that are shown before that.
    func passedEntryPoints(to first: Int, from start: Int) -> [Int] {
        guard let entryPoints else { return [] }
        let time = timing.presentationTime(first)
        let points = entryPoints[
            entryPoints.partitioningIndex { $0 > start }..<entryPoints.partitioningIndex { $0 > first }]
        return points.filter { timing.presentationTime($0) <= time }
    }
}

extension MovieTrack {
    /// How samples are packed, if this is sound with one description.
    var soundPacking: SoundPacking? {
        guard handler == "soun", let entry = entries.first else { return nil }
        return SoundPacking(entry: entry.type, content: entry.content)
    }
}

/// Where decoding a track may begin.
struct EntryPoints {
    private let tables: SampleTables
    private let timescale: UInt32
    /// `nil` where the table of sync samples is to be believed.
    private let pictures: EntryPictures?

    /// For a clean start this much more is kept; recovery points do else.
    private static let longestRunUp: Int64 = 10
    /// Entry points looked into, each of which costs reading from the file.
    private static let maximumSteps = 20_000

    init(_ tables: SampleTables, _ track: MovieTrack, file: RandomAccessFile) {
        self.tables = tables
        timescale = track.timescale
        pictures = track.handler == "vide" ? EntryPictures(track, tables, file) : nil
    }

    /// The sample to begin decoding at: the nearest entry point that comes
    /// before a sample both in decode and in presentation order.
    ///
    /// A leading picture comes after its entry point in decode order only; it
    /// needs pictures before that.
    func entry(for sample: Int) -> Int {
        let time = tables.timing.presentationTime(sample)
        var recovery: Int?
        var steps = 0
        var next = entryPoint(upTo: sample)
        while let point = next, steps < Self.maximumSteps {
            next = point > 0 ? entryPoint(upTo: point - 1) : nil
            let pointTime = tables.timing.presentationTime(point)
            if tables.timing.hasOffsets, pointTime > time { continue }
            guard let pictures else { return point }
            if let recovery, time - pointTime > Self.longestRunUp * Int64(timescale) { return recovery }
            steps += 1
            switch pictures.entry(at: point, isSyncSample: tables.entryPoints != nil) {
            case .clean: return point
            case .recovery: recovery = recovery ?? point
            case .none: break
            }
        }
        return recovery ?? 0
    }

    private func entryPoint(upTo sample: Int) -> Int? {
        guard let points = tables.entryPoints else { return sample }
        let index = points.partitioningIndex { $0 > sample }
        return index > 0 ? points[index - 1] : nil
    }
}

/// Tells from the pictures themselves whether decoding may begin there.
///
/// Tables of sync samples name recovery points too, from which pictures become
/// whole only gradually, or which decoders do not start at; and a track without
/// such a table says that of every sample.
struct EntryPictures {
    enum Entry {
        /// Everything shown from here on is right.
        case clean
        /// An intra picture after which pictures are right, though not all decoders hand them out.
        case recovery
        case none
    }

    private enum Coding {
        case h264(lengthSize: Int)
        case hevc(lengthSize: Int)
        /// One whose header comes first in a sample.
        case other(EntryClassifier)
    }

    private let coding: Coding
    private let tables: SampleTables
    private let file: RandomAccessFile

    /// Units of a picture that are looked at; slices come after a few others.
    private static let maximumUnits = 64

    /// `nil` for codings whose pictures are not looked into.
    init?(_ track: MovieTrack, _ tables: SampleTables, _ file: RandomAccessFile) {
        (self.tables, self.file) = (tables, file)
        let types = Set(track.entries.map(\.type))
        guard let entry = track.entries.first else { return nil }
        if types.isSubset(of: ["avc1", "avc3", "dva1", "dvav"]),
            let configuration = entry.pictureBox("avcC"), configuration.count > 4
        {
            coding = .h264(lengthSize: Int(configuration[4] & 3) + 1)
        } else if types.isSubset(of: ["hvc1", "hev1", "dvh1", "dvhe"]),
            let configuration = entry.pictureBox("hvcC"), configuration.count > 21
        {
            coding = .hevc(lengthSize: Int(configuration[21] & 3) + 1)
        } else if types.count == 1, let codec = Self.codec(of: entry) {
            coding = .other(EntryClassifier(codec: codec, extradata: []))
        } else {
            return nil
        }
    }

    private static let codecs: [FourCC: Codec] = [
        "av01": .av1, "vp08": .vp8, "vp09": .vp9, "s263": .h263, "SVQ1": .sorensonVideo,
        "m2v1": .mpeg2Video, "mp2v": .mpeg2Video, "m1v1": .mpeg1Video, "m1v ": .mpeg1Video, "MP43": .msMPEG4v3,
        "DIV3": .msMPEG4v3, "3IVD": .msMPEG4v3,
    ]

    private static func codec(of entry: SampleEntry) -> Codec? {
        guard entry.type == "mp4v" else {
            let isCameras = ["hdv", "xdv", "xd5"].contains(String(entry.type.text.prefix(3)))
            if isCameras { return .mpeg2Video }
            return entry.type.text.lowercased() == Codec.h263.rawValue ? .h263 : codecs[entry.type]
        }
        guard let box = entry.pictureBox("esds"), let descriptor = ElementaryStreamDescriptor(box.dropFirst(4)) else {
            return nil
        }
        switch descriptor.objectType {
        case 0x20: return .mpeg4
        case 0x60...0x65: return .mpeg2Video
        case 0x6A: return .mpeg1Video
        default: return nil
        }
    }

    /// Enough for the headers that come before a picture's own.
    private static let headerBytes = 4096

    /// What a sample is.
    ///
    /// - Parameter isSyncSample: Whether a table says that decoding may begin there.
    func entry(at sample: Int, isSyncSample: Bool) -> Entry {
        var place: Range<UInt64>?
        try? tables.chunks.forEachPart(of: sample..<(sample + 1)) { part in
            let before = tables.sizes.byteCount(of: part.chunkStart..<sample)
            let (start, overflow) = part.chunkOffset.addingReportingOverflow(before)
            let (end, overflow2) = start.addingReportingOverflow(tables.sizes.byteCount(of: sample..<(sample + 1)))
            if !overflow, !overflow2 { place = start..<end }
        }
        guard let place, place.upperBound <= file.byteCount else { return .none }
        switch coding {
        case .other(let classifier):
            let head = file.read(at: place.lowerBound, count: min(place.count, Self.headerBytes))
            return head.withUnsafeBytes { classifier.classify($0) } == .clean ? .clean : .none
        case .hevc(let size):
            return EntryClassifier.hevc { forEachUnit(in: place, size, $0) } == .clean ? .clean : .none
        case .h264(let size):
            let (entry, frames) = EntryClassifier.h264 { forEachUnit(in: place, size, $0) }
            // A stream of nothing but intra pictures has no table, and needs no recovery points.
            let isRecovery = entry == .recovery && (frames == 0 || !isSyncSample)
            return entry == .clean ? .clean : isRecovery ? .recovery : .none
        }
    }

    /// The beginnings of a sample's units.
    private func forEachUnit(
        in place: Range<UInt64>, _ lengthSize: Int, _ body: (Slice<UnsafeRawBufferPointer>) -> Bool
    ) {
        var position = place.lowerBound
        for _ in 0..<Self.maximumUnits {
            guard place.upperBound - position > UInt64(lengthSize) else { return }
            let head = file.read(at: position, count: lengthSize + 64)
            guard head.count > lengthSize else { return }
            let length = head.prefix(lengthSize).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            position += min(UInt64(lengthSize) + length, place.upperBound - position)
            let goesOn = head.withUnsafeBytes { bytes in
                let unit = bytes.dropFirst(lengthSize).prefix(Int(min(length, 64)))
                return unit.isEmpty || body(unit)
            }
            if !goesOn { return }
        }
    }
}
