internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// New content for the chapters of a file.
struct MatroskaChapterWriter {
    private let editions: [MatroskaEdition]
    private(set) var losses: [MetadataLoss] = []
    /// UIDs that are in use.
    private var uids: Set<UInt64> = []

    init(_ editions: [MatroskaEdition]) { self.editions = editions }

    /// The editions for lists, each as it is to be stored.
    mutating func editions(for lists: [ChapterList]) -> [[UInt8]] {
        for list in lists where list.form != .matroska {
            losses.append(
                MetadataLoss.chapters(
                    reason: "Matroska holds editions, not lists of form \(list.form.rawValue)"))
        }
        // An edition must have chapters.
        let lists = lists.filter { $0.form == .matroska && !$0.chapters.isEmpty }
        for list in lists { collectUIDs(list.chapters) }
        var free = Array(editions.indices)
        // Those that stay as they are come first, so that an edition without UID is found again.
        var olds = lists.map { list in take(&free) { editions[$0].list == list } }
        for index in lists.indices where olds[index] == nil {
            olds[index] = take(&free) { editions[$0].list.identifier == lists[index].identifier }
        }
        return lists.indices.map { bytes(of: lists[$0], old: olds[$0].map { editions[$0] }) }
    }

    private func take(_ free: inout [Int], _ isWanted: (Int) -> Bool) -> Int? {
        free.firstIndex(where: isWanted).map { free.remove(at: $0) }
    }

    private mutating func collectUIDs(_ chapters: [Chapter], depth: Int = 1) {
        guard depth <= MatroskaLimit.depth else { return }
        for chapter in chapters {
            if let uid = chapter.identifier.flatMap({ UInt64($0) }) { uids.insert(uid) }
            collectUIDs(chapter.children, depth: depth + 1)
        }
    }

    private mutating func bytes(of list: ChapterList, old: MatroskaEdition?) -> [UInt8] {
        if let old, old.list == list { return Array(old.node.bytes) }
        let fields = old?.node.children ?? []
        let known: Set<UInt32> = [
            MatroskaID.editionUID, MatroskaID.editionFlagHidden, MatroskaID.editionFlagDefault,
            MatroskaID.editionFlagOrdered, MatroskaID.chapterAtom,
        ]
        var children: [[UInt8]] = []
        if let uid = list.identifier.flatMap({ UInt64($0) }) ?? (old == nil ? newUID(of: list) : nil) {
            children.append(EBMLWriter.unsigned(MatroskaID.editionUID, uid))
        }
        children.append(EBMLWriter.unsigned(MatroskaID.editionFlagHidden, list.isHidden ? 1 : 0))
        children.append(EBMLWriter.unsigned(MatroskaID.editionFlagDefault, list.isDefault ? 1 : 0))
        if list.isOrdered || fields.first(MatroskaID.editionFlagOrdered) != nil {
            children.append(EBMLWriter.unsigned(MatroskaID.editionFlagOrdered, list.isOrdered ? 1 : 0))
        }
        children += fields.meaningful.filter { !known.contains($0.id) }.map { Array($0.bytes) }
        children += atoms(for: list.chapters, old: fields, languageTag: list.languageTag, depth: 1)
        return EBMLWriter.element(
            MatroskaID.editionEntry, EBMLWriter.content(children, withChecksum: fields.haveChecksum))
    }

    /// The atoms for chapters, those of the same UID or content taken as models.
    private mutating func atoms(
        for chapters: [Chapter], old fields: [EBMLNode], languageTag: String?, depth: Int
    ) -> [[UInt8]] {
        guard depth <= MatroskaLimit.depth else {
            losses.append(MetadataLoss.chapters(reason: "more than \(MatroskaLimit.depth) levels"))
            return []
        }
        var models: [String?: [EBMLNode]] = [:]
        for node in fields.all(MatroskaID.chapterAtom).reversed() {
            let uid = node.children.first(MatroskaID.chapterUID)?.unsigned.map(String.init)
            models[uid, default: []].append(node)
        }
        return chapters.map { chapter in
            atom(chapter, model: models[chapter.identifier]?.popLast(), languageTag: languageTag, depth: depth)
        }
    }

    private mutating func atom(_ chapter: Chapter, model: EBMLNode?, languageTag: String?, depth: Int) -> [UInt8] {
        var allowance = EBMLAllowance(nodes: MatroskaLimit.nodes)
        if let model, MatroskaChapter.chapter(model, depth: depth, &allowance) == chapter { return Array(model.bytes) }
        if chapter.artwork != nil || chapter.link != nil {
            losses.append(
                MetadataLoss.chapters(reason: "Matroska chapters hold no pictures and no addresses"))
        }
        let fields = model?.children ?? []
        let known: Set<UInt32> = [
            MatroskaID.chapterUID, MatroskaID.chapterTimeStart, MatroskaID.chapterTimeEnd,
            MatroskaID.chapterFlagHidden, MatroskaID.chapterFlagEnabled, MatroskaID.chapterDisplay,
            MatroskaID.chapterAtom,
        ]
        var children = [EBMLWriter.unsigned(MatroskaID.chapterUID, uid(of: chapter))]
        children.append(EBMLWriter.unsigned(MatroskaID.chapterTimeStart, nanoseconds(chapter.start) ?? 0))
        if let end = nanoseconds(chapter.end) { children.append(EBMLWriter.unsigned(MatroskaID.chapterTimeEnd, end)) }
        children.append(EBMLWriter.unsigned(MatroskaID.chapterFlagHidden, chapter.isHidden ? 1 : 0))
        children.append(EBMLWriter.unsigned(MatroskaID.chapterFlagEnabled, chapter.isEnabled ? 1 : 0))
        children += fields.meaningful.filter { !known.contains($0.id) }.map { Array($0.bytes) }
        children += displays(chapter.titles, old: fields.all(MatroskaID.chapterDisplay), languageTag: languageTag)
        children += atoms(for: chapter.children, old: fields, languageTag: languageTag, depth: depth + 1)
        return EBMLWriter.element(
            MatroskaID.chapterAtom, EBMLWriter.content(children, withChecksum: fields.haveChecksum))
    }

    private mutating func uid(of chapter: Chapter) -> UInt64 {
        if let uid = chapter.identifier.flatMap({ UInt64($0) }), uid != 0 { return uid }
        return MatroskaUID.new(of: MatroskaUID.texts(of: chapter), unlike: &uids)
    }

    private func newUID(of list: ChapterList) -> UInt64 {
        var others: Set<UInt64> = []
        return MatroskaUID.new(of: list.chapters.flatMap(MatroskaUID.texts), unlike: &others)
    }

    private func nanoseconds(_ time: CMTime) -> UInt64? {
        guard time.isNumeric else { return nil }
        let scaled = time.convertScale(MatroskaChapter.timescale, method: .default)
        return scaled.isNumeric ? UInt64(max(0, scaled.value)) : nil
    }

    /// The titles' elements; a title that was there keeps its own, with countries and further languages.
    private func displays(_ titles: [Chapter.Title], old: [EBMLNode], languageTag: String?) -> [[UInt8]] {
        var free = old
        return titles.map { title in
            if let index = free.firstIndex(where: { MatroskaChapter.title($0) == title }) {
                return Array(free.remove(at: index).bytes)
            }
            let language = MatroskaLanguage.elements(
                title.languageTag ?? languageTag, iso639: MatroskaID.chapterLanguage,
                bcp47: MatroskaID.chapterLanguageBCP47)
            let fields = [EBMLWriter.text(MatroskaID.chapterString, title.text)] + language
            return EBMLWriter.element(MatroskaID.chapterDisplay, Array(fields.joined()))
        }
    }
}
