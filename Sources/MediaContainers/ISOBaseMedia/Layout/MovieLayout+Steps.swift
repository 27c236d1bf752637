internal import MediaIO

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
