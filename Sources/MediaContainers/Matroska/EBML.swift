package import MediaIO

/// The beginning of an EBML element: its ID and its size.
///
/// Source: RFC 8794.
package struct EBMLHeader: Hashable, Sendable {
    package let id: UInt32
    /// Bytes of content; `nil` if the element does not say where it ends.
    package let contentSize: UInt64?
    /// Bytes of ID and size.
    package let byteCount: Int
    /// The longest header there is: an ID of 4 bytes, a size of 8.
    package static let maximumByteCount = 12

    /// Reads a header at the beginning of some bytes, `nil` if there is none.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard let first = bytes.first else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard idLength <= 4, bytes.count > idLength else { return nil }
        id = bytes.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
        // Numbers of nothing but zeros or ones are no IDs, but for Matroska's ChapterDisplay.
        let number = id & (1 << (7 * idLength) - 1)
        guard number != 0 || id == MatroskaID.chapterDisplay, number != 1 << (7 * idLength) - 1 else { return nil }
        let rest = bytes.dropFirst(idLength)
        guard let marker = rest.first, marker != 0 else { return nil }
        let sizeLength = marker.leadingZeroBitCount + 1
        guard rest.count >= sizeLength else { return nil }
        let mask: UInt64 = 1 << (7 * sizeLength) - 1
        let size = rest.prefix(sizeLength).reduce(0) { $0 << 8 | UInt64($1) } & mask
        contentSize = size == mask ? nil : size
        byteCount = idLength + sizeLength
    }
}

/// An element and where it lies in a file.
package struct EBMLElement: Hashable, Sendable {
    package let id: UInt32
    /// Where its header begins.
    package let start: UInt64
    /// Its bytes after the header; up to the end of what holds it if the size is unknown.
    package let content: Range<UInt64>
    package let isUnknownSize: Bool
    /// The whole element, header included.
    package var range: Range<UInt64> { start..<content.upperBound }

    package init(id: UInt32, start: UInt64, content: Range<UInt64>, isUnknownSize: Bool) {
        (self.id, self.start, self.content, self.isUnknownSize) = (id, start, content, isUnknownSize)
    }
}

/// Reads elements' headers from a file.
package struct EBMLReader {
    package let file: RandomAccessFile

    package init(file: RandomAccessFile) { self.file = file }

    /// The element at a position, `nil` if there is none or if it ends after `limit`.
    package func element(at position: UInt64, limit: UInt64) -> EBMLElement? {
        guard position < limit else { return nil }
        let count = min(UInt64(EBMLHeader.maximumByteCount), limit - position)
        guard let header = EBMLHeader(file.read(at: position, count: Int(count))) else { return nil }
        let start = position + UInt64(header.byteCount)
        let size = header.contentSize ?? limit - start
        guard size <= limit - start else { return nil }
        return EBMLElement(
            id: header.id, start: position, content: start..<(start + size), isUnknownSize: header.contentSize == nil)
    }

    /// The elements one after the other in a range, at most `count` of them.
    package func elements(in range: Range<UInt64>, count: Int) -> [EBMLElement] {
        var result: [EBMLElement] = []
        var position = range.lowerBound
        while result.count < count, let element = element(at: position, limit: range.upperBound) {
            result.append(element)
            position = element.content.upperBound
        }
        return result
    }
}

/// Encodes EBML elements.
package enum EBMLWriter {
    /// Bytes of an ID.
    package static func id(_ id: UInt32) -> [UInt8] {
        let count = (32 - id.leadingZeroBitCount + 7) / 8
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: id >> (8 * UInt32($0))) }
    }

    /// The fewest bytes that a size takes.
    package static func sizeWidth(_ size: UInt64) -> Int {
        (1...8).first { size < (1 << (7 * UInt64($0))) - 1 } ?? 8
    }

    /// A size in a number of bytes that it fits in.
    package static func size(_ size: UInt64, width: Int? = nil) -> [UInt8] {
        let width = max(width ?? 0, sizeWidth(size))
        let marked = size | 1 << (7 * UInt64(width))
        return (0..<width).reversed().map { UInt8(truncatingIfNeeded: marked >> (8 * UInt64($0))) }
    }

    /// An element's ID and size.
    package static func header(_ id: UInt32, contentSize: UInt64, width: Int? = nil) -> [UInt8] {
        self.id(id) + size(contentSize, width: width)
    }

    /// An element.
    package static func element(_ id: UInt32, _ content: some Collection<UInt8>) -> [UInt8] {
        header(id, contentSize: UInt64(content.count)) + content
    }

    /// The fewest bytes that a number takes, at least one.
    package static func numberWidth(_ value: UInt64) -> Int { max(1, (64 - value.leadingZeroBitCount + 7) / 8) }

    /// A number in a number of bytes that it fits in.
    package static func number(_ value: UInt64, width: Int? = nil) -> [UInt8] {
        let width = max(width ?? 0, numberWidth(value))
        return (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    /// An element that is a number.
    package static func unsigned(_ id: UInt32, _ value: UInt64, width: Int? = nil) -> [UInt8] {
        element(id, number(value, width: width))
    }

    /// An element that is text.
    package static func text(_ id: UInt32, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

    /// What elements a master holds, a checksum over them first if wanted.
    package static func content(_ children: [some Collection<UInt8>], withChecksum: Bool) -> [UInt8] {
        let content = Array(children.joined())
        guard withChecksum else { return content }
        var checksum: [UInt8] = []
        checksum.append(littleEndian: CRC32.checksum(content))
        return element(MatroskaID.crc32, checksum) + content
    }

    /// The header of a Void that takes a number of bytes in all, at least two.
    package static func voidHeader(byteCount: UInt64) -> [UInt8] {
        // A width may exist only in a longer form than needed: 129 bytes are 1 + 2 + 126.
        let width = (1...8).first {
            byteCount - 1 >= UInt64($0) && byteCount - 1 - UInt64($0) < (1 << (7 * UInt64($0))) - 1
        }
        let size = width ?? 8
        return id(MatroskaID.void) + self.size(byteCount - 1 - UInt64(size), width: size)
    }
}

/// The checksum of EBML: that of Ethernet, its low byte first.
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }
}
