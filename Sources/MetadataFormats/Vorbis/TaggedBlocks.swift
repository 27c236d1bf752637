internal import MediaIO
internal import MediaMetadata

/// The metadata blocks of one stream: those that hold comments and pictures, among others that are opaque.
///
/// FLAC has several blocks; the comment header of other streams is taken as one.
struct TaggedBlocks {
    /// A block as the file has it.
    struct Block {
        let type: UInt8
        /// `nil` if it was not read.
        let content: ArraySlice<UInt8>?
    }

    /// A block of the new version.
    enum OutputBlock: Hashable {
        /// The block of this number as it is.
        case old(Int)
        case new(type: UInt8, [UInt8])
    }

    /// Where new pictures go.
    enum PictureForm: Hashable {
        case block
        case comment
    }

    static let commentType: UInt8 = 4
    static let pictureType: UInt8 = 6
    /// Who made a comment header that the file did not have.
    private static let vendor = "OpenAVFoundation"

    /// A header of comments, with the number of its block.
    private struct Holder {
        let block: Int
        let header: VorbisComment
        let list: CommentList
    }

    private enum Origin: Hashable {
        case picture(block: Int)
        case comment(holder: Int, entry: Int)
    }

    private let types: [UInt8]
    private let pictureForm: PictureForm
    private let contentLimit: Int
    private let commentLimit: Int
    private var holders: [Holder] = []
    private var origins: [Origin] = []
    private(set) var entries: [MetadataEntry] = []
    private(set) var problems: [String] = []

    /// Reads blocks.
    ///
    /// - Parameters:
    ///   - contentLimit: The largest content that a new version of a block may have.
    ///   - commentLimit: The most comments to be read of all blocks.
    init(
        _ blocks: [Block], pictureForm: PictureForm, contentLimit: Int,
        commentLimit: Int = VorbisComment.maximumComments
    ) {
        types = blocks.map(\.type)
        (self.pictureForm, self.contentLimit, self.commentLimit) = (pictureForm, contentLimit, commentLimit)
        for (index, block) in blocks.enumerated() {
            guard let content = block.content else { continue }
            switch block.type {
            case Self.commentType: addComments(content, block: index)
            case Self.pictureType: addPicture(content, block: index)
            default: break
            }
        }
    }

    private mutating func addComments(_ content: ArraySlice<UInt8>, block: Int) {
        let header = VorbisComment(parsing: content, limit: commentLimit - commentCount)
        switch header.ending {
        case .whole: break
        case .truncated: problems.append("the comments are cut short: \(header.comments.count) were read")
        case .tooMany: problems.append("there are too many comments: the first \(header.comments.count) were read")
        }
        let list = CommentList(header.comments, hasChapters: holders.isEmpty)
        problems += list.problems
        entries += list.entries
        origins += list.entries.indices.map { .comment(holder: holders.count, entry: $0) }
        holders.append(Holder(block: block, header: header, list: list))
    }

    private mutating func addPicture(_ content: ArraySlice<UInt8>, block: Int) {
        guard let picture = FLACPicture(parsing: content) else {
            problems.append("a picture cannot be read: its block is damaged")
            return
        }
        entries.append(picture.entry)
        origins.append(.picture(block: block))
    }

    /// What follows the comments in their block; nothing if that is not known.
    var tail: ArraySlice<UInt8> { holders.first.map(tail(of:)) ?? [] }

    private func tail(of holder: Holder) -> ArraySlice<UInt8> {
        holder.header.ending == .whole ? holder.header.tail : []
    }
    /// Comments that were read.
    var commentCount: Int { holders.reduce(0) { $0 + $1.list.comments.count } }
    var chapters: [Chapter] { holders.first?.list.chapters ?? [] }
}

// MARK: Editing

extension TaggedBlocks {
    /// The blocks with other entries and chapters.
    struct Edit {
        var pieces: [OutputBlock] = []
        var losses: [MetadataLoss] = []
    }

    /// The blocks of a version with other entries and chapters.
    ///
    /// - Parameters:
    ///   - newChapters: The chapters, `nil` for those that there are.
    ///   - start: Where a comment header goes if there was none: the number of blocks before it.
    func edited(
        entries newEntries: [MetadataEntry], chapters newChapters: [Chapter]?, start: Int
    ) throws(MetadataError) -> Edit {
        var edit = Edit()
        let chapters = newChapters.map(ChapterComments.encoded)
        edit.losses += chapters?.losses ?? []
        var plan = plan(newEntries, chapterComments: chapters?.comments, losses: &edit.losses)
        if holders.isEmpty, !plan.comments[0].isEmpty || chapters?.comments.isEmpty == false {
            var header = VorbisComment(vendor: Self.vendor)
            header.comments = CommentList([], hasChapters: false)
                .comments(plan.comments[0], chapters: chapters?.comments)
            plan.created = header.encoded()
        }
        let headers = try holders.indices.map { index throws(MetadataError) in
            try piece(
                forHolder: index, plan.comments[index], chapters: index == 0 ? chapters?.comments : nil,
                losses: &edit.losses)
        }
        edit.pieces = pieces(plan, headers: headers, start: start)
        return edit
    }

    private struct Plan {
        /// The comments of each holder; those of a header to be made if there is none.
        var comments: [[CommentList.Wanted]]
        var pictures: [OutputBlock] = []
        var created: [UInt8]?
    }

    private func plan(
        _ newEntries: [MetadataEntry], chapterComments: [[UInt8]]?, losses: inout [MetadataLoss]
    ) -> Plan {
        var plan = Plan(comments: Array(repeating: [], count: max(1, holders.count)))
        let matches = EntryMatches.places(of: newEntries, in: entries)
        // An old version that is too large already has no room, but stays.
        var room = Room(
            bytes: contentLimit - (holders.first?.header.byteCount ?? 0), comments: commentLimit - commentCount)
        for comment in chapterComments ?? [] { room.take(4 + comment.count) }
        // Comments that go make room, those of chapters too, before new ones take it.
        let kept = Set(matches.compactMap { $0 })
        for (index, origin) in origins.enumerated() where !kept.contains(index) {
            if case .comment(0, let entry) = origin, let holder = holders.first {
                room.giveBack(4 + holder.list.byteCount(ofEntry: entry))
            }
        }
        var holder = 0
        for (entry, match) in zip(newEntries, matches) {
            switch match.map({ origins[$0] }) {
            case .picture(let block): plan.pictures.append(.old(block))
            case .comment(let owner, let number):
                holder = owner
                plan.comments[owner].append(.old(entry: number))
            case nil:
                add(entry, toHolder: holder, of: &plan, room: &room, losses: &losses)
            }
        }
        return plan
    }

    private func add(
        _ entry: MetadataEntry, toHolder holder: Int, of plan: inout Plan, room: inout Room,
        losses: inout [MetadataLoss]
    ) {
        func lose(_ reason: String) { losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason)) }
        if pictureForm == .block, FLACPicture.isPicture(entry) {
            let bytes = FLACPicture(entry).encoded()
            guard bytes.count <= contentLimit else { return lose("a picture of FLAC has less than 16 MiB") }
            plan.pictures.append(.new(type: Self.pictureType, bytes))
            return
        }
        switch EncodedComment(entry) {
        case .impossible(let reason): lose(reason)
        case .bytes(let bytes):
            guard room.hasRoom(for: 4 + bytes.count) else { return lose("the stream has no room for it") }
            room.take(4 + bytes.count)
            plan.comments[holder].append(.new(bytes))
        }
    }

    private func piece(
        forHolder index: Int, _ wanted: [CommentList.Wanted], chapters: [[UInt8]]?, losses: inout [MetadataLoss]
    ) throws(MetadataError) -> OutputBlock? {
        let holder = holders[index]
        var header = holder.header
        header.comments = holder.list.comments(wanted, chapters: chapters)
        if header.comments == holder.header.comments { return .old(holder.block) }
        switch header.ending {
        case .whole: break
        case .tooMany: throw MetadataError(.limit, "there are too many comments to change them")
        case .truncated:
            losses.append(
                MetadataLoss(
                    item: "comments", reason: "\(header.tail.count) bytes of the damaged comment header are left out"))
        }
        if index > 0, header.comments.isEmpty { return nil }
        // FLAC has nothing after the comments, but what is there may mean something to somebody.
        let tail = tail(of: holder)
        let isKept = pictureForm == .block && tail.contains { $0 != 0 }
        return .new(type: Self.commentType, header.encoded() + (isKept ? tail : []))
    }

    private func pieces(_ plan: Plan, headers: [OutputBlock?], start: Int) -> [OutputBlock] {
        var pieces: [OutputBlock] = []
        var pictures = plan.pictures[...]
        let headerOfBlock = Dictionary(zip(holders.map(\.block), headers)) { first, _ in first }
        let pictureBlocks = Set(origins.compactMap { if case .picture(let block) = $0 { block } else { nil } })
        // Further pictures follow the last one; the first ones follow the comments.
        let last = pictureBlocks.max() ?? holders.first?.block
        for index in types.indices {
            if let header = headerOfBlock[index] {
                if let header { pieces.append(header) }
            } else if pictureBlocks.contains(index) {
                if let picture = pictures.popFirst() { pieces.append(picture) }
            } else {
                pieces.append(.old(index))
            }
            if index == last {
                pieces += pictures
                pictures = []
            }
        }
        let created = (plan.created.map { [OutputBlock.new(type: Self.commentType, $0)] } ?? []) + pictures
        pieces.insert(contentsOf: created, at: min(start, pieces.count))
        return pieces
    }
}

/// What a comment header can still take.
private struct Room {
    var bytes: Int
    var comments: Int

    func hasRoom(for bytes: Int) -> Bool { bytes <= self.bytes && comments > 0 }

    mutating func take(_ bytes: Int) {
        self.bytes -= bytes
        comments -= 1
    }

    mutating func giveBack(_ bytes: Int) {
        self.bytes += bytes
        comments += 1
    }
}
