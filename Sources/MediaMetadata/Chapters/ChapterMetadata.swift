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
            let countsFromStart = [.id3, .vorbisComment, .cueSheet, .cuePoints].contains(list.form)
            list.chapters = Self.placed(list.chapters, origin: countsFromStart ? .zero : origin, end: duration)
            return list
        }
    }

    private static func placed(_ chapters: [Chapter], origin: CMTime, end: CMTime) -> [Chapter] {
        let laterStarts = laterStarts(of: chapters)
        return chapters.enumerated().map { index, chapter in
            var chapter = chapter
            let ownEnd = chapter.end.isNumeric ? chapter.end - origin : laterStarts[index].map { $0 - origin } ?? end
            chapter.start = CMTimeMaximum(.zero, chapter.start - origin)
            // A chapter that ends before it starts has a start only.
            chapter.end = ownEnd.isNumeric ? CMTimeMaximum(chapter.start, ownEnd) : chapter.start
            chapter.children = placed(chapter.children, origin: origin, end: chapter.end)
            return chapter
        }
    }

    /// When the first of the chapters after each one begins that begins later.
    private static func laterStarts(of chapters: [Chapter]) -> [CMTime?] {
        var result = [CMTime?](repeating: nil, count: chapters.count)
        // Starts that may be the answer for chapters further in front, the nearest one last.
        var starts: [CMTime] = []
        for (index, chapter) in chapters.enumerated().reversed() {
            while let nearest = starts.last, nearest <= chapter.start { starts.removeLast() }
            result[index] = starts.last
            starts.append(chapter.start)
        }
        return result
    }

    /// The lists that players should use: those of the form that holds most,
    /// and of editions the default one.
    package var preferredLists: [ChapterList] {
        let forms: [ChapterList.Form] = [
            .quickTimeTrack, .matroska, .id3, .vorbisComment, .cueSheet, .cuePoints, .nero, .other,
        ]
        for form in forms {
            let candidates = lists.filter { $0.form == form && !$0.isHidden && !$0.chapters.isEmpty }
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

    /// A tag as `Locale` has it, which callers give back.
    private static func identifier(_ tag: String) -> String {
        Locale(identifier: tag).identifier.replacingOccurrences(of: "_", with: "-").lowercased()
    }

    /// The chapters with titles in one language.
    package func groups(locale: Locale, withArtwork: Bool) -> [AVTimedMetadataGroup] {
        func isWanted(_ tag: String) -> Bool { Self.identifier(tag) == Self.identifier(locale.identifier) }
        guard let list = preferredLists.first(where: { $0.languages.contains(where: isWanted) }) else { return [] }
        return list.visibleChapters.compactMap { chapter in
            let titles = chapter.titles
            let title = titles.first { isWanted($0.languageTag ?? list.languageTag ?? "und") }
            guard let title else { return nil }
            return chapter.group(title, language: title.languageTag ?? list.languageTag, withArtwork: withArtwork)
        }
    }

    /// The chapters with titles in the first of several languages that there is.
    package func groups(languages: [String]) -> [AVTimedMetadataGroup] {
        let available = preferredLists.flatMap(\.languages)
        func primary(_ tag: String) -> Substring? { Self.identifier(tag).split(separator: "-").first }
        for language in languages {
            let match =
                available.first { Self.identifier($0) == Self.identifier(language) }
                ?? available.first { primary($0) == primary(language) }
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

extension [ChapterList] {
    /// The lists in the forms that a container holds and its players read.
    ///
    /// QuickTime tracks are one for each language, with a Nero list of the first one beside them; Matroska gets the titles of all languages in one edition
    /// where the times agree; the others hold one list.
    ///
    /// - Parameter origin: The container's time of the asset's zero, which the
    ///   lists' times count from.
    /// - Returns: The lists, and what has no place.
    package func forms(for container: FileMetadata.Container, origin: CMTime) -> ([ChapterList], [MetadataLoss]) {
        let (lists, lost) = withoutSecondForms
        let (forms, losses) = lists.newForms(for: container, origin: origin)
        return (forms, lost + losses)
    }

    /// The lists without those of Nero's form that stand beside QuickTime's for players that do not read these, and what
    /// such a list says differently.
    private var withoutSecondForms: ([ChapterList], [MetadataLoss]) {
        guard let first = first(where: { $0.form == .quickTimeTrack && !$0.chapters.isEmpty }) else {
            return (self, [])
        }
        let others = filter { $0.form == .nero && !$0.chapters.isEmpty && !$0.says(first) }
        let losses = others.map { _ in
            MetadataLoss.chapters(reason: "the list of Nero's form says others than the track, which players show")
        }
        return (filter { $0.form != .nero }, losses)
    }

    private func newForms(for container: FileMetadata.Container, origin: CMTime) -> ([ChapterList], [MetadataLoss]) {
        switch container.chapterForms.first {
        case .quickTimeTrack:
            let tracks = flatMap(\.splitByLanguage).map { $0.with(.quickTimeTrack, origin: origin) }
            guard var nero = tracks.first else { return ([], []) }
            nero.form = .nero
            nero.languageTag = nil
            return (tracks + [nero], [])
        case .matroska: return (merged().map { $0.with(.matroska, origin: origin) }, [])
        // Others count from the first sample, whatever time the container gives that.
        case let form?: return onlyFirst(form, others: container.chapterForms)
        case nil: return ([], isEmpty ? [] : [MetadataLoss.chapters(reason: "this format has none")])
        }
    }

    private func onlyFirst(
        _ form: ChapterList.Form, others: [ChapterList.Form]
    ) -> ([ChapterList], [MetadataLoss]) {
        let losses = dropFirst().map { list in
            let name = list.languageTag.map { "chapters in '\($0)'" } ?? "further chapters"
            return MetadataLoss.chapters(name, reason: "this format holds one list")
        }
        return (prefix(1).map { $0.with(others.contains($0.form) ? $0.form : form, origin: .zero) }, losses)
    }

    /// Lists with the same times as one, with the titles of all.
    private func merged() -> [ChapterList] {
        var result: [ChapterList] = []
        for list in map(\.withTaggedTitles) {
            guard let index = result.firstIndex(where: { $0.hasTimes(of: list) }) else {
                result.append(list)
                continue
            }
            for chapter in list.chapters.indices {
                let known = result[index].chapters[chapter].titles
                result[index].chapters[chapter].titles += list.chapters[chapter].titles.filter { !known.contains($0) }
            }
        }
        if !result.isEmpty, !result.contains(where: \.isDefault) { result[0].isDefault = true }
        return result
    }
}

extension ChapterList {
    /// Whether chapters begin where another list's do, to the millisecond, and are called the same.
    fileprivate func says(_ other: ChapterList) -> Bool {
        let millisecond = CMTime(value: 1, timescale: 1000)
        return chapters.count == other.chapters.count
            && zip(chapters, other.chapters).allSatisfy { one, two in
                CMTimeAbsoluteValue(one.start - two.start) <= millisecond && one.title == two.title
            }
    }

    fileprivate func with(_ form: Form, origin: CMTime) -> ChapterList {
        var list = self
        // What names the list in its old form means nothing in another.
        if form != self.form {
            list.trackID = nil
            if form != .matroska { list.identifier = nil }
        }
        list.form = form
        list.chapters = chapters.map { $0.moved(by: origin) }
        // Without a title, the name of an ID3 element is all that a chapter is called; FFmpeg shows it too.
        if self.form == .id3, form != .id3 { list.chapters = list.chapters.map(\.titledByIdentifier) }
        return list
    }

    /// A list for each language of its titles; nested chapters stay in theirs.
    ///
    /// What has no title in a language keeps its first one: players show one list only.
    fileprivate var splitByLanguage: [ChapterList] {
        let tags = languages
        guard tags.count > 1 else {
            var list = self
            list.languageTag = languageTag ?? tags.first.flatMap { $0 == "und" ? nil : $0 }
            return [list]
        }
        return tags.map { tag in
            var list = self
            list.languageTag = tag == "und" ? nil : tag
            list.chapters = chapters.map { $0.inLanguage(tag, default: languageTag) }
            return list
        }
    }

    fileprivate var withTaggedTitles: ChapterList {
        var list = self
        list.chapters = chapters.map { $0.tagged(languageTag) }
        list.languageTag = nil
        return list
    }

    fileprivate func hasTimes(of other: ChapterList) -> Bool {
        chapters.count == other.chapters.count
            && zip(chapters, other.chapters).allSatisfy {
                $0.start == $1.start && $0.children.isEmpty && $1.children.isEmpty
            }
    }
}

extension Chapter {
    fileprivate func moved(by origin: CMTime) -> Chapter {
        var chapter = self
        chapter.start = start + origin
        if end.isNumeric { chapter.end = end + origin }
        chapter.children = children.map { $0.moved(by: origin) }
        return chapter
    }

    fileprivate var titledByIdentifier: Chapter {
        var chapter = self
        if titles.isEmpty, let identifier, !identifier.isEmpty { chapter.titles = [Title(identifier)] }
        chapter.children = children.map(\.titledByIdentifier)
        return chapter
    }

    fileprivate func inLanguage(_ tag: String, default list: String?) -> Chapter {
        var chapter = self
        chapter.titles = titles.filter { ($0.languageTag ?? list ?? "und") == tag }
        if chapter.titles.isEmpty { chapter.titles = titles.prefix(1).map { Title($0.text) } }
        chapter.children = children.map { $0.inLanguage(tag, default: list) }
        return chapter
    }

    fileprivate func tagged(_ tag: String?) -> Chapter {
        var chapter = self
        chapter.titles = titles.map { Title($0.text, languageTag: $0.languageTag ?? tag) }
        chapter.children = children.map { $0.tagged(tag) }
        return chapter
    }
}
