package import Foundation
package import MediaCore

/// The chapters of an asset on its own timeline, as groups for callers.
package struct ChapterMetadata: Sendable {
    /// All lists of the file, each chapter with an end, times counted from the asset's zero.
    package let lists: [ChapterList]

    /// Puts a file's lists on the asset's timeline.
    ///
    /// - Parameters:
    ///   - origin: The container's time of the asset's zero.
    ///   - duration: Where a chapter without an end stops at the latest.
    package init(lists: [ChapterList], origin: CMTime, duration: CMTime) {
        self.lists = lists.map { list in
            var list = list
            // These count from the first sample, whatever time the container gives that.
            let countsFromStart = [.id3, .vorbisComment, .cueSheet].contains(list.form)
            list.chapters = Self.placed(list.chapters, origin: countsFromStart ? .zero : origin, end: duration)
            return list
        }
    }

    private static func placed(_ chapters: [Chapter], origin: CMTime, end: CMTime) -> [Chapter] {
        chapters.enumerated().map { index, chapter in
            var chapter = chapter
            let later = chapters[(index + 1)...].first { $0.start > chapter.start }
            let ownEnd = chapter.end.isNumeric ? chapter.end - origin : later.map { $0.start - origin } ?? end
            chapter.start = CMTimeMaximum(.zero, chapter.start - origin)
            // A chapter that ends before it starts has a start only.
            chapter.end = ownEnd.isNumeric ? CMTimeMaximum(chapter.start, ownEnd) : chapter.start
            chapter.children = placed(chapter.children, origin: origin, end: chapter.end)
            return chapter
        }
    }

    /// The lists that players should use: those of the form that holds most,
    /// and of editions the default one.
    package var preferredLists: [ChapterList] {
        let forms: [ChapterList.Form] = [.quickTimeTrack, .matroska, .id3, .vorbisComment, .cueSheet, .nero, .other]
        for form in forms {
            let candidates = lists.filter { $0.form == form && !$0.isHidden }
            guard !candidates.isEmpty else { continue }
            if form == .matroska { return [candidates.first { $0.isDefault } ?? candidates[0]] }
            return candidates
        }
        return []
    }

    /// The languages of titles, each once, in file order.
    package var locales: [Locale] {
        var tags: [String] = []
        for list in preferredLists {
            for tag in list.languages where !tags.contains(tag) { tags.append(tag) }
        }
        return tags.map { Locale(identifier: $0) }
    }

    /// The chapters with titles in one language.
    package func groups(locale: Locale, withArtwork: Bool) -> [AVTimedMetadataGroup] {
        let wanted = locale.identifier.replacingOccurrences(of: "_", with: "-").lowercased()
        guard let list = preferredLists.first(where: { $0.languages.contains { $0.lowercased() == wanted } }) else {
            return []
        }
        return list.visibleChapters.compactMap { chapter in
            let titles = chapter.titles
            let title = titles.first { ($0.languageTag ?? list.languageTag ?? "und").lowercased() == wanted }
            guard let title else { return nil }
            return chapter.group(title, language: title.languageTag ?? list.languageTag, withArtwork: withArtwork)
        }
    }

    /// The chapters with titles in the first of several languages that there is.
    package func groups(languages: [String]) -> [AVTimedMetadataGroup] {
        let available = preferredLists.flatMap(\.languages).filter { $0 != "und" }
        for language in languages {
            let wanted = language.replacingOccurrences(of: "_", with: "-").lowercased()
            let primary = wanted.split(separator: "-").first.map(String.init) ?? wanted
            let match =
                available.first { $0.lowercased() == wanted }
                ?? available.first { $0.lowercased().split(separator: "-").first.map(String.init) == primary }
            if let match { return groups(locale: Locale(identifier: match), withArtwork: true) }
        }
        return []
    }
}

extension ChapterList {
    /// The languages of its titles, each once; `und` for none.
    package var languages: [String] {
        let tags = visibleChapters.flatMap { $0.titles.map { $0.languageTag ?? languageTag ?? "und" } }
        return tags.reduce(into: []) { result, tag in if !result.contains(tag) { result.append(tag) } }
    }

    /// The chapters that players show, those within a chapter after it.
    package var visibleChapters: [Chapter] { chapters.flatMap(\.visible) }
}

extension Chapter {
    fileprivate var visible: [Chapter] { isHidden || !isEnabled ? [] : [self] + children.flatMap(\.visible) }

    fileprivate func group(_ title: Title, language: String?, withArtwork: Bool) -> AVTimedMetadataGroup {
        let range = CMTimeRange(start: start, end: end)
        var entries = [
            MetadataEntry(
                .common, .text("title"), .text(title.text), dataType: MetadataDataType.utf8, languageTag: language,
                time: range.start, duration: range.duration)
        ]
        if withArtwork, let artwork {
            entries.append(
                MetadataEntry(
                    .common, .text("artwork"), .data(artwork), dataType: MetadataDataType.ofPicture(artwork),
                    time: range.start, duration: range.duration))
        }
        return AVTimedMetadataGroup(items: entries.map { AVMetadataItem($0) }, timeRange: range)
    }
}
