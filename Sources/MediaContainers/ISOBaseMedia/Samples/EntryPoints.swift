internal import MediaCore
internal import MediaIO

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

/// Tells from the pictures of H.264 and HEVC themselves whether decoding may begin there.
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
        case h264
        case hevc
    }

    private let coding: Coding
    private let lengthSize: Int
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
            (coding, lengthSize) = (.h264, Int(configuration[4] & 3) + 1)
        } else if types.isSubset(of: ["hvc1", "hev1", "dvh1", "dvhe"]),
            let configuration = entry.pictureBox("hvcC"), configuration.count > 21
        {
            (coding, lengthSize) = (.hevc, Int(configuration[21] & 3) + 1)
        } else {
            return nil
        }
    }

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
        case .hevc:
            return EntryClassifier.hevc { forEachUnit(in: place, $0) } == .clean ? .clean : .none
        case .h264:
            let (entry, frames) = EntryClassifier.h264 { forEachUnit(in: place, $0) }
            // A stream of nothing but intra pictures has no table, and needs no recovery points.
            let isRecovery = entry == .recovery && (frames == 0 || !isSyncSample)
            return entry == .clean ? .clean : isRecovery ? .recovery : .none
        }
    }

    /// The beginnings of a sample's units.
    private func forEachUnit(in place: Range<UInt64>, _ body: (Slice<UnsafeRawBufferPointer>) -> Bool) {
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
