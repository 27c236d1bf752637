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

/// The pages that hold a stream's header packets after the first, and how others take their place.
///
/// Packets can be laid over pages in many ways, so that the number of pages
/// nearly always remains. What follows the packets on the last page stays there.
struct OggHeaderRun {
    /// Padding that is left for later edits where the old size does not fit.
    private static let freshPadding = 2048

    let oldPages: [OggPage]
    private let oldLengths: [Int]
    private let restSegments: ArraySlice<UInt8>
    private let restBody: ArraySlice<UInt8>

    /// The run of a stream whose headers are complete.
    init(_ stream: OggStream) throws(MetadataError) {
        guard stream.packets.count > 1, stream.packets[1].firstPage > 0,
            !stream.pages[stream.packets[1].firstPage].flags.contains(.isContinued)
        else { throw MetadataError(.unsupported, "the comments begin on the page of the first packet") }
        oldPages = Array(stream.pages[stream.packets[1].firstPage...])
        oldLengths = stream.packets.dropFirst().map(\.bytes.count)
        (restSegments, restBody) = (stream.restSegments, stream.restBody)
    }

    /// The size to which a packet of comments is best padded.
    ///
    /// That is the old size; else one with which the number of pages remains.
    func paddedSize(for size: Int, oldSize: Int, paddingLimit: Int) -> Int {
        if size <= oldSize, oldSize - size <= paddingLimit { return oldSize }
        let largest = (OggPage.maximumSegments * oldPages.count - restSegments.count) * 255 - 1
        let smallest = (oldPages.count - 1) * 255
        let wanted = size + Self.freshPadding
        if size > largest || smallest - size > paddingLimit { return wanted }
        return max(smallest, min(wanted, largest))
    }

    /// The pages for other packets.
    func pages(for packets: [[UInt8]]) -> [[UInt8]] {
        guard let first = oldPages.first, let last = oldPages.last else { return [] }
        let lengths = packets.map(\.count)
        let isSameLayout = lengths == oldLengths
        let segments = OggPage.segments(ofPackets: lengths)
        let counts =
            isSameLayout
            ? oldPages.dropLast().map(\.segments.count) + [last.segments.count - restSegments.count]
            : counts(for: segments.count)
        let body = packets.count == 1 ? packets[0] : Array(packets.joined())
        var pages: [[UInt8]] = []
        var (segmentIndex, bodyIndex) = (0, 0)
        for (index, count) in counts.enumerated() {
            let isEnd = index == counts.count - 1
            let own = segments[segmentIndex..<(segmentIndex + count)]
            let ownSize = own.reduce(0) { $0 + Int($1) }
            let isContinued = segmentIndex > 0 && segments[segmentIndex - 1] == 255
            var flags: OggPage.Flags = isContinued ? .isContinued : []
            if isEnd, last.flags.contains(.isLast) { flags.insert(.isLast) }
            // Headers take no time; the last page may have its own position.
            var position = own.contains { $0 < 255 } ? 0 : OggPage.noPosition
            if isSameLayout { position = oldPages[index].position }
            if isEnd, last.position != OggPage.noPosition { position = last.position }
            pages.append(
                OggPage.encoded(
                    flags: flags, position: position, serial: first.serial,
                    sequence: first.sequence &+ UInt32(truncatingIfNeeded: index),
                    segments: isEnd ? own + restSegments : own,
                    body: body[bodyIndex..<(bodyIndex + ownSize)] + (isEnd ? restBody : [])))
            segmentIndex += count
            bodyIndex += ownSize
        }
        return pages
    }

    /// How many of the packets' segments each page gets: as many pages as before
    /// if that is possible, evenly filled, and at least one on each.
    private func counts(for segmentCount: Int) -> [Int] {
        let rest = restSegments.count
        let capacity = OggPage.maximumSegments
        let fits = segmentCount >= oldPages.count && segmentCount + rest <= capacity * oldPages.count
        let pageCount = fits ? oldPages.count : (segmentCount + rest + capacity - 1) / capacity
        var counts: [Int] = []
        var remaining = segmentCount + rest
        for pagesLeft in stride(from: pageCount, to: 1, by: -1) {
            // What follows the packets must fit on the last page, after the packets' end.
            let most = remaining - (rest + 1) - (pagesLeft - 2)
            let count = min((remaining + pagesLeft - 1) / pagesLeft, most, capacity)
            counts.append(count)
            remaining -= count
        }
        return counts + [remaining - rest]
    }
}

/// The further links of a chained Ogg file: whole Ogg streams, one after the other.
///
/// Source: RFC 3533, section 4.
enum OggChain {
    /// Pages that are looked at in search of links: some GiB of sound.
    private static let maximumPages = 1 << 20
    /// More links are not read.
    private static let maximumLinks = 256
    /// A page has at most 65,307 bytes.
    private static let lastBytes = 1 << 17

    /// Where the links after the first begin.
    ///
    /// A file whose last page is of a stream of the first link has none: links have streams of their own.
    static func starts(in file: RandomAccessFile, after headers: OggHeaders) -> [UInt64] {
        let serials = Set(headers.streams.map(\.serial))
        guard let last = lastPage(of: file), !serials.contains(last.serial) else { return [] }
        var starts: [UInt64] = []
        var position = headers.end
        var isBeginning = false
        for _ in 0..<maximumPages {
            guard starts.count < maximumLinks, let page = OggPage(file, at: position) else { break }
            let isFirst = page.flags.contains(.isFirst)
            if isFirst, !isBeginning { starts.append(position) }
            isBeginning = isFirst
            position = page.end
        }
        return starts
    }

    private static func lastPage(of file: RandomAccessFile) -> OggPage? {
        let start = file.byteCount - min(file.byteCount, UInt64(lastBytes))
        let bytes = file.read(at: start, count: lastBytes)
        for offset in bytes.indices.reversed() where bytes[offset] == OggPage.marker[0] {
            guard bytes[offset...].starts(with: OggPage.marker), let page = OggPage(file, at: start + UInt64(offset))
            else { continue }
            if page.isSound(file.read(at: page.start, count: page.byteCount)) { return page }
        }
        return nil
    }

    /// The entries of each further link: those of all its streams.
    static func entries(in file: RandomAccessFile, after headers: OggHeaders) -> [[MetadataEntry]] {
        starts(in: file, after: headers).map { OggHeaders(file, at: $0).tags.flatMap(\.entries) }
    }
}

/// The checksum of Ogg pages: a CRC of 32 bits, the high one first, that begins with zero.
///
/// It is linear, so that a page's checksum after a change follows from the
/// change alone: checksum(a XOR b) = checksum(a) XOR checksum(b).
///
/// Source: RFC 3533, section 6; polynomial 0x04C11DB7.
enum OggChecksum {
    private static let polynomial: UInt32 = 0x04C1_1DB7

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in times2(value) }
    }

    /// At place `n` what 2 to the power of `n` zero bytes multiply by.
    private static let powers: [UInt32] = {
        // One byte is x to the power of 8.
        var powers: [UInt32] = [1 << 8]
        while powers.count < 32, let last = powers.last { powers.append(product(last, last)) }
        return powers
    }()

    private static func times2(_ value: UInt32) -> UInt32 { value << 1 ^ (value >> 31 == 0 ? 0 : polynomial) }

    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        (0..<32).reversed().reduce(0) { sum, bit in times2(sum) ^ (right >> UInt32(bit) & 1 == 0 ? 0 : left) }
    }

    /// The checksum of bytes.
    static func of(_ bytes: some Sequence<UInt8>, after value: UInt32 = 0) -> UInt32 {
        let table = table
        var value = value
        for byte in bytes { value = value << 8 ^ table[Int(UInt8(value >> 24) ^ byte)] }
        return value
    }

    /// The checksum of bytes with another checksum, followed by zero bytes.
    static func appendingZeros(_ count: Int, to value: UInt32) -> UInt32 {
        var value = value
        for (place, power) in powers.enumerated() where count >> place & 1 == 1 { value = product(value, power) }
        return value
    }
}
