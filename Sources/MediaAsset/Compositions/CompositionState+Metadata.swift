internal import MediaCore
internal import MediaMetadata

extension CompositionState {
    /// The metadata of the file that the composition is to have them of, chapters and what tracks are called following
    /// the edit; none without such a file.
    func metadata() throws -> FileMetadata {
        let content = content
        guard let source = content.metadataSource else { return FileMetadata(container: .other) }
        var metadata = try source.metadata()
        (metadata.attachments, metadata.newAttachments, metadata.links) = ([], [], [])
        metadata.labels = try content.tracks.compactMap { track in
            guard let media = track.firstMedia,
                var label = try media.source.metadata().labels.first(where: { $0.trackID == Int64(media.trackID) })
            else { return nil }
            label.trackID = Int64(track.trackID)
            return label
        }
        metadata.tracks = try content.tracks.compactMap { track in
            guard let media = track.firstMedia,
                var known = try media.source.metadata().tracks.first(where: { $0.trackID == Int64(media.trackID) })
            else { return nil }
            known.trackID = Int64(track.trackID)
            return known
        }
        metadata.chapterLists = try chapterLists(content)
        return metadata
    }

    /// The chapters of all files at the times at which their pictures, or else their sound, are shown.
    private func chapterLists(_ content: CompositionContent) throws -> [ChapterList] {
        let leading = content.tracks.first { $0.mediaType == .video && $0.firstMedia != nil } ?? content.tracks.first
        var lists: [ChapterList] = []
        for segment in leading?.timeline.segments ?? [] {
            guard let media = segment.media else { continue }
            for (index, list) in try media.source.chapterMetadata().preferredLists.enumerated() {
                let part = list.clipped(to: segment.source)?.mapped {
                    segment.targetTime(ofSource: segment.source.start + $0)
                }
                guard let part else { continue }
                if index < lists.count { lists[index].append(part.chapters) } else { lists.append(part) }
            }
        }
        return lists
    }
}

extension ChapterList {
    /// Adds chapters; the first one goes on with the last one where a piece was cut out of the middle of it.
    fileprivate mutating func append(_ more: [Chapter]) {
        var more = more[...]
        if let last = chapters.last, let first = more.first, last.end == first.start, last.titles == first.titles,
            last.identifier == first.identifier
        {
            chapters[chapters.count - 1].end = first.end
            chapters[chapters.count - 1].children += first.children
            more = more.dropFirst()
        }
        chapters += more
    }
}
