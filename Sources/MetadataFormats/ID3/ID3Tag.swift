internal import MediaIO
internal import MediaMetadata

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
        problems = (obstacle.map { [$0.reason] } ?? []) + (rest.isEmpty ? [] : [Self.restProblem(rest)])
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

    private static func restProblem(_ rest: ArraySlice<UInt8>) -> String {
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
