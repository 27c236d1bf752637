internal import MediaIO

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
