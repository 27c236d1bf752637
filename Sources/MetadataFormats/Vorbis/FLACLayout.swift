internal import MediaIO
internal import MediaMetadata

/// Where the metadata blocks of a new version of a FLAC file lie.
struct FLACLayout {
    /// Padding that a copy leaves for later edits: as much as the comments need
    /// to be written once more, within these bounds.
    private static let freshPadding: ClosedRange<UInt64> = 4096...65536

    private let chain: FLACChain
    /// The new blocks but for padding.
    private let pieces: [TaggedBlocks.OutputBlock]
    private let file: RandomAccessFile

    init(chain: FLACChain, pieces: [TaggedBlocks.OutputBlock], file: RandomAccessFile) {
        self.chain = chain
        self.pieces = pieces.filter { if case .old(let index) = $0 { !chain.blocks[index].isPadding } else { true } }
        self.file = file
    }

    /// The new version.
    var rewrite: FileRewrite {
        let old = chain.blocks.indices.filter { !chain.blocks[$0].isPadding }.map(TaggedBlocks.OutputBlock.old)
        guard pieces != old else { return FileRewrite(segments: [.source(0..<file.byteCount)]) }
        let needed = pieces.reduce(0) { $0 + byteCount(of: $1) }
        let available = chain.end - chain.start
        guard needed <= available, isAcceptable(padding: available - needed) else {
            let comments = commentPlace.map { byteCount(of: pieces[$0]) } ?? 0
            let padding = min(max(comments, Self.freshPadding.lowerBound), Self.freshPadding.upperBound)
            var total = needed + FLACChain.Block.headerSize + padding
            total +=
                (available % FileRewrite.pageSize + FileRewrite.pageSize - total % FileRewrite.pageSize)
                % FileRewrite.pageSize
            return FileRewrite(segments: segments(padding: total - needed))
        }
        return FileRewrite(
            segments: segments(padding: available - needed),
            steps: FLACInPlaceEdit(chain: chain, pieces: pieces, file: file).steps)
    }

    /// Whether padding can be of a size: none or with room for a header, and no more than is fitting.
    private func isAcceptable(padding: UInt64) -> Bool {
        guard padding == 0 || padding >= FLACChain.Block.headerSize else { return false }
        let old = chain.blocks.filter(\.isPadding).reduce(0) { $0 + UInt64($1.range.count) }
        return padding <= max(old, MetadataPadding.limit(fileSize: file.byteCount))
            && padding <= UInt64(FLACChain.maximumContent)
    }

    private func byteCount(of piece: TaggedBlocks.OutputBlock) -> UInt64 {
        switch piece {
        case .old(let index): chain.blocks[index].end - chain.blocks[index].start
        case .new(_, let content): FLACChain.Block.headerSize + UInt64(content.count)
        }
    }

    private func isComments(_ piece: TaggedBlocks.OutputBlock) -> Bool {
        switch piece {
        case .old(let index): chain.blocks[index].type == TaggedBlocks.commentType
        case .new(let type, _): type == TaggedBlocks.commentType
        }
    }

    /// Which of the new blocks has the comments.
    private var commentPlace: Int? { pieces.lastIndex(where: isComments) }

    /// The whole file, with one block of padding.
    ///
    /// It follows the comments, before pictures, so that the next change of the
    /// comments need not move those.
    private func segments(padding: UInt64) -> [FileRewrite.Segment] {
        let paddingPlace = padding > 0 ? commentPlace ?? pieces.count - 1 : nil
        var segments: [FileRewrite.Segment] = [.source(0..<chain.start)]
        for (place, piece) in pieces.enumerated() {
            let isEnd = place == pieces.count - 1
            segments += self.segments(of: piece, isLast: isEnd && place != paddingPlace)
            if place == paddingPlace {
                let size = Int(padding - FLACChain.Block.headerSize)
                let header = FLACChain.header(type: FLACChain.paddingType, byteCount: size, isLast: isEnd)
                segments.append(.bytes(header + [UInt8](repeating: 0, count: size)))
            }
        }
        return segments + [.source(chain.end..<file.byteCount)]
    }

    private func segments(of piece: TaggedBlocks.OutputBlock, isLast: Bool) -> [FileRewrite.Segment] {
        switch piece {
        case .old(let index) where chain.blocks[index].isLast == isLast: return [.source(chain.blocks[index].range)]
        case .old(let index):
            let block = chain.blocks[index]
            let header = FLACChain.header(type: block.type, byteCount: block.content.count, isLast: isLast)
            return [.bytes(header), .source(block.content)]
        case .new(let type, let content):
            return [.bytes(FLACChain.header(type: type, byteCount: content.count, isLast: isLast) + content)]
        }
    }
}

/// How much padding is fitting.
enum MetadataPadding {
    /// The most that a rewrite leaves: enough for edits without a copy, little beside the file.
    static func limit(fileSize: UInt64) -> UInt64 { 64 << 10 + fileSize / 100 }
}

/// The chain of metadata blocks at the beginning of a FLAC file.
///
/// Source: RFC 9639, section 8.
struct FLACChain {
    /// One block: its header's four bytes, and its content.
    struct Block: Hashable {
        let type: UInt8
        let isLast: Bool
        let content: Range<UInt64>

        static let headerSize: UInt64 = 4
        var start: UInt64 { content.lowerBound - Self.headerSize }
        var end: UInt64 { content.upperBound }
        /// The whole block, header included.
        var range: Range<UInt64> { start..<end }
        var isPadding: Bool { type == FLACChain.paddingType }
    }

    static let marker = Array("fLaC".utf8)
    static let paddingType: UInt8 = 1
    /// The largest length that a block's header can state.
    static let maximumContent = 1 << 24 - 1
    /// Files have a dozen blocks; each one costs a read.
    private static let maximumBlocks = 1 << 12
    /// ID3 tags before the marker; more than one is odd already.
    private static let maximumTags = 4

    /// Where the first block begins.
    let start: UInt64
    private(set) var blocks: [Block] = []
    private(set) var problems: [String] = []

    /// Walks the chain; `nil` if the file has no FLAC marker.
    init?(_ file: RandomAccessFile) {
        guard let marker = Self.markerPosition(in: file) else { return nil }
        start = marker + UInt64(Self.marker.count)
        var position = start
        while blocks.last?.isLast != true {
            guard blocks.count < Self.maximumBlocks else {
                problems.append("there are more than \(Self.maximumBlocks) metadata blocks")
                return
            }
            let header = file.read(at: position, count: 4)
            guard let size = header.bigEndian24(at: 1) else {
                problems.append("the file ends within its metadata")
                return
            }
            let content = (position + 4)..<(position + 4 + UInt64(size))
            guard content.upperBound <= file.byteCount else {
                problems.append("a metadata block of \(size) bytes reaches past the end of the file")
                return
            }
            blocks.append(Block(type: header[0] & 0x7F, isLast: header[0] & 0x80 != 0, content: content))
            position = content.upperBound
        }
        if blocks.first?.type != 0 { problems.append("the first metadata block is no stream information") }
    }

    /// Where the marker is: at the beginning, or after ID3 tags.
    private static func markerPosition(in file: RandomAccessFile) -> UInt64? {
        var position: UInt64 = 0
        for _ in 0...maximumTags {
            let head = file.read(at: position, count: 10)
            if head.starts(with: marker) { return position }
            guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[6..<10].allSatisfy({ $0 < 0x80 }) else {
                return nil
            }
            let hasFooter = head[3] >= 4 && head[5] & 0x10 != 0
            position += 10 + head[6..<10].reduce(0) { $0 << 7 | UInt64($1) } + (hasFooter ? 10 : 0)
        }
        return nil
    }

    /// Whether the walk came to the last block.
    var isWhole: Bool { blocks.last?.isLast == true }
    /// Where the audio begins.
    var end: UInt64 { blocks.last?.end ?? start }

    /// A block's header.
    static func header(type: UInt8, byteCount: Int, isLast: Bool) -> [UInt8] {
        [
            type | (isLast ? 0x80 : 0), UInt8(truncatingIfNeeded: byteCount >> 16),
            UInt8(truncatingIfNeeded: byteCount >> 8), UInt8(truncatingIfNeeded: byteCount),
        ]
    }
}
