internal import MediaIO
internal import MediaMetadata

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
