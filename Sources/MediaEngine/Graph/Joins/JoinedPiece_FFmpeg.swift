internal import FFmpegKit
package import MediaAsset
package import MediaCore
package import MediaMetadata

/// One of the films that a job puts one after the other, their coded samples staying as they are.
package struct JoinedPiece: Sendable {
    /// `nil` for nothing meanwhile.
    package var source: AssetSource?
    /// On the timeline of the film's container; `nil` for all of it.
    package var range: CMTimeRange?
    /// The stream that goes on in each of the job's tracks; `nil` where the film has nothing of it.
    package var streams: [Int?]
    /// On the composition's timeline, from the new file's beginning on.
    package var target: CMTimeRange

    package init(source: AssetSource? = nil, range: CMTimeRange? = nil, streams: [Int?], target: CMTimeRange) {
        (self.source, self.range, self.streams, self.target) = (source, range, streams, target)
    }

    /// Whether it does not begin with its film's beginning.
    package var beginsAmid: Bool {
        guard let range, let source else { return false }
        return (try? source.describe().origin).map { range.start > $0 } ?? true
    }
}

extension PipelineJob {
    /// The job for one piece alone.
    package func of(_ piece: JoinedPiece) -> PipelineJob {
        var job = self
        job.range = piece.range
        for (index, stream) in piece.streams.enumerated() where stream != nil { job.tracks[index].stream = stream ?? 0 }
        return job
    }

    /// Whether an edit list of the new file hides what comes before the start and after the end.
    package var hidesByEditList: Bool { format.container.isMovie && pieces.isEmpty }
}

/// Where the pieces of a join have come to lie, as pictures that stay as they are begin with sync samples.
package struct JoinedPlace: Sendable, Equatable {
    /// When the piece was to begin, on the composition's timeline.
    package var wanted: CMTime
    /// When what was to be shown then is shown in the new file.
    package var actual: CMTime
    /// How much of the film comes before it, which was not asked for.
    package var lead: CMTime
}

extension [JoinedPlace] {
    /// When something of the composition is shown in the new file.
    package func actualTime(of time: CMTime) -> CMTime {
        guard let place = last(where: { $0.wanted <= time }) ?? first else { return time }
        return place.actual + (time - place.wanted)
    }
}

extension ChapterList {
    /// The list where its pieces have come to lie.
    package func moved(by places: [JoinedPlace]) -> ChapterList {
        guard !places.isEmpty else { return self }
        var list = self
        list.chapters = list.chapters.map { $0.moved(by: places) }
        return list
    }
}

extension Chapter {
    fileprivate func moved(by places: [JoinedPlace]) -> Chapter {
        var chapter = self
        chapter.start = places.actualTime(of: start)
        if end.isNumeric { chapter.end = max(chapter.start, places.actualTime(of: end)) }
        chapter.children = children.map { $0.moved(by: places) }
        return chapter
    }
}
