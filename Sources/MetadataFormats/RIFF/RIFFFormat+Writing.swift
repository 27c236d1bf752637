internal import MediaIO
package import MediaMetadata

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

    init?(_ entry: MetadataEntry, in file: RIFFFile) {
        if entry.keySpace == .id3, file.layout.type == "WAVE" || !file.tags.isEmpty {
            self = .tag
        } else if entry.keySpace == .audioFile, case .text(let key) = entry.key {
            if RIFFFile.textNames.contains(key) {
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
        try writeTag(homes[.tag] ?? [], metadata.chapterLists)
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
