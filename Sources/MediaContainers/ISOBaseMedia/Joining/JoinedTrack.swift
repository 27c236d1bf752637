internal import MediaIO

/// A track that is put together of those of several movies.
struct JoinedTrack {
    /// What goes on in the track.
    struct Segment {
        var track: MovieTrack
        var tables: SampleTables
        /// What the piece shows, on the new movie's timeline.
        var shown: [JoinedTimeline.Shown]
        var reader: BoxReader
        /// Where the piece's file begins among all.
        var base: UInt64
        var file: RandomAccessFile
    }

    /// The first of its tracks, which the headers are of.
    let model: MovieTrack
    let modelReader: BoxReader
    /// The piece that the headers are of.
    let modelPiece: Int
    private(set) var timeline: JoinedTimeline
    private(set) var groups = JoinedGroups()
    private(set) var chunks = JoinedChunks()
    private var sizes = JoinedSizes()
    private var descriptions = JoinedDescriptions()
    private var sync = CountedRows<Bool>()
    private var partialSync = CountedRows<Bool>()
    /// What depends on each sample: `sdtp`; `nil` if not all pieces tell.
    private var dependencies: [UInt8]? = []
    /// The last piece's way to show nothing.
    private var silence: SilentSamples?
    /// Whether the pieces are coded in different ways.
    private let hasCodings: Bool
    /// What libavformat needs to stop reading a piece at its end.
    private var stop: Stop?
    /// Tables that are left out.
    private(set) var dropped: Set<FourCC> = []

    private static let lost: Set<FourCC> = ["stsh", "stdp", "padb", "subs"]
    /// Tables that tell where the keys of samples are.
    private static let encrypting: Set<FourCC> = ["senc", "saiz", "saio"]
    /// Silent samples of one chunk.
    private static let silentSamples = 1 << 14

    /// A track without samples.
    ///
    /// - Parameters:
    ///   - piece: What the headers are of.
    ///   - index: Its place among the pieces.
    ///   - hasCodings: Whether the pieces are coded in different ways.
    init(_ piece: Segment, index: Int, hasCodings: Bool, clock: MovieClock) {
        (model, modelReader, modelPiece) = (piece.track, piece.reader, index)
        self.hasCodings = hasCodings && piece.track.handler == "vide"
        timeline = JoinedTimeline(clock: clock, timescale: piece.track.timescale)
    }

    // MARK: Adding

    /// Adds a piece.
    ///
    /// - Returns: The bytes of its samples, among all files.
    mutating func append(
        _ piece: Segment, gaps: MovieJoin.GapForm, _ newData: inout JoinedData
    ) throws(MovieError) -> [Range<UInt64>] {
        let (track, tables) = (piece.track, piece.tables)
        guard !track.isProtected, !track.tableBoxes.contains(where: { Self.encrypting.contains($0.type) }) else {
            throw MovieError(.unsupported, "it is encrypted")
        }
        guard let first = piece.shown.first else { return [] }
        try addStops()
        try fill(until: first.span.lowerBound, gaps, &newData)
        let numbers = try descriptions.add(track, piece.reader)
        let ranges = try chunks.append(
            tables, descriptions: numbers, base: piece.base, fileByteCount: piece.file.byteCount)
        try sizes.append(tables.sizes, count: tables.count)
        appendFlags(piece)
        groups.append(track, tables, piece.reader)
        dropped.formUnion(track.tableBoxes.map(\.type).filter(Self.lost.contains))
        silence = SilentSamples(track, sizes: sizes)
        try appendShown(piece, gaps: gaps)
        try checkSize()
        if hasCodings { stop = Stop(piece, end: timeline.lastMediaEnd) }
        return ranges
    }

    /// Refuses tables that no reader takes.
    private func checkSize() throws(MovieError) {
        let rows = timeline.rowCount + groups.rowCount + sync.rows.count + partialSync.rows.count
        guard rows <= MovieSource.maximumMovieBytes / 8 else {
            throw MovieError(.limit, "its tables would be too long")
        }
    }

    /// Adds the last piece's first sample again, unseen, as often as it takes.
    private mutating func addStops() throws(MovieError) {
        guard let stop, stop.count > 0 else { return }
        for _ in 0..<stop.count { try addSamples(1, size: stop.size, stop.offset) }
        timeline.appendHidden(stop.count)
    }

    /// Adds the times; the moments between the edits at which the piece itself shows nothing come with them.
    private mutating func appendShown(_ piece: Segment, gaps: MovieJoin.GapForm) throws(MovieError) {
        let kind: JoinedTimeline.Kind =
            switch piece.track.handler {
            case "vide": .pictures
            case "soun" where silence == nil: .packets
            default: .others
            }
        try timeline.append(piece.tables.timing, piece.shown, kind, gaps: gaps)
    }

    private mutating func appendFlags(_ piece: Segment) {
        func numbers(_ type: FourCC) -> [Int]? {
            guard let box = piece.track.tableBoxes.first(where: { $0.type == type }) else { return nil }
            let table = TableBytes(bytes: piece.reader.bytes(of: box, limit: .max))
            return (0..<table.count(at: 4, entrySize: 4)).map { Int(table.u32(8 + $0 * 4)) - 1 }
        }
        let count = piece.tables.count
        if let points = numbers("stss") {
            sync.append(true, at: points, of: count)
        } else {
            sync.append(true, times: count)
        }
        partialSync.append(true, at: numbers("stps") ?? [], of: count)
        if let box = piece.track.tableBoxes.first(where: { $0.type == "sdtp" }), box.content.length == UInt64(count) + 4
        {
            dependencies? += piece.reader.bytes(of: box, limit: .max).dropFirst(4)
        } else {
            dependencies = nil
        }
    }

    // MARK: Gaps

    /// Shows nothing, or what comes closest to it, until a time.
    mutating func fill(
        until time: Int128, _ gaps: MovieJoin.GapForm, _ newData: inout JoinedData
    ) throws(MovieError) {
        guard time > timeline.editEnd else { return }
        if !timeline.hasShown || gaps == .empty { return try timeline.addEmpty(until: time) }
        if let silence { return try fill(until: time, with: silence, &newData) }
        if model.handler == "vide", try timeline.hold(until: time) { return }
        try timeline.idle(until: time)
    }

    private mutating func fill(
        until time: Int128, with silence: SilentSamples, _ newData: inout JoinedData
    ) throws(MovieError) {
        let length = timeline.clock.value(time - timeline.editEnd, per: timeline.timescale, .up)
        switch silence {
        case .text(let bytes):
            guard let duration = UInt32(exactly: length) else {
                throw MovieError(.unsupported, "a gap between its samples is too long")
            }
            try addSamples(1, size: UInt32(bytes.count), newData.offset(of: bytes))
            try timeline.append(1, lasting: duration, until: time)
        case .sound(let byte, let size):
            let duration = max(1, timeline.lastDuration)
            let count = (length + Int64(duration) - 1) / Int64(duration)
            let chunk = [UInt8](repeating: byte, count: size * Self.silentSamples)
            let offset = newData.offset(of: chunk)
            var left = Int(clamping: count)
            while left > 0 {
                let samples = min(left, Self.silentSamples)
                try addSamples(samples, size: sizes.constant ?? 0, offset)
                left -= samples
            }
            try timeline.append(Int(clamping: count), lasting: duration, until: time)
        }
    }

    private mutating func addSamples(_ count: Int, size: UInt32, _ offset: UInt64) throws(MovieError) {
        try chunks.append(offset, samples: count, description: chunks.lastDescription)
        try sizes.append(size, times: count)
        sync.append(true, times: count)
        partialSync.append(false, times: count)
        dependencies? += repeatElement(0, count: count)
        groups.append(count)
    }

    // MARK: Writing

    mutating func removeSplitEdits() { timeline.removeSplits() }

    /// The children of the sample table box.
    ///
    /// - Parameter index: The track's number in the movie, for its chunk offsets.
    func nodes(index: Int) throws(MovieError) -> [MovieNode] {
        var boxes = [descriptions.box, timeline.durationBox]
        if let offsets = try timeline.offsetBox() { boxes.append(offsets) }
        if sync.rows.contains(where: { !$0.number }) { boxes.append(try sync.numbers("stss")) }
        if partialSync.rows.contains(where: \.number) { boxes.append(try partialSync.numbers("stps")) }
        if let dependencies, !dependencies.isEmpty { boxes.append(.box("sdtp", [0, 0, 0, 0] + dependencies)) }
        boxes += groups.boxes
        boxes += [chunks.box, sizes.box]
        return boxes.map { .bytes($0) } + [.chunkOffsets(track: index)]
    }

    /// What the tables lose.
    func losses(trackID: UInt32) -> [MovieLoss] {
        let tables = dropped.sorted { $0.rawValue < $1.rawValue }.map { "\($0.text) of track \(trackID)" }
        let groups = groups.dropped.sorted { $0.rawValue < $1.rawValue }.map { "groups \($0.text) of track \(trackID)" }
        return tables.map { MovieLoss(item: $0, reason: "it is not put together") }
            + groups.map { MovieLoss(item: $0, reason: "the pieces describe them in different ways") }
    }
}

/// A sample that decoding may begin at, at the end of a piece.
///
/// libavformat reads on after an edit's end up to the second sync sample, then begins with the next edit. It finds
/// out the description of a sample by counting those that it has read; where pieces have different ones, it must not
/// read any of the next piece twice.
private struct Stop {
    let offset: UInt64
    let size: UInt32
    /// How many are missing.
    let count: Int

    /// - Parameter end: Where the piece's last edit ends in its media.
    init?(_ piece: JoinedTrack.Segment, end: Int64) {
        let (tables, timing) = (piece.tables, piece.tables.timing)
        guard tables.entryPoints.map({ $0.first == 0 }) ?? true else { return nil }
        var place: UInt64?
        // What the closure throws would be thrown here; it throws nothing.
        try? tables.chunks.forEachPart(of: 0..<1) { place = $0.chunkOffset }
        guard let place else { return nil }
        offset = piece.base + place
        size = UInt32(clamping: tables.sizes.byteCount(of: 0..<1))
        var found = 0
        for sample in (tables.entryPoints ?? Array(max(0, tables.count - 64)..<tables.count)).suffix(64)
        where timing.presentationTime(sample) + Int64(timing.duration(sample)) >= end { found += 1 }
        count = max(0, 2 - found)
    }
}

extension CountedRows<Bool> {
    /// Adds samples of which some have the mark.
    fileprivate mutating func append(_ mark: Bool, at points: [Int], of count: Int) {
        var next = 0
        for point in points where point >= next && point < count {
            append(!mark, times: point - next)
            append(mark, times: 1)
            next = point + 1
        }
        append(!mark, times: count - next)
    }

    /// A table of the numbers, from 1, of samples that have the mark.
    fileprivate func numbers(_ type: FourCC) throws(MovieError) -> [UInt8] {
        guard rows.reduce(0, { $1.number ? $0 + $1.count : $0 }) <= MovieSource.maximumMovieBytes / 4 else {
            throw MovieError(.limit, "its tables would be too long")
        }
        var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        var sample = 1
        for row in rows {
            if row.number { for index in 0..<row.count { content.append(bigEndian: UInt32(clamping: sample + index)) } }
            sample += row.count
        }
        content.set(bigEndian: UInt32(clamping: content.count / 4 - 2), at: 4)
        return .box(type, content)
    }
}

/// Samples that show nothing, for media that can say so without being coded.
enum SilentSamples {
    /// Uncompressed sound: the bytes of a sample, all of which are the same.
    case sound(byte: UInt8, count: Int)
    /// A text without characters.
    case text([UInt8])

    private static let plain: Set<FourCC> = [
        "twos", "sowt", "in24", "in32", "fl32", "fl64", "lpcm", "ipcm", "fpcm",
    ]

    /// What shows nothing in a track; `nil` if only its encoder could tell.
    init?(_ track: MovieTrack, sizes: JoinedSizes) {
        guard let entry = track.entries.first, track.entries.count == 1 else { return nil }
        switch entry.type {
        case "tx3g", "text": self = .text([0, 0])
        // A cue that is empty: `vtte`.
        case "wvtt": self = .text(.box("vtte", []))
        case let type where track.handler == "soun":
            let byte: UInt8? =
                switch type {
                case "raw ": entry.content.bigEndian16(at: 18) == 8 ? 0x80 : nil
                case "ulaw": 0xFF
                case "alaw": 0xD5
                default: Self.plain.contains(type) ? 0 : nil
                }
            guard let byte, let packing = track.soundPacking, packing.samples == 1, let size = sizes.constant,
                size == 1 || Int(size) == packing.bytes
            else { return nil }
            self = .sound(byte: byte, count: packing.bytes)
        default: return nil
        }
    }
}

/// The first picture of a piece of HEVC, as one that other pictures than its own came before.
///
/// A clean random access picture takes up the count of the pictures before it, and those that follow it but are shown
/// before it are decoded with them. As a broken link access picture it does neither, which is what the coding has that
/// kind for; the two differ in the type of their units only.
///
/// Source: ITU-T H.265, 7.4.2.2 and 8.1.3.
struct SplicePicture {
    /// What bytes at which places of the file become.
    private(set) var changes: [(position: UInt64, byte: UInt8)] = []

    private static let codecs: Set<FourCC> = ["hvc1", "hev1", "dvh1", "dvhe"]
    private static let cleanRandomAccess: UInt8 = 21
    private static let brokenLink: UInt8 = 16
    /// Units of a picture that are looked at: more slices than any level allows.
    private static let maximumUnits = 1024

    init(_ track: MovieTrack, _ tables: SampleTables, file: RandomAccessFile) {
        guard let entry = track.entries.first, track.entries.allSatisfy({ Self.codecs.contains($0.type) }),
            let configuration = entry.pictureBox("hvcC"), configuration.count > 21
        else { return }
        let lengthSize = Int(configuration[21] & 3) + 1
        var place: Range<UInt64> = 0..<0
        // What the closure throws would be thrown here; it throws nothing.
        try? tables.chunks.forEachPart(of: 0..<min(1, tables.count)) { part in
            let (end, overflow) = part.chunkOffset.addingReportingOverflow(tables.sizes.byteCount(of: 0..<1))
            if !overflow, end <= file.byteCount { place = part.chunkOffset..<end }
        }
        readUnits(in: place, of: file, lengthSize: lengthSize)
    }

    private mutating func readUnits(in place: Range<UInt64>, of file: RandomAccessFile, lengthSize: Int) {
        var position = place.lowerBound
        for _ in 0..<Self.maximumUnits where place.upperBound - position > UInt64(lengthSize) {
            let head = file.read(at: position, count: lengthSize + 1)
            guard head.count > lengthSize else { return }
            let length = head.prefix(lengthSize).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let unit = position + UInt64(lengthSize)
            guard length > 0, length <= place.upperBound - unit else { return }
            let byte = head[lengthSize]
            let type = byte >> 1 & 63
            if type == Self.cleanRandomAccess {
                changes.append((unit, byte & 0x81 | Self.brokenLink << 1))
            } else if type < 32 {
                // Slices of another kind of picture.
                changes = []
                return
            }
            position = unit + length
        }
    }
}
