internal import MediaIO
internal import MediaMetadata

/// How ID3v2 stores text; the number is the byte before it.
enum ID3TextEncoding: UInt8 {
    case latin1
    /// With a byte order mark.
    case utf16
    case utf16BigEndian
    case utf8

    private var unitLength: Int { self == .utf16 || self == .utf16BigEndian ? 2 : 1 }

    /// The encoding for a text: ISO 8859-1 where it suffices, as all players read it.
    init(for texts: [String], version: ID3Version) {
        let isLatin1 = texts.allSatisfy { text in
            text.unicodeScalars.allSatisfy { $0.value < 0x80 || (0xA0...0xFF).contains($0.value) }
        }
        self = isLatin1 ? .latin1 : version == .v24 ? .utf8 : .utf16
    }

    func bytes(_ text: String) -> [UInt8] {
        switch self {
        case .latin1: text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
        case .utf16: TextCoding.utf16LittleEndianWithMark(text)
        case .utf16BigEndian: TextCoding.utf16BigEndian(text)
        case .utf8: Array(text.utf8)
        }
    }

    var terminator: [UInt8] { Array(repeating: 0, count: unitLength) }

    /// The first zero character, as a range of bytes.
    fileprivate func terminator(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard unitLength == 2 else { return bytes.firstIndex(of: 0).map { $0..<($0 + 1) } }
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == 0, bytes[index + 1] == 0 { return index..<(index + 2) }
            index += 2
        }
        return nil
    }
}

/// Reads the texts of a frame one after the other.
struct ID3TextReader {
    let encoding: ID3TextEncoding
    private(set) var rest: ArraySlice<UInt8>
    /// The order of bytes that the first mark names holds for later texts without one.
    private var isBigEndian: Bool

    /// - Parameter bytes: What follows the byte of the encoding.
    init(_ encoding: ID3TextEncoding, _ bytes: ArraySlice<UInt8>) {
        self.encoding = encoding
        rest = bytes
        isBigEndian = encoding == .utf16BigEndian
    }

    /// The text up to a zero character, which is skipped; `nil` if there is no zero character.
    mutating func terminated() -> String? {
        guard let end = encoding.terminator(in: rest) else { return nil }
        defer { rest = rest[end.upperBound...] }
        return decode(rest[..<end.lowerBound])
    }

    /// All texts that remain, zero characters between them; those at the end do not count.
    ///
    /// - Returns: `nil` if there are more than `limit`.
    mutating func all(limit: Int) -> [String]? {
        var texts: [String] = []
        while !rest.isEmpty {
            guard texts.count < limit else { return nil }
            if let text = terminated() {
                texts.append(text)
            } else {
                texts.append(decode(rest))
                rest = rest[rest.endIndex...]
            }
        }
        while texts.count > 1, texts.last?.isEmpty == true { texts.removeLast() }
        return texts.isEmpty ? [""] : texts
    }

    /// Skips bytes.
    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    private mutating func decode(_ bytes: ArraySlice<UInt8>) -> String {
        switch encoding {
        case .latin1: return String(latin1: bytes)
        case .utf8:
            return String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes, as: UTF8.self)
        case .utf16, .utf16BigEndian:
            if let mark = bytes.bigEndian16(at: 0), mark == 0xFEFF || mark == 0xFFFE { isBigEndian = mark == 0xFEFF }
            return TextCoding.utf16(bytes, isBigEndian: isBigEndian)
        }
    }
}
