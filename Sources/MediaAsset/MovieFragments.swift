internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Where the samples of a fragmented movie's tracks begin and end, read from
/// the fragments' headers alone.
///
/// The header of such a movie was written before its samples were known: what
/// it says of durations may be zero, that of the first fragment, or anything.
///
/// Source: ISO/IEC 14496-12 (`trex`, `tfhd`, `tfdt`, `trun`).
struct MovieFragments {
    /// Times in the track's timescale, before its edit list.
    struct Extent {
        var start: Int64
        var end: Int64
    }

    /// By track number.
    private(set) var extents: [UInt32: Extent] = [:]
    /// The numbers of tracks with samples that are shown at another time than they are decoded at.
    private(set) var reorderedTracks: Set<UInt32> = []
    /// How long samples last that do not say, by track number.
    private var defaultDurations: [UInt32: UInt32] = [:]
    /// Where the next sample of each track is decoded, for fragments that do not say.
    private var positions: [UInt32: Int64] = [:]
    private let reader: BoxReader

    /// Fragments read; more than a day of them a quarter of a second long.
    private static let maximumFragments = 1 << 19

    /// - Returns: `nil` if there is no fragment, or one that cannot be read.
    init?(_ file: RandomAccessFile) {
        reader = BoxReader(file: file)
        var position: UInt64 = 0
        var count = 0
        while let box = reader.firstBox(in: position..<file.byteCount) {
            switch box.type {
            case "moov": readDefaults(box)
            case "moof":
                count += 1
                guard count <= Self.maximumFragments, readFragment(box) else { return nil }
            default: break
            }
            guard box.range.upperBound > position else { return nil }
            position = box.range.upperBound
        }
        guard !extents.isEmpty else { return nil }
    }

    private mutating func readDefaults(_ movie: Box) {
        guard let extending = reader.box(["mvex"], in: movie.content) else { return }
        for box in reader.boxes(in: extending.content) where box.type == "trex" {
            let bytes = reader.bytes(of: box, limit: 64)
            guard let track = bytes.bigEndian32(at: 4), let duration = bytes.bigEndian32(at: 12) else { continue }
            defaultDurations[track] = duration
        }
    }

    private mutating func readFragment(_ fragment: Box) -> Bool {
        for track in reader.boxes(in: fragment.content) where track.type == "traf" {
            let children = reader.boxes(in: track.content)
            guard let header = children.first(where: { $0.type == "tfhd" }) else { return false }
            let bytes = reader.bytes(of: header, limit: 64)
            guard let flags = bytes.bigEndian32(at: 0), let id = bytes.bigEndian32(at: 4) else { return false }
            // What stands before the default duration is there or not by these flags.
            let offset = 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
            let duration = flags & 8 != 0 ? bytes.bigEndian32(at: offset) : defaultDurations[id]
            var position = positions[id] ?? 0
            if let box = children.first(where: { $0.type == "tfdt" }) {
                let bytes = reader.bytes(of: box, limit: 16)
                let time = bytes.first == 1 ? bytes.bigEndian64(at: 4) : bytes.bigEndian32(at: 4).map(UInt64.init)
                guard let time, let time = Int64(exactly: time) else { return false }
                position = time
            }
            for run in children where run.type == "trun" {
                guard readRun(run, track: id, duration: duration ?? 0, position: &position) else { return false }
            }
            positions[id] = position
        }
        return true
    }

    private mutating func readRun(_ run: Box, track id: UInt32, duration: UInt32, position: inout Int64) -> Bool {
        guard run.content.length <= 1 << 24 else { return false }
        let bytes = reader.bytes(of: run, limit: 1 << 24)
        guard let flags = bytes.bigEndian32(at: 0), let count = bytes.bigEndian32(at: 4) else { return false }
        var index = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
        let fields: [UInt32] = [0x100, 0x200, 0x400, 0x800]
        let size = fields.count { flags & $0 != 0 } * 4
        guard size == 0 || Int(count) <= (bytes.count - min(index, bytes.count)) / size else { return false }
        let isSigned = bytes.first ?? 0 > 0
        // Where the samples do not tell anything of their own, they are all alike.
        let samples = size == 0 ? min(count, 1) : count
        for _ in 0..<samples {
            let length = flags & 0x100 != 0 ? bytes.bigEndian32(at: index) ?? 0 : duration
            var shift: Int64 = 0
            if flags & 0x800 != 0, let raw = bytes.bigEndian32(at: index + size - 4) {
                shift = isSigned ? Int64(Int32(bitPattern: raw)) : Int64(raw)
            }
            if shift != 0 { reorderedTracks.insert(id) }
            let (total, isTooLong) = Int64(length).multipliedReportingOverflow(by: size == 0 ? Int64(count) : 1)
            guard !isTooLong, include(position, length: total, shift: shift, track: id) else { return false }
            position += total
            index += size
        }
        return true
    }

    /// Takes one sample, or a row of samples alike, into its track's extent.
    private mutating func include(_ position: Int64, length: Int64, shift: Int64, track id: UInt32) -> Bool {
        let (start, isTooLate) = position.addingReportingOverflow(shift)
        let (end, isTooLong) = start.addingReportingOverflow(length)
        guard !isTooLate, !isTooLong, !position.addingReportingOverflow(length).overflow else { return false }
        let known = extents[id]
        extents[id] = Extent(start: min(known?.start ?? start, start), end: max(known?.end ?? end, end))
        return true
    }
}
