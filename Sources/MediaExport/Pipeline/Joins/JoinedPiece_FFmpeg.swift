internal import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaMetadata

/// One of the films that a job puts one after the other, their coded samples staying as they are.
package struct JoinedPiece: Sendable {
    /// `nil` for nothing meanwhile.
    var source: AssetSource?
    /// On the timeline of the film's container; `nil` for all of it.
    var range: CMTimeRange?
    /// The stream that goes on in each of the job's tracks; `nil` where the film has nothing of it.
    var streams: [Int?]
    /// On the composition's timeline, from the new file's beginning on.
    var target: CMTimeRange

    /// Whether it does not begin with its film's beginning.
    var beginsAmid: Bool {
        guard let range, let source else { return false }
        return (try? source.describe().origin).map { range.start > $0 } ?? true
    }
}

extension PipelineJob {
    /// The job for one piece alone.
    func of(_ piece: JoinedPiece) -> PipelineJob {
        var job = self
        job.range = piece.range
        for (index, stream) in piece.streams.enumerated() where stream != nil { job.tracks[index].stream = stream ?? 0 }
        return job
    }

    /// Whether an edit list of the new file hides what comes before the start and after the end.
    var hidesByEditList: Bool { format.container.isMovie && pieces.isEmpty }
}

/// Where the pieces of a join have come to lie, as pictures that stay as they are begin with sync samples.
package struct JoinedPlace: Sendable, Equatable {
    /// When the piece was to begin, on the composition's timeline.
    var wanted: CMTime
    /// When what was to be shown then is shown in the new file.
    var actual: CMTime
    /// How much of the film comes before it, which was not asked for.
    var lead: CMTime
}

extension [JoinedPlace] {
    /// When something of the composition is shown in the new file.
    func actualTime(of time: CMTime) -> CMTime {
        guard let place = last(where: { $0.wanted <= time }) ?? first else { return time }
        return place.actual + (time - place.wanted)
    }
}

extension MediaInventory {
    /// What a composition is where its pieces have come to lie.
    mutating func move(by places: [JoinedPlace]) {
        chapterLists = chapterLists.map { $0.moved(by: places) }
        let longer = places.reduce(CMTime.zero) { $0 + $1.lead }
        guard longer > .zero else { return }
        for index in tracks.indices {
            let range = tracks[index].description.timeRange
            tracks[index].description.timeRange.duration = range.duration + longer
        }
        asset.duration = asset.duration + longer
    }
}

extension ChapterList {
    /// The list where its pieces have come to lie.
    func moved(by places: [JoinedPlace]) -> ChapterList {
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
