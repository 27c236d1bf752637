package import MediaIO

/// One page of an Ogg file: its header, and where its body lies.
///
/// Source: RFC 3533, section 6.
package struct OggPage: Hashable {
    package struct Flags: OptionSet, Hashable {
        package let rawValue: UInt8

        /// The first packet began on an earlier page.
        package static let isContinued = Flags(rawValue: 1)
        package static let isFirst = Flags(rawValue: 2)
        package static let isLast = Flags(rawValue: 4)

        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    package static let marker = Array("OggS".utf8)
    private static let fixedSize = 27
    /// Where the sequence number is; the checksum follows.
    package static let sequenceOffset = 18
    package static let checksumOffset = 22
    /// The most segments that a page can have.
    package static let maximumSegments = 255
    /// The position of a page on which no packet ends.
    package static let noPosition = UInt64.max

    package let start: UInt64
    package let flags: Flags
    /// Where the stream is after the last packet that ends here.
    package let position: UInt64
    /// Which stream it belongs to.
    package let serial: UInt32
    package let sequence: UInt32
    package let checksum: UInt32
    /// The lengths of its segments; one below 255 ends a packet.
    package let segments: [UInt8]

    /// Reads a page's header, `nil` if there is none or the file ends before the page.
    package init?(_ file: RandomAccessFile, at start: UInt64) {
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

    package var headerSize: Int { Self.fixedSize + segments.count }
    package var bodySize: Int { segments.reduce(0) { $0 + Int($1) } }
    package var byteCount: Int { headerSize + bodySize }
    package var end: UInt64 { start + UInt64(byteCount) }
    package var range: Range<UInt64> { start..<end }

    /// The bytes of a page.
    package static func encoded(
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
    package static func setChecksum(of bytes: inout [UInt8]) {
        let field = checksumOffset..<(checksumOffset + 4)
        bytes.replaceSubrange(field, with: [0, 0, 0, 0])
        var checksum: [UInt8] = []
        checksum.append(littleEndian: OggChecksum.of(bytes))
        bytes.replaceSubrange(field, with: checksum)
    }

    /// Whether the checksum fits the page's bytes, and all of them are there.
    package func isSound(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == byteCount else { return false }
        let field = Self.checksumOffset..<(Self.checksumOffset + 4)
        let head = OggChecksum.of(bytes[..<field.lowerBound])
        let zeros = OggChecksum.appendingZeros(field.count, to: head)
        return OggChecksum.of(bytes[field.upperBound...], after: zeros) == checksum
    }

    /// The bytes of the sequence number and the checksum for another number.
    ///
    /// The checksum is derived from the old one, so that a page that was damaged remains so.
    package func renumbered(by shift: UInt32) -> [UInt8] {
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
    package static func segments(ofPackets lengths: some Sequence<Int>) -> [UInt8] {
        lengths.flatMap { [UInt8](repeating: 255, count: $0 / 255) + [UInt8($0 % 255)] }
    }
}

/// The checksum of Ogg pages: a CRC of 32 bits, the high one first, that begins with zero.
///
/// It is linear, so that a page's checksum after a change follows from the
/// change alone: checksum(a XOR b) = checksum(a) XOR checksum(b).
///
/// Source: RFC 3533, section 6; polynomial 0x04C11DB7.
package enum OggChecksum {
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
    package static func of(_ bytes: some Sequence<UInt8>, after value: UInt32 = 0) -> UInt32 {
        let table = table
        var value = value
        for byte in bytes { value = value << 8 ^ table[Int(UInt8(value >> 24) ^ byte)] }
        return value
    }

    /// The checksum of bytes with another checksum, followed by zero bytes.
    package static func appendingZeros(_ count: Int, to value: UInt32) -> UInt32 {
        var value = value
        for (place, power) in powers.enumerated() where count >> place & 1 == 1 { value = product(value, power) }
        return value
    }
}
