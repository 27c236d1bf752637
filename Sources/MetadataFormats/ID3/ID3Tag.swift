package import MediaIO
package import MediaMetadata

/// An ID3v2 tag in a file.
struct ID3Tag {
    let version: ID3Version
    let isUnsynchronized: Bool
    /// The tag with header, padding and footer.
    let range: Range<UInt64>
    let frames: [ID3Frame]
    /// Bytes after the frames that are neither a frame nor padding.
    let rest: ArraySlice<UInt8>
    /// Bytes of padding at the end.
    let paddingLength: Int
    /// Why the tag cannot be written to.
    let obstacle: MetadataError?
    let problems: [String]

    static let headerLength = 10
    /// Reads the tag that begins at a position.
    ///
    /// - Parameters:
    ///   - end: Where the tag's part of the file ends.
    ///   - room: How many bytes may be read into memory.
    /// - Returns: `nil` if no tag begins there.
    init?(_ file: RandomAccessFile, at position: UInt64, end: UInt64, room: UInt64) {
        guard let header = ID3TagHeader(file.read(at: position, count: Self.headerLength)), position < end else {
            return nil
        }
        let available = end - position
        let length = min(header.tagLength, available)
        range = position..<(position + length)
        version = header.version ?? .v24
        isUnsynchronized = header.isUnsynchronized
        if let error = header.obstacle ?? (length > room ? Self.tooLarge(file.limits) : nil) {
            obstacle = error
            problems = [error.reason]
            (frames, rest, paddingLength) = ([], [], 0)
            return
        }
        let isCut = header.tagLength > available
        let footerLength = header.hasFooter && !isCut ? Self.headerLength : 0
        let bodyLength = max(0, Int(length) - Self.headerLength - footerLength)
        let body = file.read(at: position + UInt64(Self.headerLength), count: bodyLength)
        let parsed = Self.frames(in: body[...], header, version)
        frames = parsed.frames
        let end = parsed.rest.lastIndex { $0 != 0 }.map { $0 + 1 } ?? parsed.rest.startIndex
        rest = parsed.rest[..<end]
        paddingLength = parsed.rest.endIndex - end
        obstacle = isCut ? MetadataError(.damaged, "the ID3 tag is longer than what holds it") : nil
        problems =
            (obstacle.map { [$0.reason] } ?? []) + (rest.isEmpty ? [] : [Self.restProblem(rest, after: frames.count)])
    }

    private static func frames(
        in body: ArraySlice<UInt8>, _ header: ID3TagHeader, _ version: ID3Version
    ) -> (frames: [ID3Frame], rest: ArraySlice<UInt8>) {
        var body = body
        if header.isUnsynchronized, version < .v24 { body = ID3Unsynchronization.removed(from: body) }
        if header.hasExtendedHeader { body = body.dropFirst(extendedHeaderLength(of: body, version: version)) }
        let reader = ID3FrameReader(version: version, isUnsynchronized: header.isUnsynchronized)
        let parsed = reader.frames(in: body)
        var limits = ID3Limits()
        let frames = parsed.frames.map { frame in
            var frame = frame
            frame.decode(&limits)
            return frame
        }
        return (frames, parsed.rest)
    }

    /// Tags are read into memory, a few times over when they are changed.
    private static func tooLarge(_ limits: MediaLimits) -> MetadataError {
        MetadataError(
            .limit,
            "ID3 tags of more than \(limits.metadataSize) bytes are not read \(MediaLimits.Name.metadataSize.note)",
            limit: .metadataSize)
    }

    /// The tags at positions, as long as they are not too large together.
    static func tags(_ file: RandomAccessFile, in ranges: [Range<UInt64>]) -> [ID3Tag] {
        var room = UInt64(file.limits.metadataSize)
        return ranges.compactMap { range in
            let tag = ID3Tag(file, at: range.lowerBound, end: range.upperBound, room: room)
            if let tag, tag.obstacle?.kind != .limit { room -= tag.range.length }
            return tag
        }
    }

    private static func restProblem(_ rest: ArraySlice<UInt8>, after count: Int) -> String {
        if count == ID3FrameReader.maximumOfTag {
            return "the ID3 tag has more than \(count) frames: \(rest.count) bytes of it are not read"
        }
        let name = String(latin1: rest.prefix(4).map { ID3FrameNames.isIdentifierByte($0) ? $0 : UInt8(ascii: "?") })
        return "the ID3 tag has \(rest.count) bytes from \(name) on that are no whole frames"
    }

    /// The length of the extended header that a tag's bytes begin with; 0 if there is none after all.
    private static func extendedHeaderLength(of bytes: ArraySlice<UInt8>, version: ID3Version) -> Int {
        // Some programs set the flag and wrote no such header: a frame's name stands there.
        guard bytes.prefix(4).contains(where: { !ID3FrameNames.isIdentifierByte($0) }) else { return 0 }
        if version == .v24 {
            let length = ID3Size.number(bytes.prefix(4)) ?? 0
            return length >= 6 && length <= bytes.count ? length : 0
        }
        guard let size = bytes.bigEndian32(at: 0), size <= bytes.count else { return 0 }
        return 4 + Int(size)
    }
}

/// The ten bytes at the beginning of an ID3v2 tag.
struct ID3TagHeader {
    /// `nil` if it is not known.
    let version: ID3Version?
    let isUnsynchronized: Bool
    let hasExtendedHeader: Bool
    let hasFooter: Bool
    /// Bytes of the tag, this header and the footer included.
    let tagLength: UInt64
    /// Why the frames cannot be read.
    let obstacle: MetadataError?

    /// - Parameter sign: `ID3`, or `3DI` for a footer.
    init?(_ bytes: [UInt8], sign: String = "ID3") {
        guard bytes.count >= ID3Tag.headerLength, bytes.starts(with: sign.utf8), bytes[3] != 0xFF, bytes[4] != 0xFF,
            let size = ID3Size.number(bytes[6..<10])
        else { return nil }
        let flags = bytes[5]
        let version = ID3Version(rawValue: bytes[3])
        self.version = version
        isUnsynchronized = flags & 0x80 != 0
        hasExtendedHeader = flags & 0x40 != 0 && version != .v22
        hasFooter = flags & 0x10 != 0 && version == .v24
        tagLength = UInt64(size + ID3Tag.headerLength * (hasFooter ? 2 : 1))
        if version == nil {
            obstacle = MetadataError(.unsupported, "ID3 tags of version 2.\(bytes[3]) are not known")
        } else if version == .v22, flags & 0x40 != 0 {
            obstacle = MetadataError(.unsupported, "the ID3v2.2 tag is compressed in a way that was never specified")
        } else {
            obstacle = nil
        }
    }
}

extension ID3Version {
    var identifierLength: Int { self == .v22 ? 3 : 4 }
    var frameHeaderLength: Int { self == .v22 ? 6 : 10 }
    /// The most bytes that a frame's size can count.
    var maximumFrameSize: Int { self == .v22 ? 0xFF_FFFF : ID3Size.maximum }
}

/// Numbers of seven bits to the byte, so that no byte looks like MPEG audio.
enum ID3Size {
    /// The greatest number in four such bytes.
    static let maximum = 1 << 28 - 1

    /// The number in four bytes, `nil` if one of them has its high bit set.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    static func bytes(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0) & 0x7F }
    }
}

/// Unsynchronisation: zero bytes put in where players that do not know ID3
/// could take the tag for MPEG audio.
enum ID3Unsynchronization {
    static func removed(from bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(0xFF) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var last: UInt8 = 0
        for byte in bytes {
            if last != 0xFF || byte != 0 { result.append(byte) }
            last = byte
        }
        return result[...]
    }

    static func added(to bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0xFF) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xFF, byte == 0 || byte >= 0xE0 { result.append(0) }
            result.append(byte)
            last = byte
        }
        if last == 0xFF { result.append(0) }
        return result
    }

    /// Whether bytes could be the outcome of unsynchronisation.
    static func isPlausible(_ bytes: ArraySlice<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xFF, byte >= 0xE0 { return false }
            last = byte
        }
        return last != 0xFF
    }
}

/// Metadata that files have packed, before it is unpacked by readers that do not ask how much it is.
///
/// Our own readers leave packed frames of ID3 tags as they are. libavformat unpacks them, each to as much as it claims,
/// when it opens a file that begins with a tag, or has one in a chunk of its own.
///
/// Source: ID3 tag version 2.4.0, 4.1.2; libavformat/id3v2.c, which takes the flags of that version for those of 2.3.
package enum PackedMetadata {
    /// The bits of a frame's second flags that say that it is packed, and that its length unpacked comes first.
    private static let flags: UInt8 = 0x08 | 0x01
    /// What DEFLATE can make of a byte at most.
    private static let maximumGrowth: UInt64 = 1032

    /// Fails if the tags of a file have more bytes, unpacked, than are to be in memory.
    ///
    /// - Complexity: Reads the tags of files that begin with one, and of WAV and AIFF; of others, their first bytes.
    package static func check(_ file: RandomAccessFile) throws(MetadataError) {
        let tags = tags(of: file)
        if let tooLarge = tags.compactMap(\.obstacle).first(where: { $0.kind == .limit }) { throw tooLarge }
        let limit = file.limits.metadataSize
        let size = tags.flatMap(\.frames).reduce(0 as UInt64) { $0 + unpackedSize(of: $1) }
        guard size <= UInt64(limit) else {
            throw MetadataError(
                .limit, "the packed frames of the ID3 tag may have \(size) bytes, the limit is \(limit)",
                limit: .metadataSize)
        }
    }

    /// Where the tags at a file's beginning end, however many there are; 0 if there are none.
    ///
    /// libavformat takes what follows for the file, of whatever format.
    package static func end(ofTagsIn file: RandomAccessFile) -> UInt64 {
        var end: UInt64 = 0
        while let header = ID3TagHeader(file.read(at: end, count: ID3Tag.headerLength)), end < file.byteCount {
            end += header.tagLength
        }
        return min(end, file.byteCount)
    }

    private static func tags(of file: RandomAccessFile) -> [ID3Tag] {
        let head = file.read(at: 0, count: 64)
        if ID3TagHeader(head) != nil { return leadingTags(of: file) }
        // Lists of sound only: those of films have no such chunk.
        guard let layout = ChunkFile(file), ["WAVE", "AIFF", "AIFC"].contains(layout.type) else { return [] }
        return ID3Tag.tags(file, in: layout.chunks.filter { $0.name.lowercased() == "id3 " }.map(\.content))
    }

    /// All tags at the beginning, however many there are.
    private static func leadingTags(of file: RandomAccessFile) -> [ID3Tag] {
        var tags: [ID3Tag] = []
        var start: UInt64 = 0
        var room = UInt64(file.limits.metadataSize)
        while let tag = ID3Tag(file, at: start, end: file.byteCount, room: room), tag.range.length > 0 {
            tags.append(tag)
            start = tag.range.upperBound
            room -= min(room, tag.range.length)
        }
        return tags
    }

    private static func unpackedSize(of frame: ID3Frame) -> UInt64 {
        guard frame.version != .v22, frame.formatFlags & flags == flags else { return 0 }
        let content = Array(frame.bytes.dropFirst(frame.version.frameHeaderLength))
        guard let claimed = content.bigEndian32(at: 0) else { return 0 }
        return min(UInt64(claimed), UInt64(content.count) * maximumGrowth)
    }
}
