package import MediaFile

/// FLAC files: Vorbis comments, pictures, and chapters among the comments.
///
/// An ID3 tag before the FLAC marker is skipped, and kept as it is.
///
/// Source: RFC 9639.
package enum FLACFormat: MetadataFormat {
    /// What is read into memory of one file's comments and pictures.
    private static let memoryLimit = 64 << 20

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        if head.starts(with: FLACChain.marker) { return true }
        return head.starts(with: Array("ID3".utf8)) && FLACChain(file) != nil
    }

    package static func read(_ file: RandomAccessFile) throws(MetadataError) -> FileMetadata {
        guard let chain = FLACChain(file) else { throw MetadataError(.damaged, "this is no FLAC file") }
        let (tags, problems) = tags(of: chain, file)
        return FileMetadata(
            container: .flac, entries: tags.entries, chapterLists: ChapterPlan.lists([tags.chapters]),
            problems: chain.problems + problems)
    }

    private static func tags(of chain: FLACChain, _ file: RandomAccessFile) -> (TaggedBlocks, problems: [String]) {
        var room = memoryLimit
        var problems: [String] = []
        let blocks = chain.blocks.map { block in
            guard [TaggedBlocks.commentType, TaggedBlocks.pictureType].contains(block.type) else {
                return TaggedBlocks.Block(type: block.type, content: nil)
            }
            guard let bytes = file.read(block.content, limit: room) else {
                problems.append("a block of \(block.content.count) bytes was not read: there is too much")
                return TaggedBlocks.Block(type: block.type, content: nil)
            }
            room -= bytes.count
            return TaggedBlocks.Block(type: block.type, content: bytes[...])
        }
        let tags = TaggedBlocks(blocks, pictureForm: .block, contentLimit: FLACChain.maximumContent)
        return (tags, problems + tags.problems)
    }

    package static func rewrite(
        _ file: RandomAccessFile, with metadata: FileMetadata
    ) throws(MetadataError) -> MetadataRewrite {
        guard let chain = FLACChain(file) else { throw MetadataError(.damaged, "this is no FLAC file") }
        guard chain.isWhole else { throw MetadataError(.damaged, chain.problems.first ?? "the metadata is damaged") }
        let (tags, _) = tags(of: chain, file)
        let plan = ChapterPlan(old: [tags.chapters], lists: metadata.chapterLists, main: 0)
        // Stream information comes first, always.
        let edit = try tags.edited(entries: metadata.entries, chapters: plan.changes[0], start: 1)
        let lostTracks = metadata.tracks.flatMap(\.entries).map {
            MetadataLoss(item: $0.identifier.rawValue, reason: "FLAC files have no tracks with metadata of their own")
        }
        let layout = FLACLayout(chain: chain, pieces: edit.pieces, file: file)
        return MetadataRewrite(rewrite: layout.rewrite, losses: plan.losses + edit.losses + lostTracks)
    }
}
