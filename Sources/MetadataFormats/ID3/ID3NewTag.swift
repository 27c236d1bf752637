internal import MediaIO
internal import MediaMetadata

/// The tag that is to take the place of a file's tags.
struct ID3NewTag {
    let version: ID3Version
    /// What the tag could not hold.
    let losses: [MetadataLoss]
    private let isUnsynchronized: Bool
    /// Room for the header, then all frames as they are stored.
    private let bytes: [UInt8]

    /// Puts entries and chapters into a tag like the old one.
    ///
    /// Several tags become one, of the first one's version. Extended headers are
    /// not taken over: checksums, sizes of padding and restrictions on how
    /// frames are encoded are about the old tag.
    ///
    /// - Parameter oldLists: The chapters that the old tags have.
    init(
        replacing tags: [ID3Tag], entries: [MetadataEntry], lists: [ChapterList], oldLists: [ChapterList]
    ) throws(MetadataError) {
        if let obstacle = tags.lazy.compactMap(\.obstacle).first { throw obstacle }
        let version = tags.first?.version ?? Self.version(for: entries)
        let isUnsynchronized = tags.first?.isUnsynchronized ?? false
        let writer = ID3FrameWriter(version: version, isUnsynchronized: isUnsynchronized)
        let frames = tags.flatMap(\.frames)
        var editor = ID3TagEditor(writer: writer, frames: frames)
        var bytes = Array(repeating: UInt8(0), count: ID3Tag.headerLength)
        editor.append(entries, to: &bytes)
        var losses = editor.losses
        if lists == oldLists, frames.allSatisfy({ $0.version == version }) {
            // Those that could not be read stay as well.
            let chapters = frames.filter { ID3FrameKind($0.identifier) == .chapter && $0.obstacle == nil }
            for frame in chapters { bytes += frame.bytes }
        } else {
            var chapters = ID3ChapterWriter(writer: writer, frames: frames)
            bytes += chapters.frames(for: lists)
            losses += chapters.losses
        }
        if tags.contains(where: { $0.version != version && !$0.rest.isEmpty }) {
            losses.append(MetadataLoss(item: "id3", reason: "bytes of a further tag that are no frames"))
        }
        for tag in tags where tag.version == version { bytes += tag.rest }
        if isUnsynchronized, version < .v24 { bytes = ID3Unsynchronization.added(to: bytes) }
        guard bytes.count <= ID3Size.maximum - 1 << 16 else {
            throw MetadataError(.limit, "the metadata is more than the 256 MiB that an ID3 tag can hold")
        }
        (self.version, self.isUnsynchronized, self.bytes, self.losses) = (version, isUnsynchronized, bytes, losses)
    }

    /// The version of a new tag: 2.3, which more players know, unless there is something that only 2.4 has.
    private static func version(for entries: [MetadataEntry]) -> ID3Version {
        entries.contains { $0.keySpace == .id3 && ID3FrameNames.isOfVersion24($0.key) } ? .v24 : .v23
    }

    var isEmpty: Bool { bytes.count == ID3Tag.headerLength }
    /// The bytes of the tag without padding.
    var minimumLength: Int { bytes.count }

    /// The tag with padding up to a length, which is at least the minimum.
    func bytes(length: Int) -> [UInt8] {
        let flags: UInt8 = isUnsynchronized ? 0x80 : 0
        let header = Array("ID3".utf8) + [version.rawValue, 0, flags] + ID3Size.bytes(length - ID3Tag.headerLength)
        var result = bytes
        result.replaceSubrange(0..<ID3Tag.headerLength, with: header)
        result += Array(repeating: 0, count: max(0, length - bytes.count))
        return result
    }

    /// The length to give the tag.
    ///
    /// That of the old one if the tag fits into it without wasting much. Else
    /// there are some 4 KiB of padding for later changes, and what follows the
    /// tag moves by whole pages: file systems can share those between the old
    /// and the new file.
    func length(replacing old: UInt64) -> Int {
        let old = Int(clamping: old)
        if old >= minimumLength, old - minimumLength <= Self.maximumPadding { return old }
        let wanted = minimumLength + Self.pageSize / 2
        let distance = (old - wanted) % Self.pageSize
        return wanted + (distance < 0 ? distance + Self.pageSize : distance)
    }

    private static let pageSize = Int(FileRewrite.pageSize)
    /// Padding of an old tag that is kept; more is given back to the file.
    private static let maximumPadding = 1 << 16
}
