internal import MediaFile

/// What a movie claims to become in memory, where a few bytes can claim gigabytes.
///
/// FFmpeg takes the memory for a compressed movie box (`cmov`) before it unpacks a byte, and makes an entry for each
/// sample that a table without rows counts, whether the file has its bytes or not.
struct MovieClaims {
    /// No movie of QuickTime's time had tables of this size.
    private static let maximumCompressed: UInt32 = 64 << 20
    /// Samples that are believed without their bytes being there: a hundred megabytes of FFmpeg's entries.
    private static let believedSamples: UInt64 = 1 << 22
    /// Boxes of one level that are looked at; fragments that come later are not.
    private static let maximumBoxes = 1 << 10
    /// What movies begin with.
    private static let firstNames: Set<String> = [
        "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx", "uuid",
    ]

    private let file: RandomAccessFile
    private var samples: UInt64 = 0
    private var compressed: UInt32 = 0

    /// Why a file is not to be opened; `nil` if nothing of this kind speaks against it.
    static func objection(toFile path: String) -> String? {
        guard let file = RandomAccessFile(path: path) else { return nil }
        var claims = MovieClaims(file: file)
        guard let first = claims.box(at: 0, end: file.byteCount), firstNames.contains(first.name) else { return nil }
        claims.read()
        if claims.compressed > maximumCompressed {
            return "a compressed movie box claims to have \(claims.compressed) bytes, "
                + "more than \(maximumCompressed >> 20) MiB"
        }
        // Each sample has a byte at least.
        let byteCount = TrailingHole.start(inFile: path).map { UInt64($0) } ?? file.byteCount
        guard claims.samples > max(believedSamples, byteCount) else { return nil }
        return "its tables claim \(claims.samples) samples, in \(byteCount) bytes"
    }

    private init(file: RandomAccessFile) { self.file = file }

    // MARK: Boxes

    private struct Box {
        var name: String
        var content: Range<UInt64>
    }

    private func box(at position: UInt64, end: UInt64) -> Box? {
        let header = file.read(at: position, count: 16)
        guard position < end, header.count >= 8, let size32 = header.bigEndian32(at: 0) else { return nil }
        var (size, headerSize) = (UInt64(size32), UInt64(8))
        if size == 0 { size = end - position }
        if size == 1 { (size, headerSize) = (header.bigEndian64(at: 8) ?? 0, 16) }
        guard size >= headerSize, size <= end - position else { return nil }
        return Box(name: String(latin1: header[4..<8]), content: (position + headerSize)..<(position + size))
    }

    private func boxes(in range: Range<UInt64>) -> [Box] {
        var boxes: [Box] = []
        var position = range.lowerBound
        while boxes.count < Self.maximumBoxes, let box = box(at: position, end: range.upperBound) {
            boxes.append(box)
            position = box.content.upperBound
        }
        return boxes
    }

    /// The boxes at the end of a path of names.
    private func boxes(_ path: String..., in box: Box) -> [Box] {
        path.reduce([box]) { found, name in
            found.flatMap { boxes(in: $0.content).filter { $0.name == name } }
        }
    }

    // MARK: Claims

    private mutating func read() {
        for box in boxes(in: 0..<file.byteCount) {
            if box.name == "moov" {
                compressed = max(compressed, boxes("cmov", "cmvd", in: box).compactMap { number($0, 0) }.max() ?? 0)
                for table in boxes("trak", "mdia", "minf", "stbl", "stsz", in: box) { add(sizes: table) }
            } else if box.name == "moof" {
                for run in boxes("traf", "trun", in: box) { add(run: run) }
            }
        }
    }

    /// The 32-bit number at a place in a box.
    private func number(_ box: Box, _ offset: UInt64) -> UInt32? {
        guard box.content.length >= offset + 4 else { return nil }
        return file.read(at: box.content.lowerBound + offset, count: 4).bigEndian32(at: 0)
    }

    /// A table of one size for all samples; one with rows has a place in the file for each.
    private mutating func add(sizes table: Box) {
        guard let size = number(table, 4), size > 0, let count = number(table, 8) else { return }
        samples += UInt64(count)
    }

    /// A run of samples in a fragment, none of which has a field of its own.
    private mutating func add(run: Box) {
        let fields: UInt32 = 0xF00
        guard let flags = number(run, 0), flags & fields == 0, let count = number(run, 4) else { return }
        samples += UInt64(count)
    }
}
