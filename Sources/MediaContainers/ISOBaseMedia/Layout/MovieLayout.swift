package import MediaIO

/// Where a new `moov` box and new boxes go in a file, and how to get there.
///
/// The region of the old box and of the free space after it is used if the new
/// one fits. At the end of the file it may grow. Otherwise all that follows
/// moves, by a multiple of a page so that file systems can share the bytes.
struct MovieLayout {
    typealias Segment = FileRewrite.Segment
    typealias Change = MovieRewriter.Change
    typealias Step = FileRewrite.Step

    /// Where things will be.
    struct Arrangement {
        /// Bytes of the new `moov` box.
        let movieLength: UInt64
        /// Bytes that it and free space take in the region's place.
        let regionLength: UInt64
        /// Where in the old file new boxes are put in.
        let additionsPlace: UInt64
        /// Where in the new file they begin.
        let additionsStart: UInt64
        let map: OffsetMap
        /// The free space that the new box goes into instead of the region.
        var hole: Box?
    }

    /// Free space beyond this is left alone.
    private static let maximumPadding: UInt64 = 32 << 20

    let movieFile: MovieFile
    let movie: Box
    let additions: [UInt8]
    /// The old box and the free space after it.
    let region: Range<UInt64>
    /// Where the file ends but for what a broken rewrite left there.
    let end: UInt64
    let boxes: [Box]
    /// Where the movie was before a broken rewrite.
    let hole: Box?

    init(_ movieFile: MovieFile, _ movie: Box, additions: [UInt8]) {
        self.movieFile = movieFile
        self.movie = movie
        self.additions = additions
        let leftovers = RewriteLeftovers(movieFile, movie)
        boxes = leftovers.boxes
        end = leftovers.end
        hole = leftovers.hole
        var regionEnd = movie.range.upperBound
        for box in boxes where box.start == regionEnd {
            guard box.range.upperBound - movie.range.upperBound <= Self.maximumPadding,
                box.padding(movieFile.reader) != nil, movieFile.hasExplicitSize(box)
            else { break }
            regionEnd = box.range.upperBound
        }
        region = movie.start..<regionEnd
    }

    /// Whether nothing but the region's free space follows the movie.
    var isLast: Bool { region.upperBound == end }

    /// Whether the boxes reach to the end; a box that is cut short is none of them.
    var isWhole: Bool { boxes.last?.range.upperBound == end }

    // MARK: Arrangement

    func arrangement(movieLength: UInt64) -> Arrangement {
        let old = region.length
        if let hole, additions.isEmpty, hole.holds(movieLength) {
            return Arrangement(
                movieLength: movieLength, regionLength: isLast ? 0 : old, additionsPlace: end, additionsStart: end,
                map: OffsetMap(), hole: hole)
        }
        let place = additionsPlace
        let isBefore = place <= region.lowerBound
        var regionLength = movieLength
        if movieLength == old || movieLength + 8 <= old {
            regionLength = old
        } else if !isLast {
            regionLength = movieLength + padding(movieLength: movieLength, region: old)
        }
        var map = OffsetMap()
        if isBefore { map.append(Int64(additions.count), from: place) }
        map.append(Int64(regionLength) - Int64(old), from: region.upperBound)
        if !isBefore { map.append(Int64(additions.count), from: place) }
        // What comes before the place moves with the region, the new boxes too.
        let regionShift = isBefore ? 0 : Int64(regionLength) - Int64(old)
        return Arrangement(
            movieLength: movieLength, regionLength: regionLength, additionsPlace: place,
            additionsStart: UInt64(Int64(place) + regionShift), map: simplified(map))
    }

    /// A map that says nothing of shifts which no box feels.
    private func simplified(_ map: OffsetMap) -> OffsetMap {
        let starts = boxes.map(\.start) + (isWhole ? [] : [boxes.last?.range.upperBound ?? 0])
        return starts.allSatisfy { map.shift(at: $0) == 0 } ? OffsetMap() : map
    }

    /// Free space after the movie, at least a page, with which the rest moves by whole pages.
    private func padding(movieLength: UInt64, region: UInt64) -> UInt64 {
        let remainder = (movieLength + FileRewrite.pageSize - region % FileRewrite.pageSize) % FileRewrite.pageSize
        return FileRewrite.pageSize + (remainder == 0 ? 0 : FileRewrite.pageSize - remainder)
    }

    /// Where new boxes go: at the end, but before what must be last there.
    private var additionsPlace: UInt64 {
        guard let last = boxes.last else { return end }
        if additions.isEmpty { return last.range.upperBound }
        if isLast { return region.lowerBound }
        if last.type == "mfra" || !movieFile.hasExplicitSize(last) { return last.start }
        return last.range.upperBound
    }

    /// What the arrangement means for the file.
    func changes(_ arrangement: Arrangement, movie segments: [Segment]) -> [Change] {
        let (used, old) = (arrangement.movieLength, region.length)
        if let hole = arrangement.hole {
            return [
                Change(range: hole.range, segments: segments + Self.free(hole.length - used)),
                Change(range: region, segments: isLast ? [] : Self.free(old)),
            ]
        }
        var segments = segments
        if used == movie.range.length, arrangement.regionLength == old {
            segments.append(.source(movie.range.upperBound..<region.upperBound))
        } else if arrangement.regionLength > used {
            segments += Self.free(arrangement.regionLength - used)
        }
        var changes = [Change(range: region, segments: segments.filter { $0.byteCount > 0 })]
        if !additions.isEmpty {
            let place = arrangement.additionsPlace
            changes.append(Change(range: place..<place, segments: [.bytes(additions)]))
        }
        return changes
    }

    /// Free space of a size, nothing for none.
    static func free(_ size: UInt64) -> [Segment] {
        guard size >= 8 else { return [] }
        return [.bytes(.boxHeader("free", contentLength: size - 8) + [UInt8](repeating: 0, count: Int(size) - 8))]
    }
}

extension Box {
    /// Whether it has room for a box of a size and free space after it.
    fileprivate func holds(_ size: UInt64) -> Bool { size == length || length >= 8 && size <= length - 8 }
}

extension MovieLayout {
    /// How to change the file itself so that every moment leaves a valid file
    /// with the old or the new metadata, `nil` if there is no such way.
    ///
    /// Readers take the first `moov` box. A copy of the new one is put at the end
    /// of the file, first as free space. It becomes `moov`, which nobody sees
    /// yet; the old one becomes free space, and the copy counts. Now the new one
    /// is written in the old one's place, becomes `moov`, and the copy goes.
    /// Media stay where they are, so one box is as good as the other.
    func steps(_ arrangement: Arrangement, movie segments: [Segment]) -> [Step]? {
        let length = arrangement.movieLength
        guard isWhole, length <= MovieRewriter.maximumMovie, let last = boxes.last, last.type != "mfra",
            movieFile.hasExplicitSize(last), additions.isEmpty || !isLast, case .bytes(let first) = segments.first,
            first.count >= 8
        else { return nil }
        let content = Array(bytes(of: segments).dropFirst(8))
        if let hole = arrangement.hole { return steps(into: hole, content) }
        let start = region.lowerBound
        let grows = arrangement.regionLength != region.length
        let additionsEnd = end + UInt64(additions.count)
        let copy = copyPlace(from: additionsEnd, after: grows ? start + length : nil)
        var span = grows ? copy - start : region.upperBound - start
        if !grows, movie.range.upperBound == start + length { span = length }
        guard UInt64(content.count) == length - 8, span <= UInt64(UInt32.max), FileRewrite.fitsOnePage(8, at: start)
        else {
            return nil
        }

        var steps: [Step] = end < movieFile.file.byteCount ? [.truncate(to: end)] : []
        if !additions.isEmpty { steps.append(.prepare(additions, at: end)) }
        if copy > additionsEnd { steps.append(.prepare(header("free", copy - additionsEnd), at: additionsEnd)) }
        steps += [
            .prepare(header("free", length), at: copy), .prepare(content, at: copy + 8),
            .commit(("moov" as FourCC).bytes, at: copy + 4),
            // One piece of free space from the old box's beginning to the next box that stays.
            .commit(header("free", span), at: start), .prepare(content, at: start + 8),
        ]
        if span > length {
            let zeros = [UInt8](repeating: 0, count: grows ? 0 : Int(span - length) - 8)
            steps.append(.prepare(header("free", span - length) + zeros, at: start + length))
        }
        steps += [
            .commit(header("moov", length), at: start), .truncate(to: grows ? start + length : additionsEnd),
        ]
        return steps
    }

    /// How to put the new box into free space before the old one, which goes then.
    private func steps(into hole: Box, _ content: [UInt8]) -> [Step]? {
        let length = UInt64(content.count) + 8
        // The old header must not be a large one, and the new one lies within a page.
        guard hole.content.lowerBound == hole.start + 8, FileRewrite.fitsOnePage(8, at: hole.start) else { return nil }
        var steps: [Step] = end < movieFile.file.byteCount ? [.truncate(to: end)] : []
        steps.append(.prepare(content, at: hole.start + 8))
        for case .bytes(let free) in Self.free(hole.length - length) {
            steps.append(.prepare(free, at: hole.start + length))
        }
        steps.append(.commit(header("moov", length), at: hole.start))
        if isLast { return steps + [.truncate(to: region.lowerBound)] }
        let zeros = [UInt8](repeating: 0, count: Int(region.length) - 8)
        return steps + [
            .commit(header("free", UInt64(zeros.count) + 8), at: region.lowerBound),
            .prepare(zeros, at: region.lowerBound + 8),
        ]
    }

    private func header(_ type: FourCC, _ size: UInt64) -> [UInt8] { .boxHeader(type, contentLength: size - 8) }

    /// Where a copy at the end can begin so that gaps before it can be free
    /// space and its type lies within one page.
    ///
    /// - Parameter minimum: Where the new box will end, if it grows towards the copy.
    private func copyPlace(from end: UInt64, after minimum: UInt64?) -> UInt64 {
        var place = max(end, minimum ?? end)
        func isGap(_ size: UInt64) -> Bool { size == 0 || size >= 8 }
        while !isGap(place - end) || !isGap(place - (minimum ?? place)) || !FileRewrite.fitsOnePage(4, at: place + 4) {
            place += 1
        }
        return place
    }

    private func bytes(of segments: [Segment]) -> [UInt8] {
        var bytes: [UInt8] = []
        for segment in segments {
            switch segment {
            case .bytes(let part): bytes += part
            case .source(let range):
                bytes += movieFile.file.read(at: range.lowerBound, count: Int(range.length))
            }
        }
        return bytes
    }
}

/// A movie file and the boxes of its top level.
package struct MovieFile: Sendable {
    /// More boxes than this on one level are not read: a fragment a second for a day and a half.
    private static let maximumBoxes = 1 << 18

    /// The file.
    package let file: RandomAccessFile
    /// The boxes of the file's top level.
    package let boxes: [Box]
    /// The first `moov` box, which is the one that readers take.
    package let movie: Box?
    /// The file's own name for its kind, `nil` if it has none: QuickTime movies of old.
    package let majorBrand: FourCC?

    /// Reads the boxes' headers.
    package init(_ file: RandomAccessFile) {
        let reader = BoxReader(file: file)
        var boxes: [Box] = []
        while boxes.count < Self.maximumBoxes {
            let more = reader.boxes(in: (boxes.last?.range.upperBound ?? 0)..<file.byteCount)
            if more.isEmpty { break }
            boxes += more
        }
        self.file = file
        self.boxes = boxes
        movie = boxes.first { $0.type == "moov" }
        majorBrand = boxes.first { $0.type == "ftyp" }
            .map { reader.bytes(of: $0, limit: 4).fourCC(at: 0) ?? .none }
    }

    /// Whether it holds content credentials, which sign its bytes.
    package var hasCredentials: Bool { boxes.contains { PlacedData.isCredentials($0, reader) } }

    /// What a loss calls content credentials.
    package static let credentials = PlacedData.credentials

    /// A reader of the boxes within.
    package var reader: BoxReader { BoxReader(file: file) }

    /// Whether the file calls itself a QuickTime movie, or nothing at all.
    package var isQuickTime: Bool { majorBrand == nil || majorBrand == "qt  " }

    /// Whether the boxes make up the whole file.
    var isWhole: Bool { boxes.last?.range.upperBound == file.byteCount }

    /// Whether a box states its size, instead of reaching to the end of the file.
    func hasExplicitSize(_ box: Box) -> Bool { reader.hasExplicitSize(box) }
}

/// Puts a movie's `moov` box before its media, so that players can begin
/// before they have the whole file.
package enum MovieFront {
    /// Free space that is left after the box if it has to be made anyway.
    private static let padding: UInt64 = 4096

    /// A new version of a movie, whose media come later by the room for the box.
    ///
    /// The room is `room` if the box fits into it, with free space for the
    /// rest. Else it is larger by a multiple of a page, so that file systems
    /// which can share blocks need not copy the media.
    ///
    /// - Parameter room: What lies between the file's type and the media already, if it is to be used.
    /// - Throws: `MovieError` if there is no movie, if it is in fragments or if
    ///   it has more tables than can be changed.
    package static func rewrite(_ file: RandomAccessFile, room: UInt64 = 0) throws(MovieError) -> FileRewrite {
        let movieFile = MovieFile(file)
        guard let movie = movieFile.movie else { throw MovieError(.unsupported, "there is no moov box") }
        guard movieFile.isWhole, !movieFile.boxes.contains(where: { $0.type == "moof" }) else {
            throw MovieError(.unsupported, "the movie is in fragments, or cut off")
        }
        let head = movieFile.boxes.first { $0.type == "ftyp" && $0.start == 0 }?.range.upperBound ?? 0
        guard movie.start > head else { return FileRewrite(segments: [.source(0..<file.byteCount)]) }
        let offsets = ChunkOffsets(movie, in: movieFile)
        var length = movie.length
        // Each round can only find more offsets that need 64 bits.
        for _ in 0..<16 {
            let region = regionLength(movie: length, room: room)
            var map = OffsetMap()
            map.append(Int64(region), from: head)
            map.append(-Int64(movie.length), from: movie.range.upperBound)
            var edits = BoxEdits()
            try offsets.adjust(&edits, by: map)
            let segments = edits.result(for: movie, reader: movieFile.reader)
            guard segments.byteCount == length else {
                length = segments.byteCount
                continue
            }
            return FileRewrite(
                segments: [.source(0..<head)] + segments + MovieLayout.free(region - length) + [
                    .source(head..<movie.start), .source(movie.range.upperBound..<file.byteCount),
                ])
        }
        throw MovieError(.unsupported, "no arrangement of the file was found")
    }

    /// The bytes between the file's type and the media.
    private static func regionLength(movie length: UInt64, room: UInt64) -> UInt64 {
        if length == room || length + 8 <= room { return room }
        let pages = (length - min(length, room) + padding) / FileRewrite.pageSize + 1
        return room + pages * FileRewrite.pageSize
    }
}
