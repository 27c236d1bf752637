package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    package static let flac = FileMetadata.Container(
        "flac", typeIdentifiers: ["org.xiph.flac"], keySpaces: [.vorbisComment], chapterForms: [.vorbisComment],
        structure: .blocks)
}

/// FLAC files: Vorbis comments, pictures, and chapters among the comments or by a cue sheet.
///
/// An ID3 tag before the FLAC marker is skipped, and kept as it is.
///
/// Source: RFC 9639.
package struct FLACFormat: MetadataFormat {
    package static let containers = [FileMetadata.Container.flac]
    private let file: RandomAccessFile
    private let chain: FLACChain
    private let tags: TaggedBlocks
    /// The chapters that the cue sheet lists.
    private let cueSheet: [ChapterList]
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        if head.starts(with: FLACChain.marker) { return true }
        return head.starts(with: Array("ID3".utf8)) && FLACChain(file) != nil
    }

    package init(reading file: RandomAccessFile) throws(MetadataError) {
        guard let chain = FLACChain(file) else { throw MetadataError(.damaged, "this is no FLAC file") }
        let problems: [String]
        (self.file, self.chain) = (file, chain)
        (tags, problems) = Self.tags(of: chain, file)
        cueSheet = Self.cueSheet(of: chain, file)
        metadata = FileMetadata(
            container: .flac, entries: tags.entries, chapterLists: Self.lists(tags, cueSheet),
            problems: chain.problems + problems)
    }

    /// The chapters by comments, or else by the cue sheet.
    private static func lists(_ tags: TaggedBlocks, _ cueSheet: [ChapterList]) -> [ChapterList] {
        let lists = ChapterPlan.lists([tags.chapters])
        return lists.isEmpty ? cueSheet : lists
    }

    /// The chapters that the cue sheet lists.
    private static func cueSheet(of chain: FLACChain, _ file: RandomAccessFile) -> [ChapterList] {
        guard let information = chain.blocks.first(where: { $0.type == 0 }),
            let head = file.read(information.content, limit: FLACChain.maximumContent),
            let sampleRate = FLACCueSheet.sampleRate(head),
            let block = chain.blocks.first(where: { $0.type == FLACCueSheet.blockType }),
            let content = file.read(block.content, limit: FLACCueSheet.maximumSize)
        else { return [] }
        let chapters = FLACCueSheet.chapters(content, sampleRate: sampleRate)
        return chapters.isEmpty ? [] : [ChapterList(form: .cueSheet, chapters: chapters)]
    }

    private static func tags(of chain: FLACChain, _ file: RandomAccessFile) -> (TaggedBlocks, problems: [String]) {
        var room = Int(file.limits.metadataSize)
        var problems: [String] = []
        let blocks = chain.blocks.map { block in
            guard [TaggedBlocks.commentType, TaggedBlocks.pictureType].contains(block.type) else {
                return TaggedBlocks.Block(type: block.type, content: nil)
            }
            guard let bytes = file.read(block.content, limit: room) else {
                problems.append(
                    "a block of \(block.content.count) bytes was not read: there is too much \(MediaLimits.Name.metadataSize.note)"
                )
                return TaggedBlocks.Block(type: block.type, content: nil)
            }
            room -= bytes.count
            return TaggedBlocks.Block(type: block.type, content: bytes[...])
        }
        let tags = TaggedBlocks(blocks, pictureForm: .block, contentLimit: FLACChain.maximumContent)
        return (tags, problems + tags.problems)
    }

    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        guard chain.isWhole else { throw MetadataError(.damaged, chain.problems.first ?? "the metadata is damaged") }
        let lists = metadata.chapterLists.filter { !$0.chapters.isEmpty }
        let isChanged = lists.map(\.chapters) != self.metadata.chapterLists.map(\.chapters)
        // What the cue sheet says already need not be said in comments.
        let isComments = isChanged || !tags.chapters.isEmpty
        let plan = ChapterPlan(old: [tags.chapters], lists: isComments ? lists : [], main: 0)
        // Stream information comes first, always.
        var edit = try tags.edited(entries: metadata.entries, chapters: plan.changes[0], start: 1)
        if !cueSheet.isEmpty, isChanged {
            edit.pieces.removeAll { piece in
                if case .old(let index) = piece { chain.blocks[index].type == FLACCueSheet.blockType } else { false }
            }
            if !lists.isEmpty {
                edit.losses.append(
                    MetadataLoss(item: "cue sheet", reason: "players would show its tracks in place of the chapters"))
            }
        }
        let lostTracks = metadata.tracks.flatMap(\.entries).map {
            MetadataLoss(item: $0.identifier.rawValue, reason: "FLAC files have no tracks with metadata of their own")
        }
        let layout = FLACLayout(chain: chain, pieces: edit.pieces, file: file)
        return MetadataRewrite(rewrite: layout.rewrite, losses: plan.losses + edit.losses + lostTracks)
    }
}
