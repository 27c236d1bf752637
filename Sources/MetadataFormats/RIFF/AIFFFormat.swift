package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    /// AIFF and AIFF-C, which get an ID3 tag's frames if there is a tag already.
    package static let aiff = FileMetadata.Container(
        "aiff", typeIdentifiers: ["public.aiff-audio", "public.aifc-audio"], keySpaces: [.audioFile, .id3],
        homes: [.audioFile], homesIfPresent: [.id3], propertyFields: [.title, .artist, .copyright, .comment],
        chapterForms: [.id3], structure: .blocks)
}

/// AIFF and AIFF-C files.
package struct AIFFFormat: MetadataFormat {
    package static let containers = [FileMetadata.Container.aiff]
    let file: RandomAccessFile
    let parts: AIFFFile
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        head.count >= 12 && head.starts(with: "FORM".utf8)
            && ["AIFF", "AIFC"].contains { head[8..<12].elementsEqual($0.utf8) }
    }

    package init(reading file: RandomAccessFile) throws(MetadataError) {
        guard let parts = AIFFFile(file) else { throw MetadataError(.damaged, "the file does not begin with FORM") }
        (self.file, self.parts, metadata) = (file, parts, parts.metadata)
    }
}

/// A text chunk of AIFF.
///
/// Source: Apple, Audio Interchange File Format 1.3.
enum AIFFText: String, CaseIterable {
    case name = "NAME"
    case author = "AUTH"
    case copyright = "(c) "
    case annotation = "ANNO"
    case comments = "COMT"

    private static let aliases: [String: AIFFText] = [
        "info-title": .name, "info-author": .author, "info-artist": .author, "info-copyright": .copyright,
        "info-comment": .annotation, "info-comments": .annotation, "INAM": .name, "IART": .author,
        "ICOP": .copyright, "ICMT": .annotation,
    ]

    private var key: MetadataKey {
        switch self {
        case .name: .text("info-title")
        case .author: .text("info-author")
        case .copyright: .text("info-copyright")
        case .annotation, .comments: .text("info-comment")
        }
    }

    /// The chunk for an entry, `nil` if there is none.
    init?(_ entry: MetadataEntry) {
        guard entry.keySpace == .audioFile, case .text(let key) = entry.key, let text = Self.aliases[key] else {
            return nil
        }
        self = text == .annotation && entry.extras[.chunk] == .text(Self.comments.rawValue) ? .comments : text
    }

    func entries(_ bytes: [UInt8]) -> [MetadataEntry] {
        guard self == .comments else {
            return [MetadataEntry(.audioFile, key, .text(TextCoding.utf8OrLatin1(bytes.prefix { $0 != 0 })))]
        }
        var result: [MetadataEntry] = []
        var position = 2
        for _ in 0..<min(bytes.bigEndian16(at: 0) ?? 0, 1 << 12) {
            guard let time = bytes.bigEndian32(at: position), let marker = bytes.bigEndian16(at: position + 4),
                let count = bytes.bigEndian16(at: position + 6).map(Int.init), position + 8 + count <= bytes.count
            else { break }
            let text = bytes[(position + 8)..<(position + 8 + count)].prefix { $0 != 0 }
            let extras: [AVMetadataExtraAttributeKey: MetadataValue] = [
                .chunk: .text(rawValue), .timeStamp: .integer(Int64(time)), .marker: .integer(Int64(marker)),
            ]
            result.append(MetadataEntry(.audioFile, key, .text(TextCoding.utf8OrLatin1(text)), extras: extras))
            position += 8 + count + count % 2
        }
        return result
    }

    /// The content for one entry, or for several comments.
    func content(of entries: [MetadataEntry]) -> [UInt8] {
        guard self == .comments else { return entries.first.map(\.chunkContent) ?? [] }
        var result: [UInt8] = []
        result.append(bigEndian: UInt16(truncatingIfNeeded: entries.count))
        for entry in entries {
            let text = entry.chunkContent.prefix(Int(UInt16.max))
            result.append(bigEndian: Self.number(entry.extras[.timeStamp], UInt32.self))
            result.append(bigEndian: Self.number(entry.extras[.marker], UInt16.self))
            result.append(bigEndian: UInt16(text.count))
            result += text + (text.count % 2 == 1 ? [0] : [])
        }
        return result
    }

    private static func number<T: FixedWidthInteger>(_ value: MetadataValue?, _ type: T.Type) -> T {
        if case .integer(let number) = value { T(exactly: number) ?? 0 } else { 0 }
    }
}

/// The parts of an AIFF file that hold metadata.
struct AIFFFile {
    struct TextChunk {
        let chunk: Chunk
        let text: AIFFText
        let entries: [MetadataEntry]
    }

    let layout: ChunkFile
    let texts: [TextChunk]
    let tagChunks: [Chunk]
    let tags: [ID3Tag]
    private let problems: [String]
    /// Texts and comments that are read.
    private static let maximumEntries = 1 << 12
    /// Bytes of all texts together that are read.
    private static let maximumTextLength = 4 << 20

    init?(_ file: RandomAccessFile) {
        guard let layout = ChunkFile(file) else { return nil }
        self.layout = layout
        var problems = layout.chunks.filter { $0.isCut && $0.name != "SSND" }.map {
            "the chunk \($0.name) is cut short"
        }
        var texts: [TextChunk] = []
        var room = Self.maximumTextLength
        var comments = 0
        for chunk in layout.chunks {
            guard let text = AIFFText(rawValue: chunk.name) else { continue }
            guard let bytes = file.read(chunk.content, limit: room) else {
                problems.append("the chunk \(chunk.name) is too large")
                continue
            }
            room -= bytes.count
            let entries = text.entries(bytes)
            guard texts.count + comments < Self.maximumEntries, entries.count < Self.maximumEntries else {
                problems.append("there are too many comments")
                break
            }
            if text == .comments { comments += entries.count }
            texts.append(TextChunk(chunk: chunk, text: text, entries: entries))
        }
        self.texts = texts
        tagChunks = layout.chunks.filter { $0.name == "ID3 " || $0.name == "id3 " }
        tags = ID3Tag.tags(file, in: tagChunks.map(\.content))
        self.problems = problems
    }

    var metadata: FileMetadata {
        let parts =
            texts.map { ($0.chunk.start, $0.entries) }
            + tags.map { ($0.range.lowerBound, $0.frames.flatMap(\.entries)) }
        let chapters = ID3ChapterReader(tags.flatMap(\.frames))
        return FileMetadata(
            container: .aiff, entries: parts.sorted { $0.0 < $1.0 }.flatMap(\.1), chapterLists: chapters.lists,
            problems: problems + tags.flatMap(\.problems) + chapters.problems)
    }
}

extension AIFFFormat {
    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        var losses: [MetadataLoss] = []
        var texts: [MetadataEntry] = []
        var frames: [MetadataEntry] = []
        for entry in metadata.entries {
            if entry.keySpace == .id3 {
                frames.append(entry)
            } else if AIFFText(entry) != nil {
                texts.append(entry)
            } else {
                let reason = "AIFF files have no place for such a key"
                losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason))
            }
        }
        if metadata.tracks.contains(where: { !$0.entries.isEmpty }) {
            losses.append(MetadataLoss(item: "tracks", reason: "AIFF has no metadata of tracks"))
        }
        if !metadata.attachments.isEmpty { losses.append(MetadataLoss(item: "attachments", reason: "AIFF has none")) }
        var editor = ChunkFileEditor(parts.layout, of: file)
        var isChanged = Self.writeTexts(texts, parts, &editor)
        let tag = try Self.writeTag(frames, metadata.chapterLists, parts, &editor)
        isChanged = isChanged || tag.isChanged
        let rewrite = try isChanged ? editor.rewrite() : FileRewrite(segments: [.source(0..<file.byteCount)])
        return MetadataRewrite(rewrite: rewrite, losses: losses + tag.losses)
    }

    /// The texts of the chunks to be written: all comments with a time are one.
    private static func groups(_ entries: [MetadataEntry]) -> [(text: AIFFText, entries: [MetadataEntry])] {
        var result: [(text: AIFFText, entries: [MetadataEntry])] = []
        for entry in entries {
            guard let text = AIFFText(entry) else { continue }
            if text == .comments, let last = result.last, last.text == .comments,
                last.entries.count < Int(UInt16.max)
            {
                result[result.count - 1].entries.append(entry)
            } else {
                result.append((text, [entry]))
            }
        }
        return result
    }

    /// - Returns: Whether something changes.
    private static func writeTexts(
        _ entries: [MetadataEntry], _ old: AIFFFile, _ editor: inout ChunkFileEditor
    ) -> Bool {
        guard entries != old.texts.flatMap(\.entries) else { return false }
        var groups = groups(entries)
        // Chunks whose texts remain stay, others of their kind take their places.
        let isKept = old.texts.map { part in
            guard let index = groups.firstIndex(where: { $0.text == part.text && $0.entries == part.entries }) else {
                return false
            }
            groups.remove(at: index)
            return true
        }
        for (part, isKept) in zip(old.texts, isKept) where !isKept {
            guard let index = old.layout.chunks.firstIndex(of: part.chunk) else { continue }
            if let place = groups.firstIndex(where: { $0.text == part.text }) {
                let group = groups.remove(at: place)
                editor.replace(index, with: old.layout.chunk(part.text.rawValue, part.text.content(of: group.entries)))
            } else {
                editor.remove(index)
            }
        }
        for group in groups { editor.add(old.layout.chunk(group.text.rawValue, group.text.content(of: group.entries))) }
        return true
    }

    private static func writeTag(
        _ entries: [MetadataEntry], _ lists: [ChapterList], _ old: AIFFFile, _ editor: inout ChunkFileEditor
    ) throws(MetadataError) -> (isChanged: Bool, losses: [MetadataLoss]) {
        let frames = old.tags.flatMap(\.frames)
        let oldLists = ID3ChapterReader(frames).lists
        guard entries != frames.flatMap(\.entries) || lists != oldLists else { return (false, []) }
        var chunk: [UInt8] = []
        var losses: [MetadataLoss] = []
        if !entries.isEmpty || lists.contains(where: { !$0.chapters.isEmpty }) {
            let tag = try ID3NewTag(replacing: old.tags, entries: entries, lists: lists, oldLists: oldLists)
            losses = tag.losses
            let length = tag.length(replacing: old.tags.first.map { $0.range.length } ?? 0)
            if !tag.isEmpty {
                chunk = old.layout.chunk(old.tagChunks.first?.name ?? "ID3 ", tag.bytes(length: length))
            }
        }
        let indexes = old.layout.chunks.indices.filter { old.tagChunks.contains(old.layout.chunks[$0]) }
        for index in indexes { editor.remove(index) }
        if let first = indexes.first {
            editor.replace(first, with: chunk)
        } else if !chunk.isEmpty {
            editor.add(chunk)
        }
        return (true, losses)
    }
}
