internal import MediaContainers
package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    /// MP3 and AAC streams with ID3 tags.
    package static let id3 = FileMetadata.Container(
        "id3", shortName: "mp3", typeIdentifiers: ["public.mp3"], keySpaces: [.id3], chapterForms: [.id3],
        structure: .blocks)
}

/// MP3 and AAC files with ID3 tags.
package struct ID3Format: MetadataFormat {
    package static let containers = [FileMetadata.Container.id3]
    let file: RandomAccessFile
    let tags: ID3File
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        guard ID3TagHeader(head) != nil else { return MPEGAudioHeader.begins(file) }
        let start = file.read(at: ID3File.tagsEnd(in: file), count: 4)
        // Other formats, which have tags of their own, with an ID3 tag in front.
        return !["fLaC", "OggS", "RIFF", "FORM"].contains { start.starts(with: $0.utf8) }
    }

    package init(reading file: RandomAccessFile) {
        self.file = file
        tags = ID3File(file)
        metadata = tags.metadata
    }
}

/// The tags of a file, and where they lie.
struct ID3File {
    /// ID3v2 tags at the beginning.
    let tags: [ID3Tag]
    /// An ID3v2 tag after the audio, found by its footer.
    let appended: ID3Tag?
    let old: ID3v1Tag?
    /// The audio, and tags of other kinds that follow it.
    let media: Range<UInt64>
    /// What lies between an ID3v2 tag after the audio and the ID3v1 tag.
    let trailer: Range<UInt64>
    /// What extends the ID3v1 tag, `nil` if there is nothing.
    let oldExtension: Range<UInt64>?

    /// A tag of another kind at the audio's end.
    let foreign: APETag?

    /// Tags in a row that are read; programs that add one where there is one make two.
    private static let maximumTags = 16

    init(_ file: RandomAccessFile) {
        var tags: [ID3Tag] = []
        var start: UInt64 = 0
        var room = UInt64(file.limits.metadataSize)
        while tags.count < Self.maximumTags, let tag = ID3Tag(file, at: start, end: file.byteCount, room: room) {
            tags.append(tag)
            start = tag.range.upperBound
            room -= min(room, start - tag.range.lowerBound)
        }
        self.tags = tags
        var end = file.byteCount
        let length = UInt64(ID3v1Tag.length)
        if end >= length, end - length >= start {
            old = ID3v1Tag(file.read(at: end - length, count: ID3v1Tag.length))
            if old != nil { end -= length }
        } else {
            old = nil
        }
        var trailerEnd = end
        oldExtension = old == nil ? nil : Self.extensionRange(in: file, start: start, end: end)
        if let oldExtension { trailerEnd = oldExtension.lowerBound }
        appended = Self.appendedTag(in: file, start: start, end: trailerEnd, room: room)
        media = start..<(appended?.range.lowerBound ?? trailerEnd)
        foreign = APETag(file, endingAt: media.upperBound) ?? APETag(file, endingAt: trailerEnd)
        trailer = (appended?.range.upperBound ?? trailerEnd)..<trailerEnd
    }

    /// Where the tags at a file's beginning end.
    static func tagsEnd(in file: RandomAccessFile) -> UInt64 {
        var position: UInt64 = 0
        for _ in 0..<maximumTags {
            guard let header = ID3TagHeader(file.read(at: position, count: ID3Tag.headerLength)),
                header.tagLength <= file.byteCount - position
            else { break }
            position += header.tagLength
        }
        return position
    }

    private static func extensionRange(
        in file: RandomAccessFile, start: UInt64, end: UInt64
    ) -> Range<UInt64>? {
        let length = UInt64(ID3v1Tag.extensionLength)
        guard end - start >= length, file.read(at: end - length, count: 4) == Array("TAG+".utf8) else { return nil }
        return (end - length)..<end
    }

    private static func appendedTag(
        in file: RandomAccessFile, start: UInt64, end: UInt64, room: UInt64
    ) -> ID3Tag? {
        let length = UInt64(ID3Tag.headerLength)
        guard end - start >= length,
            let footer = ID3TagHeader(file.read(at: end - length, count: ID3Tag.headerLength), sign: "3DI"),
            footer.hasFooter, footer.tagLength <= end - start
        else { return nil }
        guard let tag = ID3Tag(file, at: end - footer.tagLength, end: end, room: room), tag.range.upperBound == end
        else {
            return nil
        }
        return tag
    }

    // MARK: Content

    var allTags: [ID3Tag] { tags + (appended.map { [$0] } ?? []) }
    var frames: [ID3Frame] { allTags.flatMap(\.frames) }

    /// What the tags say, each thing once, and what the old tag alone says.
    private var entries: [MetadataEntry] {
        guard allTags.count > 1 else {
            let entries = frames.flatMap(\.entries)
            return entries + entriesOfOld(beside: entries)
        }
        var entries: [MetadataEntry] = []
        var seen: Set<MetadataEntry> = []
        for tag in allTags {
            let own = tag.frames.flatMap(\.entries).map { (entry: $0, named: Self.namedAlike($0)) }
                .filter { !seen.contains($0.named) }
            entries += own.map(\.entry)
            seen.formUnion(own.map(\.named))
        }
        return entries + entriesOfOld(beside: entries)
    }

    private func entriesOfOld(beside entries: [MetadataEntry]) -> [MetadataEntry] {
        guard let old else { return [] }
        guard !allTags.isEmpty else { return old.entries }
        let names = frames.map { ID3FrameNames.longName(of: ID3FrameNames.key(of: $0.identifier)) }
        return old.entries(beside: entries, frames: Set(names))
    }

    private static func namedAlike(_ entry: MetadataEntry) -> MetadataEntry {
        var entry = entry
        entry.key = .text(ID3FrameNames.longName(of: entry.key))
        return entry
    }

    var metadata: FileMetadata {
        let frames = frames
        let chapters = ID3ChapterReader(frames)
        return FileMetadata(
            container: .id3, entries: entries, chapterLists: chapters.lists,
            problems: allTags.flatMap(\.problems) + chapters.problems + (foreign.map { [$0.problem] } ?? []))
    }
}

extension ID3Format {
    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        let (old, before) = (tags, self.metadata)
        let lists = metadata.chapterLists
        if metadata.entries == before.entries, lists == before.chapterLists {
            return MetadataRewrite(rewrite: FileRewrite(segments: [.source(0..<file.byteCount)]))
        }
        if metadata.entries.isEmpty, lists.allSatisfy(\.chapters.isEmpty) {
            if let obstacle = old.allTags.lazy.compactMap(\.obstacle).first { throw obstacle }
            return MetadataRewrite(rewrite: ID3FileWriter(file, old).rewrite(tag: [], last: nil))
        }
        if old.allTags.isEmpty, old.old != nil, lists.isEmpty {
            // Without need an old tag gets no new one beside it.
            let tag = ID3v1Tag(metadata.entries)
            if tag.entries == metadata.entries {
                return MetadataRewrite(rewrite: ID3FileWriter(file, old).rewrite(tag: [], last: tag))
            }
        }
        // What the old tag alone says stays there, as it is.
        let kept = old.allTags.isEmpty ? [] : Set(before.entries.filter(ID3v1Tag.isMarked))
        let tag = try ID3NewTag(
            replacing: old.allTags, entries: metadata.entries.filter { !kept.contains($0) }, lists: lists,
            oldLists: before.chapterLists)
        var last = old.old
        last?.follow(from: before.entries, to: metadata.entries)
        let bytes = tag.isEmpty ? [] : tag.bytes(length: tag.length(replacing: old.media.lowerBound))
        return MetadataRewrite(
            rewrite: ID3FileWriter(file, old).rewrite(tag: bytes, last: last),
            losses: tag.losses + Self.foreign(metadata))
    }

    private static func foreign(_ metadata: FileMetadata) -> [MetadataLoss] {
        let hasTracks = metadata.tracks.contains { !$0.entries.isEmpty }
        return (hasTracks ? [MetadataLoss(item: "tracks", reason: "ID3 has no metadata of tracks")] : [])
            + (metadata.attachments.isEmpty ? [] : [MetadataLoss(item: "attachments", reason: "ID3 has none")])
    }
}

/// Puts new tags around a file's audio.
struct ID3FileWriter {
    private let file: RandomAccessFile
    private let old: ID3File

    init(_ file: RandomAccessFile, _ old: ID3File) { (self.file, self.old) = (file, old) }

    /// The file with a tag at its beginning and an ID3v1 tag at its end.
    ///
    /// What extends the ID3v1 tag goes with it, as it means nothing alone.
    func rewrite(tag: [UInt8], last: ID3v1Tag?) -> FileRewrite {
        var segments: [FileRewrite.Segment] = [.bytes(tag)] + Self.inPages(old.media) + [.source(old.trailer)]
        if let last {
            if let range = old.oldExtension { segments.append(.source(range)) }
            segments.append(.bytes(last.bytes))
        }
        return FileRewrite(segments: segments, steps: steps(tag: tag, last: last))
    }

    /// A range from its first whole page on apart, so that its blocks can be shared with the new file.
    static func inPages(_ range: Range<UInt64>) -> [FileRewrite.Segment] {
        let page = (range.lowerBound + FileRewrite.pageSize - 1) / FileRewrite.pageSize * FileRewrite.pageSize
        guard page > range.lowerBound, page < range.upperBound else { return [.source(range)] }
        return [.source(range.lowerBound..<page), .source(page..<range.upperBound)]
    }

    /// How to change the file itself, if the tag keeps its length.
    private func steps(tag: [UInt8], last: ID3v1Tag?) -> [FileRewrite.Step]? {
        guard UInt64(tag.count) == old.media.lowerBound, old.appended == nil,
            var steps = tagSteps(tag, file.read(at: 0, count: tag.count))
        else { return nil }
        let end = file.byteCount - UInt64(old.old == nil ? 0 : ID3v1Tag.length)
        switch (old.old, last) {
        case (let before?, let after?) where before != after:
            // Whoever reads both in between takes the tag at the beginning.
            steps.append(.commit(after.bytes, at: end))
        case (.some, nil): steps.append(.truncate(to: old.oldExtension?.lowerBound ?? end))
        default: break
        }
        return steps
    }

    /// The change of the tag at the beginning: one page of it, and before that
    /// what lies beyond this page in the old tag's padding.
    private func tagSteps(_ new: [UInt8], _ before: [UInt8]) -> [FileRewrite.Step]? {
        guard new.count == before.count, let first = new.indices.first(where: { new[$0] != before[$0] }),
            let last = new.indices.last(where: { new[$0] != before[$0] })
        else { return new.count == before.count ? [] : nil }
        let pageEnd = (first / Int(FileRewrite.pageSize) + 1) * Int(FileRewrite.pageSize)
        if last < pageEnd { return [.commit(Array(new[first...last]), at: UInt64(first))] }
        // Readers stop at the first zero bytes; a frame's header must not fit before the page's end.
        guard let tag = old.tags.first, old.tags.count == 1,
            new.count - tag.paddingLength + ID3Tag.headerLength <= pageEnd
        else { return nil }
        return [
            .prepare(Array(new[pageEnd...last]), at: UInt64(pageEnd)),
            .commit(Array(new[first..<pageEnd]), at: UInt64(first)),
        ]
    }
}

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
