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
