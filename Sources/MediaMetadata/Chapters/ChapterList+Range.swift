package import MediaCore

extension ChapterList {
    /// The chapters within a range, clipped at its ends and counted from its start.
    ///
    /// - Parameter range: On the timeline of the chapters.
    /// - Returns: `nil` if no chapter lies within it.
    package func clipped(to range: CMTimeRange) -> ChapterList? {
        var list = self
        list.chapters = chapters.compactMap { $0.clipped(to: range) }
        return list.chapters.isEmpty ? nil : list
    }

    /// The chapters at other times.
    package func mapped(_ time: (CMTime) -> CMTime) -> ChapterList {
        var list = self
        list.chapters = chapters.map { $0.mapped(time) }
        return list
    }

    /// The chapters that begin at a time or later, those within others too.
    package func chapters(from end: CMTime) -> [Chapter] {
        chapters.flatMap { $0.withChildren }.filter { $0.start >= end }
    }
}

extension Chapter {
    /// The chapter and those within it.
    package var withChildren: [Chapter] { [self] + children.flatMap(\.withChildren) }

    fileprivate func mapped(_ time: (CMTime) -> CMTime) -> Chapter {
        var chapter = self
        chapter.start = time(start)
        if end.isNumeric { chapter.end = time(end) }
        chapter.children = children.map { $0.mapped(time) }
        return chapter
    }

    fileprivate func clipped(to range: CMTimeRange) -> Chapter? {
        guard start < range.end else { return nil }
        var chapter = self
        if end.isNumeric {
            // One without a length is a mark, which stays if it lies within.
            guard end > range.start || (end == start && start == range.start) else { return nil }
            chapter.end = CMTimeMinimum(end, range.end) - range.start
        } else if start < range.start {
            return nil
        }
        chapter.start = CMTimeMaximum(start, range.start) - range.start
        chapter.children = children.compactMap { $0.clipped(to: range) }
        return chapter
    }
}
