package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    /// WAV, RF64 and AVI, which get an ID3 tag's frames if there is a tag already.
    package static let riff = FileMetadata.Container(
        "riff", shortName: "wav", typeIdentifiers: ["com.microsoft.waveform-audio", "public.avi"],
        keySpaces: [.audioFile, .id3], homes: [.audioFile], homesIfPresent: [.id3], chapterForms: [.id3],
        structure: .blocks)
}

/// WAV, RF64 and AVI files.
package struct RIFFFormat: MetadataFormat {
    package static let containers = [FileMetadata.Container.riff]
    let file: RandomAccessFile
    let parts: RIFFFile
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        guard head.count >= 12, ["RIFF", "RF64", "BW64"].contains(where: { head.starts(with: $0.utf8) }) else {
            return false
        }
        return ["WAVE", "AVI "].contains { head[8..<12].elementsEqual($0.utf8) }
    }

    package init(reading file: RandomAccessFile) throws(MetadataError) {
        guard let parts = RIFFFile(file) else { throw MetadataError(.damaged, "the file does not begin with RIFF") }
        (self.file, self.parts, metadata) = (file, parts, parts.metadata)
    }

    /// A stream of AVI has a name and nothing else.
    package static func entries(for label: TrackLabel, in container: FileMetadata.Container) -> [MetadataEntry] {
        label.name.map { [MetadataEntry(.audioFile, .text(RIFFFile.titleName), .text($0))] } ?? []
    }
}

/// The parts of a RIFF file that hold metadata.
struct RIFFFile {
    /// What an AVI file says about a stream.
    struct Stream {
        /// Its position, counted from 1.
        let number: Int64
        let title: (chunk: Chunk, entry: MetadataEntry)?
        /// Space for a title.
        let fillers: [Chunk]
    }

    let layout: ChunkFile
    /// The lists `INFO`, those within the list of headers as well.
    let infoLists: [Chunk]
    /// `nil` if there is none or it is too large.
    let info: InfoList?
    let broadcast: (chunk: Chunk, content: BroadcastExtension)?
    let tagChunks: [Chunk]
    let tags: [ID3Tag]
    /// Chunks that hold one text each.
    let texts: [(chunk: Chunk, entry: MetadataEntry)]
    /// The date within the list of headers, of AVI.
    let date: (chunk: Chunk, entry: MetadataEntry)?
    let streams: [Stream]
    private(set) var problems: [String] = []

    /// Chunks of XML, by name.
    static let textNames = ["iXML", "axml", "_PMX"]
    static let dateName = "IDIT"
    static let titleName = "strn"
    /// XML is read into memory.
    private static let maximumTextLength = 16 << 20

    init?(_ file: RandomAccessFile) {
        guard let layout = ChunkFile(file) else { return nil }
        self.layout = layout
        let reader = layout.reader
        let headers =
            layout.chunks.first { $0.listType == "hdrl" }.map { reader.chunks(in: $0.listContent, limit: 1 << 10) }
            ?? []
        infoLists = (headers + layout.chunks).filter { $0.listType == "INFO" }
        info = InfoList(infoLists, reader)
        broadcast = layout.chunks.first { $0.name == "bext" }.flatMap { chunk in
            file.read(chunk.content, limit: BroadcastExtension.maximumLength).map { (chunk, BroadcastExtension($0)) }
        }
        tagChunks = layout.chunks.filter { $0.name == "id3 " || $0.name == "ID3 " }
        tags = ID3Tag.tags(file, in: tagChunks.map(\.content))
        texts = Self.texts(layout.chunks.filter { Self.textNames.contains($0.name) }, file)
        date = headers.first { $0.name == Self.dateName }.flatMap { chunk in
            file.read(chunk.content, limit: 256).map { (chunk, Self.text(chunk.name, $0)) }
        }
        streams = Self.streams(headers.filter { $0.listType == "strl" }, reader)
        if info == nil { problems.append("the lists INFO are too large") }
        if layout.chunks.contains(where: { $0.name == "bext" }), broadcast == nil {
            problems.append("the chunk bext is too large")
        }
        let textCount = layout.chunks.count { Self.textNames.contains($0.name) }
        if textCount > texts.count { problems.append("\(textCount - texts.count) chunks of XML are too large") }
        if info?.isDamaged == true { problems.append("a list INFO ends with bytes that are no chunks") }
        problems += layout.chunks.filter { $0.isCut && $0.name != "data" && $0.listType != "movi" }
            .map { "the chunk \($0.name) is cut short" }
    }

    private static func texts(
        _ chunks: [Chunk], _ file: RandomAccessFile
    ) -> [(chunk: Chunk, entry: MetadataEntry)] {
        var room = maximumTextLength
        return chunks.compactMap { chunk in
            guard let bytes = file.read(chunk.content, limit: room) else { return nil }
            room -= bytes.count
            return (chunk, entry(chunk.name, bytes))
        }
    }

    /// A text as it is, or bytes that are none.
    private static func entry(_ name: String, _ bytes: [UInt8]) -> MetadataEntry {
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let text = String(validating: bytes[..<end], as: UTF8.self)
        return MetadataEntry(.audioFile, .text(name), text.map { .text($0) } ?? .data(bytes))
    }

    /// A text that ends with a zero byte.
    private static func text(_ name: String, _ bytes: [UInt8]) -> MetadataEntry {
        var text = bytes.prefix { $0 != 0 }
        while text.last == UInt8(ascii: "\n") { text.removeLast() }
        return MetadataEntry(.audioFile, .text(name), .text(TextCoding.utf8OrLatin1(text)))
    }

    private static func streams(_ lists: [Chunk], _ reader: ChunkReader) -> [Stream] {
        lists.prefix(256).enumerated().map { number, list in
            let chunks = reader.chunks(in: list.listContent, limit: 64).filter { !$0.isCut }
            let title = chunks.first { $0.name == titleName }.flatMap { chunk in
                reader.file.read(chunk.content, limit: 1 << 16).map { (chunk, text(titleName, $0)) }
            }
            return Stream(number: Int64(number) + 1, title: title, fillers: chunks.filter(\.isFiller))
        }
    }

    /// All of it, as callers see it.
    var metadata: FileMetadata {
        // Parts in the order in which they lie in the file.
        var parts: [(UInt64, [MetadataEntry])] = texts.map { ($0.chunk.start, [$0.entry]) }
        if let date { parts.append((date.chunk.start, [date.entry])) }
        if let info, let first = infoLists.first { parts.append((first.start, info.entries)) }
        if let broadcast { parts.append((broadcast.chunk.start, broadcast.content.entries)) }
        parts += tags.map { ($0.range.lowerBound, $0.frames.flatMap(\.entries)) }
        let chapters = ID3ChapterReader(tags.flatMap(\.frames))
        return FileMetadata(
            container: .riff, entries: parts.sorted { $0.0 < $1.0 }.flatMap(\.1),
            tracks: streams.compactMap { stream in
                stream.title.map { FileMetadata.Track(trackID: stream.number, entries: [$0.entry]) }
            },
            chapterLists: chapters.lists, problems: problems + tags.flatMap(\.problems) + chapters.problems)
    }
}
