package import MediaAsset
internal import MediaCore
package import MediaEngine
internal import MediaMetadata

extension ExportAudit {
    /// Items of the source, and of its tracks, that the finished file says nowhere.
    func metadataFindings(_ pairs: TrackPairs) -> [ExportLoss] {
        let isSame = plan.fileType.metadataContainer == source.metadata.container
        let expected = metadata.expected(of: source.metadata.entries, staysSame: isSame)
        let all = output.metadata.entries + output.metadata.tracks.flatMap(\.entries)
        var found = MetadataComparison.missing(expected, in: all).map { Self.loss($0, "") }
        guard metadata.replacement == nil else { return found }
        for pair in pairs.pairs {
            let (old, new) = (pair.source.description, pair.output.description)
            // What headers say of a track is compared with the track.
            let label = TrackLabel(
                trackID: Int64(old.trackID), languageTag: old.extendedLanguageTag ?? old.language, name: old.title)
            let expected = metadata.expected(of: source.entries(ofTrack: old.trackID), staysSame: isSame)
                .filter { !$0.isOfLabel(label) }
            let names = [new.title, new.language, new.extendedLanguageTag].compactMap { $0 }
            found += MetadataComparison.missing(expected, in: output.entries(ofTrack: new.trackID) + all, saying: names)
                .map { Self.loss($0, " of track \(old.trackID)") }
        }
        return found
    }

    private static func loss(_ entry: MetadataEntry, _ place: String) -> ExportLoss {
        ExportLoss(.metadata, entry.identifier.rawValue + place, reason: reason)
    }

    /// Chapters of the source whose titles the finished file has not at their times.
    func chapterFindings() -> [ExportLoss] {
        guard keepsChapters else { return [] }
        let made = output.chapterLists.flatMap(\.everyChapter)
        var missing: [String] = []
        for chapter in source.chapterLists.filter({ !$0.isHidden }).flatMap(\.everyChapter) {
            // What begins after the end was not cut off by a range that reaches there.
            let isBefore = chapter.start < range.end || range.end >= source.asset.duration
            guard isBefore, chapter.end > range.start || chapter.start >= range.start else { continue }
            let start = CMTimeMaximum(chapter.start - range.start, .zero)
            // The file may begin later than its zero, where the first of the source's tracks was left out.
            let near = made.filter { chapter in
                [.zero, output.asset.origin].contains {
                    CMTimeAbsoluteValue(chapter.start + $0 - start) <= Self.chapterTolerance
                }
            }
            let lost = chapter.titles.filter { title in !near.contains { $0.says(title.text) } }
            if near.isEmpty { missing.append(chapter.title) } else { missing += lost.map(\.text) }
        }
        var seen: Set<String> = []
        let names = missing.filter { seen.insert($0).inserted }
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        return [
            ExportLoss(
                .chapters, "chapters: \(names.count) (\(shown)\(names.count > 3 ? ", …" : ""))", reason: Self.reason)
        ]
    }

    /// Containers count chapters in milliseconds at the coarsest.
    private static let chapterTolerance = CMTime(value: 2, timescale: 1000)
}

extension ChapterList {
    fileprivate var everyChapter: [Chapter] { chapters.flatMap(\.withChildren) }
}

extension Chapter {
    /// Titles are cut where a container has room for so many bytes only.
    fileprivate func says(_ text: String) -> Bool {
        titles.contains { $0.text == text || (!$0.text.isEmpty && text.hasPrefix($0.text)) }
    }
}
