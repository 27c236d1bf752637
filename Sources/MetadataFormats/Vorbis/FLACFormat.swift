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

/// A change of a FLAC file's metadata in the file itself, of which readers see
/// the old blocks or the new ones and nothing between.
///
/// New blocks are written into padding, where no reader looks. Then four bytes
/// turn the chain over: the header of the first block that changes becomes that
/// of padding which reaches up to the new blocks; or, if the padding itself
/// comes first, its header becomes that of the first new block. The new blocks
/// end with the header of a padding that covers what follows of the old ones.
struct FLACInPlaceEdit {
    private static let headerSize = FLACChain.Block.headerSize

    /// Blocks that are replaced, from the first to the last that changes, with
    /// the padding that takes the new ones.
    private struct Zone {
        /// The numbers of its blocks.
        let blocks: Range<Int>
        /// The padding among them: several in a row count as one.
        let padding: Range<Int>
        /// What it is to hold.
        let pieces: ArraySlice<TaggedBlocks.OutputBlock>
    }

    private let chain: FLACChain
    private let pieces: [TaggedBlocks.OutputBlock]
    private let file: RandomAccessFile

    init(chain: FLACChain, pieces: [TaggedBlocks.OutputBlock], file: RandomAccessFile) {
        (self.chain, self.pieces, self.file) = (chain, pieces, file)
    }

    /// The steps, `nil` if there is no padding that is large enough.
    var steps: [FileRewrite.Step]? {
        let changed = changedBlocks
        if let steps = removal(of: zone(changed, padding: changed)) { return steps }
        let runs = paddingRuns.sorted { size(of: $0) > size(of: $1) }
        for run in runs {
            if let steps = steps(for: zone(changed, padding: run)) { return steps }
        }
        return nil
    }

    // MARK: Zones

    /// The numbers of blocks other than padding, in file order.
    private var kept: [Int] { chain.blocks.indices.filter { !chain.blocks[$0].isPadding } }

    /// The blocks from the first to the last that changes; an empty range where blocks are only added.
    private var changedBlocks: Range<Int> {
        let old = kept
        let same = zip(old, pieces).prefix { .old($0) == $1 }.count
        let room = min(old.count, pieces.count) - same
        let sameAtEnd = zip(old.reversed(), pieces.reversed()).prefix(room).prefix { .old($0) == $1 }.count
        let first = same < old.count - sameAtEnd ? old[same] : (same > 0 ? old[same - 1] + 1 : 0)
        let end = same < old.count - sameAtEnd ? old[old.count - sameAtEnd - 1] + 1 : first
        return first..<end
    }

    private func zone(_ changed: Range<Int>, padding: Range<Int>) -> Zone {
        let blocks = min(changed.lowerBound, padding.lowerBound)..<max(changed.upperBound, padding.upperBound)
        let before = kept.count { $0 < blocks.lowerBound }
        let after = kept.count { $0 >= blocks.upperBound }
        return Zone(blocks: blocks, padding: padding, pieces: pieces[before..<(pieces.count - after)])
    }

    private var paddingRuns: [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in chain.blocks.indices where chain.blocks[index].isPadding {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<(index + 1)
            } else {
                runs.append(index..<(index + 1))
            }
        }
        return runs
    }

    private func range(of blocks: Range<Int>) -> Range<UInt64> {
        chain.blocks[blocks.lowerBound].start..<chain.blocks[blocks.upperBound - 1].end
    }

    private func size(of run: Range<Int>) -> Int { range(of: run).count }

    // MARK: Steps

    /// The steps for blocks that only go: they become padding.
    private func removal(of zone: Zone) -> [FileRewrite.Step]? {
        guard zone.pieces.isEmpty, !zone.blocks.isEmpty else { return nil }
        let range = range(of: zone.blocks)
        guard let commit = paddingCommit(over: range, isLast: isLast(zone.blocks)) else { return nil }
        return [commit] + cleared((range.lowerBound + Self.headerSize)..<range.upperBound)
    }

    private func steps(for zone: Zone) -> [FileRewrite.Step]? {
        let range = range(of: zone.blocks)
        let padding = self.range(of: zone.padding)
        let isLast = isLast(zone.blocks)
        let isPaddingFirst = zone.blocks.lowerBound == zone.padding.lowerBound
        guard let (start, bytes) = content(for: zone, isPaddingFirst: isPaddingFirst) else { return nil }
        var steps: [FileRewrite.Step] = []
        if zone.padding.count > 1 {
            // The headers between the paddings must go first: readers see them.
            guard let merge = paddingCommit(over: padding, isLast: self.isLast(zone.padding)) else { return nil }
            steps.append(merge)
            for block in chain.blocks[zone.padding].dropFirst() {
                steps += cleared(block.start..<block.content.lowerBound)
            }
        }
        if isPaddingFirst {
            let head = Int(Self.headerSize)
            guard let commit = commit(Array(bytes.prefix(head)), at: start) else { return nil }
            if bytes.count > head { steps.append(.prepare(Array(bytes.dropFirst(head)), at: start + Self.headerSize)) }
            steps.append(commit)
        } else {
            let isEnd = bytes.isEmpty && start == range.upperBound
            guard let commit = paddingCommit(over: range.lowerBound..<start, isLast: isEnd && isLast) else {
                return nil
            }
            if !bytes.isEmpty { steps.append(.prepare(bytes, at: start)) }
            steps.append(commit)
            steps += cleared((range.lowerBound + Self.headerSize)..<start)
        }
        return steps + cleared(padding.upperBound..<range.upperBound)
    }

    /// What is to be written into a zone's padding, and where: its blocks, and
    /// the header of the padding that covers the rest of the zone.
    private func content(for zone: Zone, isPaddingFirst: Bool) -> (start: UInt64, bytes: [UInt8])? {
        let end = range(of: zone.blocks).upperBound
        let padding = range(of: zone.padding)
        let needed = zone.pieces.reduce(0) { $0 + byteCount(of: $1) }
        var start = isPaddingFirst ? padding.lowerBound : padding.lowerBound + Self.headerSize
        guard needed <= padding.upperBound - start else { return nil }
        var rest = end - start - needed
        if (1..<Self.headerSize).contains(rest), !isPaddingFirst, padding.upperBound == end {
            // Too little for another padding: the one before takes it.
            start += rest
            rest = 0
        }
        let isLast = isLast(zone.blocks)
        guard var bytes = encoded(zone.pieces, isLast: isLast && rest == 0) else { return nil }
        if rest > 0 {
            guard needed + Self.headerSize <= padding.upperBound - start,
                let header = paddingHeader(over: (start + needed)..<end, isLast: isLast)
            else { return nil }
            bytes += header
        }
        return (start, bytes)
    }

    private func isLast(_ blocks: Range<Int>) -> Bool { chain.blocks[blocks.upperBound - 1].isLast }

    private func byteCount(of piece: TaggedBlocks.OutputBlock) -> UInt64 {
        switch piece {
        case .old(let index): UInt64(chain.blocks[index].range.count)
        case .new(_, let content): Self.headerSize + UInt64(content.count)
        }
    }

    private func encoded(_ pieces: ArraySlice<TaggedBlocks.OutputBlock>, isLast: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        for (index, piece) in zip(pieces.indices, pieces) {
            let isLast = isLast && index == pieces.endIndex - 1
            switch piece {
            case .old(let number):
                let block = chain.blocks[number]
                guard let content = file.read(block.content, limit: FLACChain.maximumContent) else { return nil }
                bytes += FLACChain.header(type: block.type, byteCount: content.count, isLast: isLast) + content
            case .new(let type, let content):
                bytes += FLACChain.header(type: type, byteCount: content.count, isLast: isLast) + content
            }
        }
        return bytes
    }

    /// The header of padding that takes up a range, `nil` if there is not room for it or too much.
    private func paddingHeader(over range: Range<UInt64>, isLast: Bool) -> [UInt8]? {
        guard range.count >= Self.headerSize, range.count - Int(Self.headerSize) <= FLACChain.maximumContent else {
            return nil
        }
        let byteCount = range.count - Int(Self.headerSize)
        return FLACChain.header(type: FLACChain.paddingType, byteCount: byteCount, isLast: isLast)
    }

    private func paddingCommit(over range: Range<UInt64>, isLast: Bool) -> FileRewrite.Step? {
        paddingHeader(over: range, isLast: isLast).flatMap { commit($0, at: range.lowerBound) }
    }

    /// A header's write, `nil` if it does not lie within one page.
    private func commit(_ header: [UInt8], at position: UInt64) -> FileRewrite.Step? {
        FileRewrite.fitsOnePage(header.count, at: position) ? .commit(header, at: position) : nil
    }

    /// Zeros over what is padding now: so FLAC wants it, and what was removed is gone.
    private func cleared(_ range: Range<UInt64>) -> [FileRewrite.Step] {
        range.isEmpty ? [] : [.prepare([UInt8](repeating: 0, count: range.count), at: range.lowerBound)]
    }
}
