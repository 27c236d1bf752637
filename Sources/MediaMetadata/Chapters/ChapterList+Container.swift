package import MediaCore

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
        switch container.chapterForms.first {
        case .quickTimeTrack:
            let tracks = flatMap(\.splitByLanguage).map { $0.with(.quickTimeTrack, origin: origin) }
            guard var nero = tracks.first else { return ([], []) }
            nero.form = .nero
            nero.languageTag = nil
            return (tracks + [nero], [])
        case .matroska: return (merged().map { $0.with(.matroska, origin: origin) }, [])
        // Others count from the first sample, whatever time the container gives that.
        case let form?: return onlyFirst(form)
        case nil: return ([], isEmpty ? [] : [MetadataLoss.chapters(reason: "this format has none")])
        }
    }

    private func onlyFirst(_ form: ChapterList.Form) -> ([ChapterList], [MetadataLoss]) {
        let losses = dropFirst().map { list in
            let name = list.languageTag.map { "chapters in '\($0)'" } ?? "further chapters"
            return MetadataLoss.chapters(name, reason: "this format holds one list")
        }
        return (prefix(1).map { $0.with(form, origin: .zero) }, losses)
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
