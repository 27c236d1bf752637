package import MediaCore

extension CutList {
    /// A part of the film on its timeline.
    package struct Segment: Sendable, Equatable {
        /// Where it begins: zero if the list leaves that open.
        package var start: CMTime
        /// Where it ends, later than the start; `nil` is the end of the film.
        package var end: CMTime?
        /// What the list calls it, untrusted.
        package var name: String?
        /// Where in the file it stands, counted from 1.
        package var line: Int

        /// More segments than this are not read: nobody marks so many by hand.
        static let maximumCount = 10_000

        package init(start: CMTime, end: CMTime?, name: String?, line: Int) {
            (self.start, self.end, self.name, self.line) = (start, end, name, line)
        }
    }
}

extension [CutList.Segment] {
    /// Adds a segment, if it is one.
    mutating func add(
        from start: CMTime, to end: CMTime?, name: Substring = "", line: Int
    ) throws(CutListError) {
        guard count < CutList.Segment.maximumCount else {
            throw CutListError(line: line, "there are more than \(CutList.Segment.maximumCount) segments")
        }
        if let end, end <= start {
            throw CutListError(
                line: line,
                "the end at \(end.secondsText()) s is not after the start at \(start.secondsText()) s")
        }
        let name = name.withoutSpaces
        append(CutList.Segment(start: start, end: end, name: name.isEmpty ? nil : String(name), line: line))
    }
}
