internal import MediaIO
package import MediaMetadata

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
