internal import MediaIO
internal import MediaMetadata

/// The beginning of an EBML element: its ID and its size.
///
/// Source: RFC 8794.
struct EBMLHeader: Hashable, Sendable {
    let id: UInt32
    /// Bytes of content; `nil` if the element does not say where it ends.
    let contentSize: UInt64?
    /// Bytes of ID and size.
    let byteCount: Int
    /// The longest header there is: an ID of 4 bytes, a size of 8.
    static let maximumByteCount = 12

    /// Reads a header at the beginning of some bytes, `nil` if there is none.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
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
struct EBMLElement: Hashable, Sendable {
    let id: UInt32
    /// Where its header begins.
    let start: UInt64
    /// Its bytes after the header; up to the end of what holds it if the size is unknown.
    let content: Range<UInt64>
    let isUnknownSize: Bool
    /// The whole element, header included.
    var range: Range<UInt64> { start..<content.upperBound }
}

/// Reads elements' headers from a file.
struct EBMLReader {
    let file: RandomAccessFile

    /// The element at a position, `nil` if there is none or if it ends after `limit`.
    func element(at position: UInt64, limit: UInt64) -> EBMLElement? {
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
    func elements(in range: Range<UInt64>, count: Int) -> [EBMLElement] {
        var result: [EBMLElement] = []
        var position = range.lowerBound
        while result.count < count, let element = element(at: position, limit: range.upperBound) {
            result.append(element)
            position = element.content.upperBound
        }
        return result
    }
}

/// How much more may be read into memory.
struct EBMLAllowance {
    var nodes: Int
    /// Whether all so far was there, and within what is allowed.
    var isKept = true
    /// Levels of simple tags, and of chapters, that are read.
    var depth = MatroskaLimit.depth
    /// Whether there are more levels than that.
    var isTooDeep = false

    /// Whether a level may be read; notes it if not.
    mutating func allows(level: Int) -> Bool {
        if level > depth { isTooDeep = true }
        if level > depth || !isLeft { isKept = false }
        return level <= depth && isLeft
    }

    /// Whether there may be more.
    var isLeft: Bool { nodes > 0 }
}

/// An element in memory.
struct EBMLNode {
    let id: UInt32
    /// The whole element, header included.
    let bytes: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>

    /// More elements in one than this are not read: tiny elements must not become a large tree.
    static let maximumChildren = 1 << 16

    /// The elements in some bytes, and whether that is all there is.
    static func nodes(
        in bytes: ArraySlice<UInt8>, limit: Int = maximumChildren
    ) -> (nodes: [EBMLNode], isWhole: Bool) {
        var nodes: [EBMLNode] = []
        var rest = bytes
        while !rest.isEmpty {
            guard nodes.count < limit,
                let header = EBMLHeader(rest.prefix(EBMLHeader.maximumByteCount)), let size = header.contentSize,
                size <= UInt64(rest.count - header.byteCount)
            else { return (nodes, false) }
            let end = rest.startIndex + header.byteCount + Int(size)
            nodes.append(
                EBMLNode(
                    id: header.id, bytes: rest[..<end], content: rest[(rest.startIndex + header.byteCount)..<end]))
            rest = rest[end...]
        }
        return (nodes, true)
    }

    /// The elements in this one, within what may be read.
    func children(_ allowance: inout EBMLAllowance) -> [EBMLNode] {
        let (nodes, isWhole) = Self.nodes(in: content, limit: min(Self.maximumChildren, max(0, allowance.nodes)))
        allowance.nodes -= nodes.count
        allowance.isKept = allowance.isKept && isWhole
        return nodes
    }

    /// The elements in this one, as far as they can be read.
    var children: [EBMLNode] { Self.nodes(in: content).nodes }

    /// The content as a number; zero for no bytes, `nil` for more than eight.
    var unsigned: UInt64? { content.count <= 8 ? content.reduce(0) { $0 << 8 | UInt64($1) } : nil }

    /// The content as a number with a sign.
    var signed: Int64? {
        guard let value = unsigned, !content.isEmpty else { return unsigned.map { Int64(bitPattern: $0) } }
        let shift = 64 - 8 * content.count
        return Int64(bitPattern: value << UInt64(shift)) >> Int64(shift)
    }

    /// The content as text, up to the zero bytes that may fill its end; empty if it can be none.
    var text: String { readableText ?? "" }

    /// The content as text, `nil` if it is much and yet not UTF-8: no text then,
    /// and costly to take for any.
    var readableText: String? {
        let bytes = content.prefix { $0 != 0 }
        return bytes.count <= 1 << 22 ? TextCoding.utf8OrLatin1(bytes) : String(validating: bytes, as: UTF8.self)
    }
}

extension [EBMLNode] {
    /// The first element of an ID.
    func first(_ id: UInt32) -> EBMLNode? { first { $0.id == id } }
    /// All elements of an ID.
    func all(_ id: UInt32) -> [EBMLNode] { filter { $0.id == id } }
    /// Whether checksums are kept here: one is always first.
    var haveChecksum: Bool { first?.id == MatroskaID.crc32 }
    /// Those that say something: no checksum, no empty space.
    var meaningful: [EBMLNode] { filter { $0.id != MatroskaID.crc32 && $0.id != MatroskaID.void } }
}

extension UInt64 {
    /// The difference, `nil` if it were below zero.
    func minus(_ other: UInt64) -> UInt64? { self >= other ? self - other : nil }
}

/// Encodes EBML elements.
enum EBMLWriter {
    /// Bytes of an ID.
    static func id(_ id: UInt32) -> [UInt8] {
        let count = (32 - id.leadingZeroBitCount + 7) / 8
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: id >> (8 * UInt32($0))) }
    }

    /// The fewest bytes that a size takes.
    static func sizeWidth(_ size: UInt64) -> Int {
        (1...8).first { size < (1 << (7 * UInt64($0))) - 1 } ?? 8
    }

    /// A size in a number of bytes that it fits in.
    static func size(_ size: UInt64, width: Int? = nil) -> [UInt8] {
        let width = max(width ?? 0, sizeWidth(size))
        let marked = size | 1 << (7 * UInt64(width))
        return (0..<width).reversed().map { UInt8(truncatingIfNeeded: marked >> (8 * UInt64($0))) }
    }

    /// An element's ID and size.
    static func header(_ id: UInt32, contentSize: UInt64, width: Int? = nil) -> [UInt8] {
        self.id(id) + size(contentSize, width: width)
    }

    /// An element.
    static func element(_ id: UInt32, _ content: some Collection<UInt8>) -> [UInt8] {
        header(id, contentSize: UInt64(content.count)) + content
    }

    /// The fewest bytes that a number takes, at least one.
    static func numberWidth(_ value: UInt64) -> Int { max(1, (64 - value.leadingZeroBitCount + 7) / 8) }

    /// A number in a number of bytes that it fits in.
    static func number(_ value: UInt64, width: Int? = nil) -> [UInt8] {
        let width = max(width ?? 0, numberWidth(value))
        return (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    /// An element that is a number.
    static func unsigned(_ id: UInt32, _ value: UInt64, width: Int? = nil) -> [UInt8] {
        element(id, number(value, width: width))
    }

    /// An element that is text.
    static func text(_ id: UInt32, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

    /// What elements a master holds, a checksum over them first if wanted.
    static func content(_ children: [some Collection<UInt8>], withChecksum: Bool) -> [UInt8] {
        let content = Array(children.joined())
        guard withChecksum else { return content }
        var checksum: [UInt8] = []
        checksum.append(littleEndian: CRC32.checksum(content))
        return element(MatroskaID.crc32, checksum) + content
    }

    /// The header of a Void that takes a number of bytes in all, at least two.
    static func voidHeader(byteCount: UInt64) -> [UInt8] {
        // A width may exist only in a longer form than needed: 129 bytes are 1 + 2 + 126.
        let width = (1...8).first {
            byteCount - 1 >= UInt64($0) && byteCount - 1 - UInt64($0) < (1 << (7 * UInt64($0))) - 1
        }
        let size = width ?? 8
        return id(MatroskaID.void) + self.size(byteCount - 1 - UInt64(size), width: size)
    }
}

/// The checksum of EBML: that of Ethernet, its low byte first.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }
}
