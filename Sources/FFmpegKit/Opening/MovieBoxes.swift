internal import MediaIO

/// The boxes of a movie file, before FFmpeg sees them.
struct MovieBoxes {
    struct Box {
        var name: String
        /// Where the name stands in the file.
        var nameOffset: UInt64
        var content: Range<UInt64>
    }

    /// Boxes of one level that are looked at; fragments that come later are not.
    private static let maximumBoxes = 1 << 10

    let file: RandomAccessFile
    /// Those of the file itself; none if it does not begin as movies do.
    private(set) var all: [Box] = []

    /// What movies begin with.
    private static let firstNames: Set<String> = [
        "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx", "uuid",
    ]

    /// `nil` for what cannot be read.
    init?(ofFile path: String) {
        guard let file = RandomAccessFile(path: path) else { return nil }
        self.file = file
        guard let first = box(at: 0, end: file.byteCount), Self.firstNames.contains(first.name) else { return }
        all = boxes(in: 0..<file.byteCount)
    }

    func box(at position: UInt64, end: UInt64) -> Box? {
        let header = file.read(at: position, count: 16)
        guard position < end, header.count >= 8, let size32 = header.bigEndian32(at: 0) else { return nil }
        var (size, headerSize) = (UInt64(size32), UInt64(8))
        if size == 0 { size = end - position }
        if size == 1 { (size, headerSize) = (header.bigEndian64(at: 8) ?? 0, 16) }
        guard size >= headerSize, size <= end - position else { return nil }
        return Box(
            name: String(latin1: header[4..<8]), nameOffset: position + 4,
            content: (position + headerSize)..<(position + size))
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
    func named(_ path: String..., in box: Box) -> [Box] {
        path.reduce([box]) { found, name in
            found.flatMap { boxes(in: $0.content).filter { $0.name == name } }
        }
    }

    /// The 32-bit number at a place in a box.
    func number(_ box: Box, _ offset: UInt64) -> UInt32? {
        guard box.content.length >= offset + 4 else { return nil }
        return file.read(at: box.content.lowerBound + offset, count: 4).bigEndian32(at: 0)
    }
}
