internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataFile {
    /// Replaces the chapters by lists whose times count from the asset's zero.
    ///
    /// Chapters are put in the order of their times, but for lists that are played in an order of their own.
    ///
    /// - Parameter leavesOutOthers: Whether chapters that begin outside of the film are left out instead of refused.
    /// - Throws: A failure if a chapter begins outside of the film; nothing is changed then.
    mutating func setChapters(_ lists: [ChapterList], of film: AVURLAsset, leavingOutOthers leavesOutOthers: Bool)
        async throws
    {
        let description = try await film.loadDescription()
        var kept: [ChapterList] = []
        for list in lists {
            var list = list
            if !list.isOrdered { list.chapters.sort { $0.start < $1.start } }
            let outside = list.chapters.filter { !$0.begins(within: description) }
            if let first = outside.first {
                guard leavesOutOthers else { throw first.failure(outside.count, description) }
                list.chapters.removeAll { !$0.begins(within: description) }
                losses += outside.map {
                    MetadataLoss.chapters("chapter at \($0.start.secondsText()) s", reason: "it is outside of the film")
                }
                guard !list.chapters.isEmpty else { continue }
            }
            kept.append(list)
        }
        guard !kept.isEmpty || lists.allSatisfy(\.chapters.isEmpty) else {
            throw Failure(.chaptersOutside, "all chapters are outside of the film, and the old ones stay")
        }
        if metadata.container.chapterForms == [.id3] {
            // Readers of ID3 take an end that is not said for 49 days.
            kept = ChapterMetadata(lists: kept, origin: .zero, duration: description.duration).lists
        }
        let (forms, missing) = kept.forms(for: metadata.container, origin: description.origin)
        metadata.chapterLists = forms
        losses += missing
    }
}

extension Chapter {
    /// Whether it begins while the film lasts.
    fileprivate func begins(within film: AssetDescription) -> Bool {
        guard start.isNumeric, start >= .zero else { return false }
        return !film.duration.isNumeric || film.durationIsEstimate || start < film.duration
    }

    fileprivate func failure(_ count: Int, _ film: AssetDescription) -> Failure {
        let what = count == 1 ? "a chapter begins" : "\(count) chapters begin"
        let length = film.duration.isNumeric ? ", the film lasts \(film.duration.durationText()) s" : ""
        return Failure(
            .chaptersOutside,
            "\(what) outside of the film: at \(start.secondsText()) s\(length); --leave-out-others sets the rest")
    }
}
