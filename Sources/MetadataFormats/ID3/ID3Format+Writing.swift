internal import MediaIO
package import MediaMetadata

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
        let tag = try ID3NewTag(
            replacing: old.allTags, entries: metadata.entries, lists: lists, oldLists: before.chapterLists)
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
