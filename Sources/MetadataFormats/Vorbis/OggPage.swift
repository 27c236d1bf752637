internal import MediaIO
internal import MediaMetadata

/// One page of an Ogg file: its header, and where its body lies.
///
/// Source: RFC 3533, section 6.
struct OggPage: Hashable {
    struct Flags: OptionSet, Hashable {
        let rawValue: UInt8

        /// The first packet began on an earlier page.
        static let isContinued = Flags(rawValue: 1)
        static let isFirst = Flags(rawValue: 2)
        static let isLast = Flags(rawValue: 4)
    }

    static let marker = Array("OggS".utf8)
    private static let fixedSize = 27
    /// Where the sequence number is; the checksum follows.
    static let sequenceOffset = 18
    static let checksumOffset = 22
    /// The most segments that a page can have.
    static let maximumSegments = 255
    /// The position of a page on which no packet ends.
    static let noPosition = UInt64.max

    let start: UInt64
    let flags: Flags
    /// Where the stream is after the last packet that ends here.
    let position: UInt64
    /// Which stream it belongs to.
    let serial: UInt32
    let sequence: UInt32
    let checksum: UInt32
    /// The lengths of its segments; one below 255 ends a packet.
    let segments: [UInt8]

    /// Reads a page's header, `nil` if there is none or the file ends before the page.
    init?(_ file: RandomAccessFile, at start: UInt64) {
        let header = file.read(at: start, count: Self.fixedSize + Self.maximumSegments)
        guard header.starts(with: Self.marker), header.count >= Self.fixedSize, header[4] == 0,
            let position = header.littleEndian64(at: 6), let serial = header.littleEndian32(at: 14),
            let sequence = header.littleEndian32(at: Self.sequenceOffset),
            let checksum = header.littleEndian32(at: Self.checksumOffset),
            header.count >= Self.fixedSize + Int(header[26])
        else { return nil }
        self.start = start
        flags = Flags(rawValue: header[5])
        segments = Array(header[Self.fixedSize..<(Self.fixedSize + Int(header[26]))])
        (self.position, self.serial, self.sequence, self.checksum) = (position, serial, sequence, checksum)
        guard end <= file.byteCount else { return nil }
    }

    var headerSize: Int { Self.fixedSize + segments.count }
    var bodySize: Int { segments.reduce(0) { $0 + Int($1) } }
    var byteCount: Int { headerSize + bodySize }
    var end: UInt64 { start + UInt64(byteCount) }
    var range: Range<UInt64> { start..<end }

    /// The bytes of a page.
    static func encoded(
        flags: Flags, position: UInt64, serial: UInt32, sequence: UInt32, segments: ArraySlice<UInt8>,
        body: ArraySlice<UInt8>
    ) -> [UInt8] {
        var bytes = marker
        bytes.reserveCapacity(fixedSize + segments.count + body.count)
        bytes += [0, flags.rawValue]
        bytes.append(littleEndian: position)
        bytes.append(littleEndian: serial)
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: UInt32(0))
        bytes.append(UInt8(segments.count))
        bytes += segments
        bytes += body
        setChecksum(of: &bytes)
        return bytes
    }

    /// Makes a page's checksum fit its bytes.
    static func setChecksum(of bytes: inout [UInt8]) {
        let field = checksumOffset..<(checksumOffset + 4)
        bytes.replaceSubrange(field, with: [0, 0, 0, 0])
        var checksum: [UInt8] = []
        checksum.append(littleEndian: OggChecksum.of(bytes))
        bytes.replaceSubrange(field, with: checksum)
    }

    /// Whether the checksum fits the page's bytes, and all of them are there.
    func isSound(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == byteCount else { return false }
        let field = Self.checksumOffset..<(Self.checksumOffset + 4)
        let head = OggChecksum.of(bytes[..<field.lowerBound])
        let zeros = OggChecksum.appendingZeros(field.count, to: head)
        return OggChecksum.of(bytes[field.upperBound...], after: zeros) == checksum
    }

    /// The bytes of the sequence number and the checksum for another number.
    ///
    /// The checksum is derived from the old one, so that a page that was damaged remains so.
    func renumbered(by shift: UInt32) -> [UInt8] {
        var difference: [UInt8] = []
        difference.append(littleEndian: sequence ^ (sequence &+ shift))
        let rest = byteCount - Self.checksumOffset
        let change = OggChecksum.appendingZeros(rest, to: OggChecksum.of(difference))
        var bytes: [UInt8] = []
        bytes.append(littleEndian: sequence &+ shift)
        bytes.append(littleEndian: checksum ^ change)
        return bytes
    }

    /// The segments of packets of these lengths.
    static func segments(ofPackets lengths: some Sequence<Int>) -> [UInt8] {
        lengths.flatMap { [UInt8](repeating: 255, count: $0 / 255) + [UInt8($0 % 255)] }
    }
}
