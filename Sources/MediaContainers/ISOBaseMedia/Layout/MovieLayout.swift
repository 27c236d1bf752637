internal import MediaIO

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
