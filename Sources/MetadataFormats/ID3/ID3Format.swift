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

    var metadata: FileMetadata {
        let frames = frames
        let chapters = ID3ChapterReader(frames)
        let entries = allTags.isEmpty ? old?.entries ?? [] : frames.flatMap(\.entries)
        return FileMetadata(
            container: .id3, entries: entries, chapterLists: chapters.lists,
            problems: allTags.flatMap(\.problems) + chapters.problems + (foreign.map { [$0.problem] } ?? []))
    }
}
