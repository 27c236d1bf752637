internal import MediaIO
internal import MediaMetadata

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
