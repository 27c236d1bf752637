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
