internal import MediaIO
internal import MediaMetadata

/// The content of a comment header: who made the stream, and the comments, all as bytes.
///
/// Source: Vorbis I, section 5; the same in FLAC, Opus, Speex and Theora.
struct VorbisComment {
    /// Why reading stopped.
    enum Ending: Hashable {
        case whole
        /// A length reaches past the end.
        case truncated
        /// There are more comments than are read.
        case tooMany
    }

    /// Each comment costs some hundred bytes of memory, even one without a character.
    static let maximumComments = 1 << 16

    var vendor: ArraySlice<UInt8>
    var comments: [ArraySlice<UInt8>]
    /// What follows the comments: a framing bit, padding.
    private(set) var tail: ArraySlice<UInt8>
    private(set) var ending: Ending

    /// An empty one.
    init(vendor: String) {
        self.vendor = Array(vendor.utf8)[...]
        (comments, tail, ending) = ([], [], .whole)
    }

    /// Reads one; it is empty and truncated if there is no vendor or no number of comments.
    init(parsing bytes: ArraySlice<UInt8>, limit: Int = maximumComments) {
        (vendor, comments, tail, ending) = ([], [], bytes, .truncated)
        var rest = bytes
        guard let vendor = Self.popText(from: &rest), let count = rest.littleEndian32(at: 0) else { return }
        rest = rest.dropFirst(4)
        self.vendor = vendor
        ending = .whole
        for _ in 0..<count {
            guard comments.count < limit else {
                ending = .tooMany
                break
            }
            guard let comment = Self.popText(from: &rest) else {
                ending = .truncated
                break
            }
            comments.append(comment)
        }
        tail = rest
    }

    private static func popText(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = bytes.littleEndian32(at: 0), Int(count) <= bytes.count - 4 else { return nil }
        let text = bytes.dropFirst(4).prefix(Int(count))
        bytes = bytes.dropFirst(4 + Int(count))
        return text
    }

    /// Bytes of the vendor and the comments without what follows.
    var byteCount: Int { comments.reduce(8 + vendor.count) { $0 + 4 + $1.count } }

    /// The vendor and the comments without what follows.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: vendor.count))
        bytes += vendor
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: comments.count))
        for comment in comments {
            bytes.append(littleEndian: UInt32(truncatingIfNeeded: comment.count))
            bytes += comment
        }
        return bytes
    }
}

/// One comment, parted at its first equals sign.
struct CommentField {
    /// The key of comments that have no field name: it cannot be one.
    static let keyWithoutName = "="
    /// Names of comments that mean something are much shorter.
    private static let maximumKnownName = 64
    /// Comments that are not UTF-8 and longer than this are no text.
    private static let maximumOddText = 1 << 20

    /// `nil` if there is no equals sign or nothing before it.
    let name: ArraySlice<UInt8>?
    /// What follows the equals sign; everything if there is no name.
    let value: ArraySlice<UInt8>

    init(_ comment: ArraySlice<UInt8>) {
        guard let sign = comment.firstIndex(of: UInt8(ascii: "=")), sign > comment.startIndex else {
            (name, value) = (nil, comment)
            return
        }
        (name, value) = (comment[..<sign], comment[(sign + 1)...])
    }

    /// The name in capitals, `nil` if it is long or has other characters than field names can have.
    var upperName: String? {
        guard let name, name.count <= Self.maximumKnownName, name.allSatisfy(Self.isNameByte) else { return nil }
        return String(decoding: name, as: UTF8.self).uppercased()
    }

    /// The comment as an entry.
    var entry: MetadataEntry {
        let key = name.map { TextCoding.utf8OrLatin1($0.prefix(Self.maximumOddText)) } ?? Self.keyWithoutName
        if let text = String(validating: value, as: UTF8.self) {
            return MetadataEntry(.vorbisComment, .text(key), .text(text))
        }
        guard value.count <= Self.maximumOddText else {
            return MetadataEntry(.vorbisComment, .text(key), .data(Array(value)), dataType: MetadataDataType.raw)
        }
        return MetadataEntry(.vorbisComment, .text(key), .text(String(latin1: value)))
    }

    /// Whether field names can have a character: ASCII from space to `}` but for the equals sign.
    static func isNameByte(_ byte: UInt8) -> Bool { (0x20...0x7D).contains(byte) && byte != UInt8(ascii: "=") }
}
