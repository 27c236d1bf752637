internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// The pages that hold a stream's header packets after the first, and how others take their place.
///
/// Packets can be laid over pages in many ways, so that the number of pages
/// nearly always remains. What follows the packets on the last page stays there.
struct OggHeaderRun {
    /// Padding that is left for later edits where the old size does not fit.
    private static let freshPadding = 2048

    let oldPages: [OggPage]
    private let oldLengths: [Int]
    private let restSegments: ArraySlice<UInt8>
    private let restBody: ArraySlice<UInt8>

    /// The run of a stream whose headers are complete.
    init(_ stream: OggStream) throws(MetadataError) {
        guard stream.packets.count > 1, stream.packets[1].firstPage > 0,
            !stream.pages[stream.packets[1].firstPage].flags.contains(.isContinued)
        else { throw MetadataError(.unsupported, "the comments begin on the page of the first packet") }
        oldPages = Array(stream.pages[stream.packets[1].firstPage...])
        oldLengths = stream.packets.dropFirst().map(\.bytes.count)
        (restSegments, restBody) = (stream.restSegments, stream.restBody)
    }

    /// The size to which a packet of comments is best padded.
    ///
    /// That is the old size; else one with which the number of pages remains.
    func paddedSize(for size: Int, oldSize: Int, paddingLimit: Int) -> Int {
        if size <= oldSize, oldSize - size <= paddingLimit { return oldSize }
        let largest = (OggPage.maximumSegments * oldPages.count - restSegments.count) * 255 - 1
        let smallest = (oldPages.count - 1) * 255
        let wanted = size + Self.freshPadding
        if size > largest || smallest - size > paddingLimit { return wanted }
        return max(smallest, min(wanted, largest))
    }

    /// The pages for other packets.
    func pages(for packets: [[UInt8]]) -> [[UInt8]] {
        guard let first = oldPages.first, let last = oldPages.last else { return [] }
        let lengths = packets.map(\.count)
        let isSameLayout = lengths == oldLengths
        let segments = OggPage.segments(ofPackets: lengths)
        let counts =
            isSameLayout
            ? oldPages.dropLast().map(\.segments.count) + [last.segments.count - restSegments.count]
            : counts(for: segments.count)
        let body = packets.count == 1 ? packets[0] : Array(packets.joined())
        var pages: [[UInt8]] = []
        var (segmentIndex, bodyIndex) = (0, 0)
        for (index, count) in counts.enumerated() {
            let isEnd = index == counts.count - 1
            let own = segments[segmentIndex..<(segmentIndex + count)]
            let ownSize = own.reduce(0) { $0 + Int($1) }
            let isContinued = segmentIndex > 0 && segments[segmentIndex - 1] == 255
            var flags: OggPage.Flags = isContinued ? .isContinued : []
            if isEnd, last.flags.contains(.isLast) { flags.insert(.isLast) }
            // Headers take no time; the last page may have its own position.
            var position = own.contains { $0 < 255 } ? 0 : OggPage.noPosition
            if isSameLayout { position = oldPages[index].position }
            if isEnd, last.position != OggPage.noPosition { position = last.position }
            pages.append(
                OggPage.encoded(
                    flags: flags, position: position, serial: first.serial,
                    sequence: first.sequence &+ UInt32(truncatingIfNeeded: index),
                    segments: isEnd ? own + restSegments : own,
                    body: body[bodyIndex..<(bodyIndex + ownSize)] + (isEnd ? restBody : [])))
            segmentIndex += count
            bodyIndex += ownSize
        }
        return pages
    }

    /// How many of the packets' segments each page gets: as many pages as before
    /// if that is possible, evenly filled, and at least one on each.
    private func counts(for segmentCount: Int) -> [Int] {
        let rest = restSegments.count
        let capacity = OggPage.maximumSegments
        let fits = segmentCount >= oldPages.count && segmentCount + rest <= capacity * oldPages.count
        let pageCount = fits ? oldPages.count : (segmentCount + rest + capacity - 1) / capacity
        var counts: [Int] = []
        var remaining = segmentCount + rest
        for pagesLeft in stride(from: pageCount, to: 1, by: -1) {
            // What follows the packets must fit on the last page, after the packets' end.
            let most = remaining - (rest + 1) - (pagesLeft - 2)
            let count = min((remaining + pagesLeft - 1) / pagesLeft, most, capacity)
            counts.append(count)
            remaining -= count
        }
        return counts + [remaining - rest]
    }
}

/// The further links of a chained Ogg file: whole Ogg streams, one after the other.
///
/// Source: RFC 3533, section 4.
enum OggChain {
    /// Pages that are looked at in search of links: some GiB of sound.
    private static let maximumPages = 1 << 20
    /// More links are not read.
    private static let maximumLinks = 256
    /// A page has at most 65,307 bytes.
    private static let lastBytes = 1 << 17

    /// Where the links after the first begin.
    ///
    /// A file whose last page is of a stream of the first link has none: links have streams of their own.
    static func starts(in file: RandomAccessFile, after headers: OggHeaders) -> [UInt64] {
        let serials = Set(headers.streams.map(\.serial))
        guard let last = lastPage(of: file), !serials.contains(last.serial) else { return [] }
        var starts: [UInt64] = []
        var position = headers.end
        var isBeginning = false
        for _ in 0..<maximumPages {
            guard starts.count < maximumLinks, let page = OggPage(file, at: position) else { break }
            let isFirst = page.flags.contains(.isFirst)
            if isFirst, !isBeginning { starts.append(position) }
            isBeginning = isFirst
            position = page.end
        }
        return starts
    }

    private static func lastPage(of file: RandomAccessFile) -> OggPage? {
        let start = file.byteCount - min(file.byteCount, UInt64(lastBytes))
        let bytes = file.read(at: start, count: lastBytes)
        for offset in bytes.indices.reversed() where bytes[offset] == OggPage.marker[0] {
            guard bytes[offset...].starts(with: OggPage.marker), let page = OggPage(file, at: start + UInt64(offset))
            else { continue }
            if page.isSound(file.read(at: page.start, count: page.byteCount)) { return page }
        }
        return nil
    }

    /// The entries of each further link: those of all its streams.
    static func entries(in file: RandomAccessFile, after headers: OggHeaders) -> [[MetadataEntry]] {
        starts(in: file, after: headers).map { OggHeaders(file, at: $0).tags.flatMap(\.entries) }
    }
}
