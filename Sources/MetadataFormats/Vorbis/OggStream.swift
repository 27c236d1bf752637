internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// The header packets of one logical stream.
struct OggStream {
    /// A packet, and the number of the page (among the stream's) on which it begins.
    struct Packet {
        var bytes: [UInt8]
        let firstPage: Int
    }

    enum State: Hashable {
        case reading
        /// All packets that matter are there.
        case complete
        /// The stream has no comments that we know of.
        case foreign
        case damaged(String)
    }

    let serial: UInt32
    private(set) var codec: OggCodec?
    /// Its pages up to the one on which the last header packet ends.
    private(set) var pages: [OggPage] = []
    /// The packets: one that tells the codec, one of comments; of FLAC all metadata blocks.
    private(set) var packets: [Packet] = []
    /// Segments of the last page after the packets, and their bytes.
    private(set) var restSegments: ArraySlice<UInt8> = []
    private(set) var restBody: ArraySlice<UInt8> = []
    private(set) var state = State.reading
    /// Bytes of packets that are held in memory.
    private(set) var byteCount = 0
    private var isOpen = false
    /// Metadata blocks of FLAC; other streams have two packets.
    private static let maximumPackets = 1 << 12

    init(serial: UInt32) { self.serial = serial }

    mutating func fail(_ reason: String) { state = .damaged(reason) }

    /// Takes in the stream's next page.
    mutating func add(_ page: OggPage, body: ArraySlice<UInt8>) {
        guard page.flags.contains(.isContinued) == isOpen else { return fail("pages are missing") }
        pages.append(page)
        byteCount += body.count
        var rest = body
        for (index, segment) in page.segments.enumerated() {
            guard isOpen || packets.count < Self.maximumPackets else { return fail("there are too many packets") }
            if !isOpen { packets.append(Packet(bytes: [], firstPage: pages.count - 1)) }
            packets[packets.count - 1].bytes += rest.prefix(Int(segment))
            rest = rest.dropFirst(Int(segment))
            isOpen = segment == 255
            guard !isOpen else { continue }
            finishPacket()
            guard state == .reading else {
                restSegments = page.segments[(index + 1)...]
                restBody = Array(rest)[...]
                return
            }
        }
    }

    private mutating func finishPacket() {
        guard let packet = packets.last?.bytes else { return }
        if packets.count == 1 {
            codec = OggCodec(firstPacket: packet)
            if codec == nil { state = .foreign }
        } else if codec == .flac {
            finishBlock(packet)
        } else if let codec {
            state = packet.starts(with: codec.commentSign) ? .complete : .damaged("the second packet has no comments")
        }
    }

    private mutating func finishBlock(_ block: [UInt8]) {
        guard let header = block.first, header & 0x7F != 0x7F, block.bigEndian24(at: 1).map(Int.init) == block.count - 4
        else { return fail("a metadata block of FLAC is damaged") }
        if header & 0x80 != 0 { state = .complete }
    }

    /// The metadata blocks: those of FLAC, or one that stands for the packet of comments.
    ///
    /// - Parameter commentLimit: The most comments to be read.
    func tags(commentLimit: Int) -> TaggedBlocks {
        guard state == .complete, let codec else {
            return TaggedBlocks([], pictureForm: .comment, contentLimit: 0, commentLimit: 0)
        }
        let blocks = packets.dropFirst().map { packet in
            codec == .flac
                ? TaggedBlocks.Block(type: (packet.bytes.first ?? 0) & 0x7F, content: packet.bytes.dropFirst(4))
                : TaggedBlocks.Block(
                    type: TaggedBlocks.commentType, content: packet.bytes.dropFirst(codec.commentSign.count))
        }
        return TaggedBlocks(
            Array(blocks), pictureForm: codec == .flac ? .block : .comment,
            contentLimit: codec.packetLimit - codec.commentSign.count, commentLimit: commentLimit)
    }
}

/// The header packets of all logical streams that an Ogg file, or a link of a chained one, begins with.
struct OggHeaders {
    /// What packets of comments may have when they are written, less than what is read of all header packets by
    /// default: a large picture needs some megabytes, and each of them is there several times while it is decoded.
    static let contentLimit = 31 << 20
    /// Pages that are looked at: enough for the largest headers in small pages.
    private static let maximumPages = 1 << 16
    private static let maximumStreams = 64

    private(set) var streams: [OggStream] = []
    private(set) var problems: [String] = []

    /// Where the first page after all headers begins.
    private(set) var end: UInt64 = 0

    /// - Parameter start: Where the link begins.
    init(_ file: RandomAccessFile, at start: UInt64 = 0) {
        var position = start
        var areAllKnown = false
        var pageCount = 0
        while !areAllKnown || streams.contains(where: { $0.state == .reading }) {
            guard position < file.byteCount else { break }
            guard pageCount < Self.maximumPages, let page = OggPage(file, at: position) else {
                problems.append("there is no page at byte \(position)")
                break
            }
            pageCount += 1
            position = page.end
            if !page.flags.contains(.isFirst) { areAllKnown = true }
            add(page, file, isBeginning: !areAllKnown)
        }
        end = position
        for index in streams.indices where streams[index].state == .reading {
            streams[index].fail("the file ends within its headers")
        }
        for stream in streams {
            if case .damaged(let reason) = stream.state { problems.append("stream \(stream.serial): \(reason)") }
        }
    }

    /// The metadata of each stream; of all together no more comments than a single one can have.
    var tags: [TaggedBlocks] {
        var limit = VorbisComment.maximumComments
        return streams.map { stream in
            let tags = stream.tags(commentLimit: limit)
            limit -= tags.commentCount
            return tags
        }
    }

    private mutating func add(_ page: OggPage, _ file: RandomAccessFile, isBeginning: Bool) {
        if isBeginning, page.flags.contains(.isFirst), !streams.contains(where: { $0.serial == page.serial }) {
            guard streams.count < Self.maximumStreams else { return }
            streams.append(OggStream(serial: page.serial))
        }
        guard let index = streams.firstIndex(where: { $0.serial == page.serial && $0.state == .reading }) else {
            return
        }
        let bytes = file.read(at: page.start, count: page.byteCount)
        guard bytes.count == page.byteCount else { return streams[index].fail("a page cannot be read") }
        if !page.isSound(bytes) { problems.append("the page at byte \(page.start) has a wrong checksum") }
        if let last = streams[index].pages.last, page.sequence != last.sequence &+ 1 {
            problems.append("the page at byte \(page.start) is not the next one of its stream")
        }
        guard streams.reduce(bytes.count, { $0 + $1.byteCount }) <= file.limits.metadataSize else {
            return streams[index].fail("the headers are larger than is read \(MediaLimits.Name.metadataSize.note)")
        }
        streams[index].add(page, body: bytes[page.headerSize...])
    }
}
