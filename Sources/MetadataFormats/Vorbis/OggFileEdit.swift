internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Changes of an Ogg file's header packets, and what follows from them.
///
/// Only pages of the streams that change are touched. If a stream's headers
/// come to have another number of pages, all its pages after them get other
/// sequence numbers, and checksums, which are derived without reading the pages.
struct OggFileEdit {
    /// Pages that can be renumbered: some GiB of small pages, in a few hundred MiB of memory at the very most.
    private static let maximumRenumbered = 1 << 20
    /// Bytes that are searched for the next page where one is not where it should be.
    private static let searchLimit = 1 << 20

    private struct Change {
        let range: Range<UInt64>
        let bytes: [UInt8]
    }

    /// Pages of a stream that get other numbers.
    private struct Renumbering {
        let serial: UInt32
        /// Where the pages begin.
        let start: UInt64
        let shift: UInt32
    }

    private let file: RandomAccessFile
    private var changes: [Change] = []
    private var renumberings: [Renumbering] = []
    private var contentSize = 0

    init(_ file: RandomAccessFile) { self.file = file }

    // MARK: Streams

    /// Changes a stream's metadata.
    ///
    /// - Parameter tail: What follows the comments in their packet.
    mutating func change(
        _ stream: OggStream, to pieces: [TaggedBlocks.OutputBlock], tail: ArraySlice<UInt8>
    ) throws(MetadataError) {
        let isChanged = pieces != stream.packets.indices.dropFirst().map { .old($0 - 1) }
        guard isChanged else {
            contentSize += stream.byteCount
            return
        }
        let run = try OggHeaderRun(stream)
        let packets: [[UInt8]]
        if stream.codec == .flac {
            packets = flacPackets(stream, pieces)
            try setPacketCount(packets.count, of: stream)
        } else {
            packets = [commentPacket(stream, pieces, tail: tail, run)]
        }
        contentSize += packets.reduce(0) { $0 + $1.count }
        guard contentSize <= OggHeaders.contentLimit else {
            throw MetadataError(.limit, "the headers would have more than \(OggHeaders.contentLimit >> 20) MiB")
        }
        replace(run, by: run.pages(for: packets))
    }

    /// The metadata blocks, each one a packet.
    private func flacPackets(_ stream: OggStream, _ pieces: [TaggedBlocks.OutputBlock]) -> [[UInt8]] {
        pieces.enumerated().map { place, piece in
            let isLast = place == pieces.count - 1
            switch piece {
            case .old(let index):
                var packet = stream.packets[index + 1].bytes
                if !packet.isEmpty { packet[0] = packet[0] & 0x7F | (isLast ? 0x80 : 0) }
                return packet
            case .new(let type, let content):
                return FLACChain.header(type: type, byteCount: content.count, isLast: isLast) + content
            }
        }
    }

    /// Sets the number of packets in the first packet of FLAC, where zero means that it is not told.
    private mutating func setPacketCount(_ count: Int, of stream: OggStream) throws(MetadataError) {
        let offset = 7
        guard let page = stream.pages.first, let first = stream.packets.first?.bytes,
            let old = first.bigEndian16(at: offset), old != 0, Int(old) != count
        else { return }
        var bytes = file.read(at: page.start, count: page.byteCount)
        let place = page.headerSize + offset
        guard bytes.count == page.byteCount, place + 1 < bytes.count else {
            throw MetadataError(.damaged, "the first page cannot be read")
        }
        // More packets than the field can tell are never read either.
        bytes[place] = UInt8(truncatingIfNeeded: count >> 8)
        bytes[place + 1] = UInt8(truncatingIfNeeded: count)
        OggPage.setChecksum(of: &bytes)
        changes.append(Change(range: page.range, bytes: bytes))
    }

    /// The packet of comments, with as much padding as fits best.
    private func commentPacket(
        _ stream: OggStream, _ pieces: [TaggedBlocks.OutputBlock], tail: ArraySlice<UInt8>, _ run: OggHeaderRun
    ) -> [UInt8] {
        guard let codec = stream.codec, case .new(_, let comments) = pieces.first else {
            return stream.packets[1].bytes
        }
        let ending = codec.ending(after: tail)
        let packet = codec.commentSign + comments + ending.bytes
        guard ending.mayBePadded else { return packet }
        let oldPadding = max(0, tail.count - ending.bytes.count)
        let limit = max(oldPadding, Int(clamping: MetadataPadding.limit(fileSize: file.byteCount)))
        let wanted = run.paddedSize(for: packet.count, oldSize: stream.packets[1].bytes.count, paddingLimit: limit)
        let size = max(packet.count, min(wanted, codec.packetLimit))
        return packet + [UInt8](repeating: 0, count: size - packet.count)
    }

    private mutating func replace(_ run: OggHeaderRun, by pages: [[UInt8]]) {
        guard let last = run.oldPages.last else { return }
        let shared = min(run.oldPages.count, pages.count) - 1
        for index in 0..<shared { changes.append(Change(range: run.oldPages[index].range, bytes: pages[index])) }
        for page in run.oldPages[shared..<(run.oldPages.count - 1)] {
            changes.append(Change(range: page.range, bytes: []))
        }
        changes.append(Change(range: last.range, bytes: Array(pages[shared...].joined())))
        guard pages.count != run.oldPages.count else { return }
        let shift = UInt32(truncatingIfNeeded: pages.count - run.oldPages.count)
        renumberings.append(Renumbering(serial: last.serial, start: last.end, shift: shift))
    }

    // MARK: The file

    /// The new version of the file.
    var rewrite: FileRewrite {
        get throws(MetadataError) {
            var segments: [FileRewrite.Segment] = []
            var position: UInt64 = 0
            for change in (changes + (try renumbered())).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
                if position < change.range.lowerBound { segments.append(.source(position..<change.range.lowerBound)) }
                if !change.bytes.isEmpty { segments.append(.bytes(change.bytes)) }
                position = change.range.upperBound
            }
            if position < file.byteCount { segments.append(.source(position..<file.byteCount)) }
            return FileRewrite(segments: segments)
        }
    }

    /// The new numbers and checksums of the pages after headers that became longer or shorter.
    private func renumbered() throws(MetadataError) -> [Change] {
        var open = renumberings
        guard var position = open.map(\.start).min() else { return [] }
        var changes: [Change] = []
        while !open.isEmpty, position < file.byteCount {
            guard let page = try page(at: position) else { break }
            position = page.end
            guard let index = open.firstIndex(where: { $0.serial == page.serial && $0.start <= page.start }) else {
                continue
            }
            // A new stream of the same number: the next link of a badly chained file.
            guard !page.flags.contains(.isFirst) else {
                open.remove(at: index)
                continue
            }
            guard changes.count < Self.maximumRenumbered else {
                throw MetadataError(.limit, "there are more than \(Self.maximumRenumbered) pages to be renumbered")
            }
            let field = page.start + UInt64(OggPage.sequenceOffset)
            changes.append(Change(range: field..<(field + 8), bytes: page.renumbered(by: open[index].shift)))
            if page.flags.contains(.isLast) { open.remove(at: index) }
        }
        return changes
    }

    /// The page at a position or, if there is none, the next one after it.
    private func page(at position: UInt64) throws(MetadataError) -> OggPage? {
        if let page = OggPage(file, at: position) { return page }
        let bytes = file.read(at: position, count: Self.searchLimit)
        for offset in bytes.indices where bytes[offset] == OggPage.marker[0] {
            guard bytes[offset...].starts(with: OggPage.marker), let page = OggPage(file, at: position + UInt64(offset))
            else { continue }
            if page.isSound(file.read(at: page.start, count: page.byteCount)) { return page }
        }
        guard position + UInt64(bytes.count) == file.byteCount else {
            throw MetadataError(.damaged, "there is no page within a MiB from byte \(position) on")
        }
        return nil
    }
}
