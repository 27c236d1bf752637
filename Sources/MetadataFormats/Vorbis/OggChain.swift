internal import MediaIO
internal import MediaMetadata

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
