internal import MediaIO
internal import MediaMetadata

/// One frame of an ID3v2 tag.
struct ID3Frame: Hashable {
    /// What keeps a frame's content from being understood.
    enum Obstacle: String {
        case compressed
        case encrypted
    }

    /// `TIT2`; `TT2` of version 2.2.
    let identifier: String
    let version: ID3Version
    /// The frame as it is stored, header included, without what unsynchronisation did to the whole tag.
    let bytes: ArraySlice<UInt8>
    /// What the frame holds: after the header and what flags put before it.
    ///
    /// With an obstacle it is all that follows the header.
    let content: ArraySlice<UInt8>
    /// The second byte of flags, those that say how the content is stored.
    let formatFlags: UInt8
    let group: UInt8?
    let obstacle: Obstacle?
    /// What the frame says, one entry for each value; none for chapters.
    ///
    /// A frame of which no sense can be made gives its bytes.
    private(set) var entries: [MetadataEntry] = []

    /// Reads the content.
    mutating func decode(_ limits: inout ID3Limits) {
        entries = decodedEntries(limits)
        limits.values -= entries.count
        if ID3FrameKind(identifier).isText { limits.textLength -= content.count }
    }
}

/// How much of a tag is taken apart; what is beyond stays bytes.
struct ID3Limits {
    /// Bytes of text in one frame; lyrics of a whole opera have a tenth of it.
    static let textLength = 1 << 20
    /// Bytes of a description that several values share.
    static let sharedLength = 1 << 12
    /// Values in one frame.
    static let frameValues = 1 << 12

    /// Values in the rest of the tag.
    var values = 1 << 16
    /// Bytes of text in the rest of the tag.
    var textLength = 8 << 20
}

/// Takes a tag's bytes, or those of a frame that holds frames, apart.
struct ID3FrameReader {
    let version: ID3Version
    /// Whether the header of a version 2.4 tag says that all frames are unsynchronised.
    let isUnsynchronized: Bool
    /// Frames of a tag; more are left alone.
    static let maximumOfTag = 1 << 16
    var maximumFrames = Self.maximumOfTag

    /// The frames at the beginning of some bytes.
    ///
    /// - Returns: The frames, and the bytes from the first one that begins no frame.
    func frames(in bytes: ArraySlice<UInt8>) -> (frames: [ID3Frame], rest: ArraySlice<UInt8>) {
        var rest = bytes
        var frames: [ID3Frame] = []
        let padding = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? bytes.startIndex
        while frames.count < maximumFrames, let (frame, length) = frame(at: rest, padding: padding) {
            frames.append(frame)
            rest = rest.dropFirst(length)
        }
        return (frames, rest)
    }

    /// - Parameter padding: From where on there are zero bytes only.
    private func frame(at bytes: ArraySlice<UInt8>, padding: Int) -> (ID3Frame, length: Int)? {
        let headerLength = version.frameHeaderLength
        guard let identifier = identifier(at: bytes) ?? irregularName(at: bytes, padding: padding),
            bytes.count >= headerLength, let (size, isStandard) = size(at: bytes, padding: padding)
        else { return nil }
        let length = headerLength + size
        var stored = bytes.prefix(length)
        let body = stored.dropFirst(headerLength)
        let sizeStart = version.identifierLength
        if !isStandard {
            let bytes = version == .v24 ? ID3Size.bytes(size) : [UInt8](bigEndianSize: size)
            stored = (Array(stored.prefix(sizeStart)) + bytes + stored.dropFirst(sizeStart + 4))[...]
        }
        let flags = version == .v22 ? 0 : bytes[bytes.startIndex + 9]
        let parts = parts(of: body, flags: flags)
        if parts.isUnsynchronized, flags & 2 == 0 {
            // The tag's header alone said so; the frame has to say it too to be understood in another tag.
            stored[stored.startIndex + 9] |= 2
        }
        let frame = ID3Frame(
            identifier: identifier, version: version, bytes: stored, content: parts.content,
            formatFlags: stored.count > 9 && version != .v22 ? stored[stored.startIndex + 9] : 0, group: parts.group,
            obstacle: parts.obstacle)
        return (frame, length)
    }

    // MARK: Header

    /// The identifier that bytes begin with, `nil` if they begin with none.
    private func identifier(at bytes: ArraySlice<UInt8>) -> String? {
        var name = bytes.prefix(version.identifierLength)
        guard name.count == version.identifierLength else { return nil }
        // Some programs wrote version 2.2's three letters into tags of version 2.3.
        if name.count == 4, name.last == 0 || name.last == UInt8(ascii: " ") { name = name.dropLast() }
        return name.allSatisfy(ID3FrameNames.isIdentifierByte) ? String(latin1: name) : nil
    }

    /// The name of a frame that has other characters than names may have, if another frame, padding or the end follows it.
    private func irregularName(at bytes: ArraySlice<UInt8>, padding: Int) -> String? {
        let name = bytes.prefix(version.identifierLength)
        guard name.count == version.identifierLength, name.allSatisfy({ (0x20...0x7E).contains($0) }),
            let (size, _) = size(at: bytes, padding: padding),
            isFrameEnd(bytes.dropFirst(version.frameHeaderLength + size), padding: padding, allowsIrregular: true)
        else { return nil }
        return String(latin1: name)
    }

    /// A frame's size, and whether it is written as the version wants it.
    ///
    /// Some programs wrote sizes of version 2.4 with eight bits to the byte, or
    /// those of 2.3 with seven. Where both can be meant, that one counts after
    /// which a frame or padding begins.
    private func size(at bytes: ArraySlice<UInt8>, padding: Int) -> (Int, isStandard: Bool)? {
        let available = bytes.count - version.frameHeaderLength
        guard version != .v22 else {
            guard let size = bytes.bigEndian24(at: 3), size <= available else { return nil }
            return (Int(size), true)
        }
        guard let plain = bytes.bigEndian32(at: 4).map(Int.init) else { return nil }
        let synchsafe = ID3Size.number(bytes.dropFirst(4).prefix(4))
        let candidates = version == .v24 ? [(synchsafe, true), (plain, false)] : [(plain, true), (synchsafe, false)]
        var first: (Int, Bool)?
        for case (let size?, let isStandard) in candidates where size <= available {
            if isFrameEnd(bytes.dropFirst(version.frameHeaderLength + size), padding: padding) {
                return (size, isStandard)
            }
            first = first ?? (size, isStandard)
        }
        return first
    }

    /// Whether padding or a frame, as far as its header tells, begins with some bytes, or there are none.
    private func isFrameEnd(_ rest: ArraySlice<UInt8>, padding: Int, allowsIrregular: Bool = false) -> Bool {
        if rest.startIndex >= padding { return true }
        let isPrintable = rest.prefix(version.identifierLength).allSatisfy { (0x20...0x7E).contains($0) }
        guard identifier(at: rest) != nil || allowsIrregular && isPrintable else { return false }
        let sizes =
            version == .v22
            ? [rest.bigEndian24(at: 3).map(Int.init)]
            : [rest.bigEndian32(at: 4).map(Int.init), ID3Size.number(rest.dropFirst(4).prefix(4))]
        return sizes.contains { $0.map { $0 <= rest.count - version.frameHeaderLength } ?? false }
    }

    // MARK: Content

    private struct Parts {
        var content: ArraySlice<UInt8>
        var group: UInt8?
        var obstacle: ID3Frame.Obstacle?
        var isUnsynchronized = false
    }

    private func parts(of body: ArraySlice<UInt8>, flags: UInt8) -> Parts {
        var parts = Parts(content: body)
        switch version {
        case .v22: break
        case .v23:
            parts.obstacle = flags & 0x40 != 0 ? .encrypted : flags & 0x80 != 0 ? .compressed : nil
            if parts.obstacle == nil, flags & 0x20 != 0 { parts.group = parts.content.popFirst() }
        case .v24:
            parts.obstacle = flags & 4 != 0 ? .encrypted : flags & 8 != 0 ? .compressed : nil
            guard parts.obstacle == nil else { break }
            if flags & 0x40 != 0 { parts.group = parts.content.popFirst() }
            if flags & 1 != 0 { parts.content = parts.content.dropFirst(4) }
            guard flags & 2 != 0 || (isUnsynchronized && ID3Unsynchronization.isPlausible(body)) else { break }
            let content = ID3Unsynchronization.removed(from: parts.content)
            parts.isUnsynchronized = content.count != parts.content.count
            parts.content = content
        }
        return parts
    }
}

extension [UInt8] {
    /// A frame's size with eight bits to the byte.
    init(bigEndianSize size: Int) {
        self = []
        append(bigEndian: UInt32(truncatingIfNeeded: size))
    }
}

/// What a frame's identifier says about its content.
enum ID3FrameKind: Hashable {
    /// Text, or several.
    case text
    /// A description, then text or several.
    case userText
    /// An address.
    case link
    /// A description, then an address.
    case userLink
    /// A language, a description, then text.
    case comment
    /// A language, then text.
    case termsOfUse
    case picture
    /// A chapter or a table of chapters.
    case chapter
    /// Anything else.
    case data

    init(_ identifier: String) {
        switch identifier {
        case "TXXX", "TXX": self = .userText
        case "WXXX", "WXX": self = .userLink
        case "COMM", "COM", "USLT", "ULT": self = .comment
        case "USER": self = .termsOfUse
        case "APIC", "PIC": self = .picture
        case "CHAP", "CTOC": self = .chapter
        case "IPLS", "IPL": self = .text
        // Text in all but name, of iTunes.
        case "GRP1", "GP1", "MVNM", "MVN", "MVIN", "MVI": self = .text
        case _ where identifier.hasPrefix("T"): self = .text
        case _ where identifier.hasPrefix("W"): self = .link
        default: self = .data
        }
    }

    /// Whether the content is text.
    var isText: Bool { self != .picture && self != .data && self != .chapter }

    /// Whether one frame may hold several values.
    var isList: Bool { self == .text || self == .userText || self == .comment }
}

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
