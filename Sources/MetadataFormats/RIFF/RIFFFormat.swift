package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    /// WAV, RF64 and AVI, which get an ID3 tag's frames if there is a tag already.
    package static let riff = FileMetadata.Container(
        "riff", shortName: "wav", typeIdentifiers: ["com.microsoft.waveform-audio", "public.avi"],
        keySpaces: [.audioFile, .id3], homes: [.audioFile], homesIfPresent: [.id3],
        chapterForms: [.id3, .cuePoints], structure: .blocks)
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
    /// Chunks of a WAV file that other kinds of files have none of, such as markers and loops, as they are.
    let others: [(chunk: Chunk, entry: MetadataEntry)]
    let sampleRate: Int
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
        others = layout.type == "WAVE" ? Self.others(layout.chunks, file) : []
        sampleRate =
            layout.chunks.first { $0.name == "fmt " }.flatMap { file.read($0.content, limit: 64) }
            .flatMap { $0.littleEndian32(at: 4) }.map { Int($0) } ?? 0
        streams = Self.streams(headers.filter { $0.listType == "strl" }, reader)
        if info == nil { problems.append("the lists INFO are too large") }
        if layout.chunks.contains(where: { $0.name == "bext" }), broadcast == nil {
            problems.append("the chunk bext is too large")
        }
        let textCount = layout.chunks.count { Self.textNames.contains($0.name) }
        if textCount > texts.count { problems.append("\(textCount - texts.count) chunks of XML are too large") }
        let otherCount = layout.type == "WAVE" ? layout.chunks.count { Self.nameOfOther($0) != nil } : 0
        if otherCount > others.count {
            problems.append(
                "\(otherCount - others.count) further chunks are too large, cut short or too many to be kept")
        }
        if info?.isDamaged == true { problems.append("a list INFO ends with bytes that are no chunks") }
        problems += layout.chunks.filter { $0.isCut && $0.name != "data" && $0.listType != "movi" }
            .map { "the chunk \($0.name) is cut short" }
    }

    private static func others(_ chunks: [Chunk], _ file: RandomAccessFile) -> [(chunk: Chunk, entry: MetadataEntry)] {
        var room = maximumTextLength
        return chunks.lazy.filter { nameOfOther($0) != nil }.prefix(maximumOthers).compactMap { chunk in
            guard let name = nameOfOther(chunk), !chunk.isCut,
                let bytes = file.read(chunk.listType == nil ? chunk.content : chunk.listContent, limit: room)
            else { return nil }
            room -= bytes.count
            return (chunk, MetadataEntry(.audioFile, .text(name), .data(bytes)))
        }
    }

    /// More than any program writes.
    private static let maximumOthers = 64

    /// The name of a chunk that is kept as it is; `nil` for what a file has of its own, and what has items.
    static func nameOfOther(_ chunk: Chunk) -> String? {
        if chunk.name == "LIST" {
            // Samples may stand in a list as well.
            guard let type = chunk.listType, type != "INFO", type != "wavl" else { return nil }
            return type == WaveMarkers.labels ? type : listPrefix + type
        }
        let isKnown = ownNames.contains(chunk.name) || textNames.contains(chunk.name) || chunk.name == dateName
        return isKnown || chunk.isFiller ? nil : chunk.name
    }

    /// What the names of lists begin with that are kept as they are.
    static let listPrefix = "LIST/"
    /// Chunks that a new file has its own of, or whose content is items: also peaks, which are measured.
    private static let ownNames: Set<String> = [
        "fmt ", "fact", "data", "ds64", "bext", "id3 ", "ID3 ", "PEAK", "levl", "slnt", "RIFF",
    ]

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
        parts += others.map { ($0.chunk.start, [$0.entry]) }
        let chapters = ID3ChapterReader(tags.flatMap(\.frames))
        let lists = chapters.lists.isEmpty ? markers : chapters.lists
        return FileMetadata(
            container: .riff, entries: parts.sorted { $0.0 < $1.0 }.flatMap(\.1),
            tracks: streams.compactMap { stream in
                stream.title.map { FileMetadata.Track(trackID: stream.number, entries: [$0.entry]) }
            },
            chapterLists: lists, problems: problems + tags.flatMap(\.problems) + chapters.problems)
    }
}

extension RIFFFile {
    /// The chapters that markers make.
    fileprivate var markers: [ChapterList] {
        let chapters = WaveMarkers.chapters(others.map(\.entry), sampleRate: sampleRate)
        // More of them mark beats or words rather than chapters.
        guard !chapters.isEmpty, chapters.count <= Self.mostMarkers else { return [] }
        return [ChapterList(form: .cuePoints, chapters: chapters)]
    }

    private static let mostMarkers = 10_000
}

extension RIFFFormat {
    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        var writer = RIFFWriter(file, parts)
        let rewrite = try writer.rewrite(with: metadata)
        return MetadataRewrite(rewrite: rewrite, losses: writer.losses)
    }
}

/// Where a RIFF file keeps an entry.
private enum RIFFHome: Hashable {
    case info
    case broadcast
    case tag
    case text(String)
    case date
    case chunk(String)

    init?(_ entry: MetadataEntry, in file: RIFFFile) {
        if entry.keySpace == .id3, file.layout.type == "WAVE" || !file.tags.isEmpty {
            self = .tag
        } else if entry.keySpace == .audioFile, case .text(let key) = entry.key {
            let isList = key.hasPrefix(RIFFFile.listPrefix)
            let isChunk = key.utf8.count == (isList ? 9 : 4) && key.latin1 != nil && file.layout.type == "WAVE"
            if case .data = entry.value, isChunk {
                self = .chunk(key)
            } else if RIFFFile.textNames.contains(key) {
                self = .text(key)
            } else if key.hasPrefix(BroadcastExtension.prefix), file.layout.type == "WAVE" {
                self = .broadcast
            } else if key == RIFFFile.dateName, file.date != nil {
                self = .date
            } else if InfoList.name(of: entry) != nil {
                self = .info
            } else {
                return nil
            }
        } else {
            return nil
        }
    }
}

/// Changes the parts of a RIFF file that hold metadata.
private struct RIFFWriter {
    private let file: RandomAccessFile
    private let old: RIFFFile
    private var editor: ChunkFileEditor
    private var isChanged = false
    private(set) var losses: [MetadataLoss] = []

    init(_ file: RandomAccessFile, _ old: RIFFFile) {
        (self.file, self.old) = (file, old)
        editor = ChunkFileEditor(old.layout, of: file)
    }

    mutating func rewrite(with metadata: FileMetadata) throws(MetadataError) -> FileRewrite {
        var homes: [RIFFHome: [MetadataEntry]] = [:]
        for entry in metadata.entries {
            if let home = RIFFHome(entry, in: old) {
                homes[home, default: []].append(entry)
            } else {
                lose(entry.identifier.rawValue, "a file of this kind has no place for such a key")
            }
        }
        writeBroadcast(homes[.broadcast] ?? [])
        writeDate(&homes)
        writeInfo(homes[.info] ?? [])
        writeTexts(homes)
        writeTitles(metadata.tracks)
        let lists = metadata.chapterLists.filter { !$0.chapters.isEmpty }
        dropMarkers(&homes, lists)
        writeChunks(homes)
        // Markers that are kept say these already.
        let kept = [WaveMarkers.cuePoints, WaveMarkers.labels].flatMap { homes[.chunk($0)] ?? [] }
        let markers = WaveMarkers.chapters(kept, sampleRate: old.sampleRate)
        let tagged = lists.filter { $0.form != .cuePoints || !WaveMarkers.say($0, markers) }.map { list in
            var list = list
            if list.form == .cuePoints { list.form = .id3 }
            return list
        }
        try writeTag(homes[.tag] ?? [], tagged)
        if !metadata.attachments.isEmpty { lose("attachments", "a file of this kind has none") }
        return try isChanged ? editor.rewrite() : FileRewrite(segments: [.source(0..<file.byteCount)])
    }

    private mutating func lose(_ item: String, _ reason: String) {
        losses.append(MetadataLoss(item: item, reason: reason))
    }

    /// Puts a chunk in the first old one's place and removes the others; without an old one it is added.
    private mutating func put(_ chunk: [UInt8], inPlaceOf chunks: [Chunk]) {
        isChanged = true
        let indexes = old.layout.chunks.indices.filter { chunks.contains(old.layout.chunks[$0]) }
        for index in indexes { editor.remove(index) }
        for chunk in chunks where !old.layout.chunks.contains(chunk) { editor.blank(chunk) }
        if let first = indexes.first {
            editor.replace(first, with: chunk)
        } else if !chunk.isEmpty {
            editor.add(chunk)
        }
    }

    // MARK: Parts

    private mutating func writeInfo(_ entries: [MetadataEntry]) {
        guard entries != old.info?.entries ?? [] else { return }
        guard let info = old.info else {
            for entry in entries { lose(entry.identifier.rawValue, "the file's lists INFO are too large") }
            return
        }
        if info.isDamaged { lose("INFO", "bytes at the end of a list INFO that are no chunks") }
        put(info.chunk(of: entries, in: old.layout), inPlaceOf: old.infoLists)
    }

    private mutating func writeBroadcast(_ entries: [MetadataEntry]) {
        guard entries != old.broadcast?.content.entries ?? [] else { return }
        let new = BroadcastExtension.content(of: entries, replacing: old.broadcast?.content)
        losses += new.losses
        put(new.content.map { old.layout.chunk("bext", $0) } ?? [], inPlaceOf: old.broadcast.map { [$0.chunk] } ?? [])
    }

    private mutating func writeTexts(_ homes: [RIFFHome: [MetadataEntry]]) {
        for name in RIFFFile.textNames {
            let entries = homes[.text(name)] ?? []
            let before = old.texts.filter { $0.chunk.name == name }
            guard entries != before.map(\.entry) else { continue }
            for (index, entry) in entries.enumerated() where index >= before.count || before[index].entry != entry {
                put(
                    old.layout.chunk(name, entry.chunkContent),
                    inPlaceOf: before.dropFirst(index).prefix(1).map(\.chunk)
                )
            }
            for part in before.dropFirst(entries.count) { put([], inPlaceOf: [part.chunk]) }
        }
    }

    /// Without chapters there are no markers either that would be taken for some.
    private mutating func dropMarkers(_ homes: inout [RIFFHome: [MetadataEntry]], _ lists: [ChapterList]) {
        let cuePoints = RIFFHome.chunk(WaveMarkers.cuePoints)
        guard lists.isEmpty, !old.markers.isEmpty else { return }
        homes[cuePoints] = nil
        homes[.chunk(WaveMarkers.labels)] = nil
    }

    private mutating func writeChunks(_ homes: [RIFFHome: [MetadataEntry]]) {
        let new = homes.keys.compactMap { if case .chunk(let name) = $0 { name } else { nil } }
        let names = Set(new + old.others.map(\.entry.key.text))
        for name in names.sorted() {
            let entries = homes[.chunk(name)] ?? []
            let before = old.others.filter { $0.entry.key.text == name }
            guard entries != before.map(\.entry) else { continue }
            for (index, entry) in entries.enumerated() where index >= before.count || before[index].entry != entry {
                let isList = name == WaveMarkers.labels || name.hasPrefix(RIFFFile.listPrefix)
                let chunk = old.layout.chunk(
                    isList ? "LIST" : name, (isList ? Array(name.utf8.suffix(4)) : []) + entry.chunkContent)
                put(chunk, inPlaceOf: before.dropFirst(index).prefix(1).map(\.chunk))
            }
            for part in before.dropFirst(entries.count) { put([], inPlaceOf: [part.chunk]) }
        }
    }

    private mutating func writeTag(_ entries: [MetadataEntry], _ lists: [ChapterList]) throws(MetadataError) {
        let frames = old.tags.flatMap(\.frames)
        let oldLists = ID3ChapterReader(frames).lists
        guard entries != frames.flatMap(\.entries) || lists != oldLists else { return }
        guard old.layout.type == "WAVE" || !old.tags.isEmpty else {
            losses.append(.chapters(reason: "AVI files have none"))
            return
        }
        if entries.isEmpty, lists.allSatisfy(\.chapters.isEmpty) {
            put([], inPlaceOf: old.tagChunks)
            return
        }
        let tag = try ID3NewTag(replacing: old.tags, entries: entries, lists: lists, oldLists: oldLists)
        losses += tag.losses
        let length = tag.length(replacing: old.tags.first.map { $0.range.length } ?? 0)
        let name = old.tagChunks.first?.name ?? "id3 "
        put(tag.isEmpty ? [] : old.layout.chunk(name, tag.bytes(length: length)), inPlaceOf: old.tagChunks)
    }

    // MARK: Parts within the list of headers

    /// Writes the date into its chunk if it fits, else into the list `INFO`.
    private mutating func writeDate(_ homes: inout [RIFFHome: [MetadataEntry]]) {
        let entries = homes[.date] ?? []
        guard let date = old.date, entries != [date.entry] else { return }
        isChanged = true
        guard let entry = entries.first else {
            editor.blank(date.chunk)
            return
        }
        if entry != date.entry, !replaceText(of: date.chunk, with: entry) {
            lose(entry.identifier.rawValue, "it is longer than the file has room for")
        }
        homes[.info, default: []] += entries.dropFirst()
    }

    private mutating func writeTitles(_ tracks: [FileMetadata.Track]) {
        var wanted = tracks.flatMap { track in track.entries.map { (track.trackID, $0) } }
        for stream in old.streams {
            let index = wanted.firstIndex { $0.0 == stream.number && $0.1.key == .text(RIFFFile.titleName) }
            let new = index.map { wanted.remove(at: $0).1 }
            guard new != stream.title?.entry else { continue }
            isChanged = true
            if let new, let chunk = stream.title?.chunk, replaceText(of: chunk, with: new) { continue }
            if let new, !putTitle(new, in: stream) {
                lose(new.identifier.rawValue, "the file has no room for this of stream \(stream.number)")
                // The old one is not the stream's title any more.
            }
            if let chunk = stream.title?.chunk { editor.blank(chunk) }
        }
        for (stream, entry) in wanted {
            lose(entry.identifier.rawValue, "a file of this kind has no place for this of stream \(stream)")
        }
    }

    /// Puts a stream's title into space among its headers; `false` if there is not enough.
    private mutating func putTitle(_ entry: MetadataEntry, in stream: RIFFFile.Stream) -> Bool {
        let chunk = old.layout.chunk(RIFFFile.titleName, entry.chunkContent + [0])
        for filler in stream.fillers {
            let room = filler.end - filler.start
            guard UInt64(chunk.count) + Chunk.headerLength <= room else { continue }
            let rest = Int(room - UInt64(chunk.count) - Chunk.headerLength)
            editor.patch(at: filler.start, with: chunk + old.layout.header("JUNK", count: rest))
            return true
        }
        return false
    }

    /// Writes a text over another one; `false` if it is longer.
    private mutating func replaceText(of chunk: Chunk, with entry: MetadataEntry) -> Bool {
        let text = entry.chunkContent
        let length = chunk.content.length
        guard UInt64(text.count) < length else { return false }
        editor.patch(
            at: chunk.content.lowerBound, with: text + Array(repeating: 0, count: Int(length) - text.count))
        return true
    }
}
