internal import MediaContainers
internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// An edition and the list of chapters that it is.
struct MatroskaEdition {
    let list: ChapterList
    let node: EBMLNode

    /// Reads an edition.
    ///
    /// - Parameter allowance: How much more may be read.
    init(_ node: EBMLNode, _ allowance: inout EBMLAllowance) {
        self.node = node
        let fields = node.children(&allowance)
        list = ChapterList(
            form: .matroska,
            chapters: fields.all(MatroskaID.chapterAtom).compactMap {
                MatroskaChapter.chapter($0, depth: 1, &allowance)
            },
            isDefault: fields.isSet(MatroskaID.editionFlagDefault, default: false),
            isHidden: fields.isSet(MatroskaID.editionFlagHidden, default: false),
            isOrdered: fields.isSet(MatroskaID.editionFlagOrdered, default: false),
            identifier: fields.first(MatroskaID.editionUID)?.unsigned.map(String.init))
    }
}

extension [EBMLNode] {
    /// Whether a flag is set.
    fileprivate func isSet(_ id: UInt32, default value: Bool) -> Bool { first(id)?.unsigned.map { $0 != 0 } ?? value }
}

/// Reads chapters.
enum MatroskaChapter {
    /// Ticks of a chapter's times in a second.
    static let timescale: CMTimeScale = 1_000_000_000

    /// The chapter of a `ChapterAtom`, `nil` if there are too many.
    static func chapter(_ node: EBMLNode, depth: Int, _ allowance: inout EBMLAllowance) -> Chapter? {
        guard allowance.allows(level: depth) else { return nil }
        let fields = node.children(&allowance)
        return Chapter(
            start: time(fields.first(MatroskaID.chapterTimeStart)) ?? CMTime(value: 0, timescale: timescale),
            end: time(fields.first(MatroskaID.chapterTimeEnd)) ?? .invalid,
            titles: fields.all(MatroskaID.chapterDisplay).map(title),
            identifier: fields.first(MatroskaID.chapterUID)?.unsigned.map(String.init),
            isHidden: fields.isSet(MatroskaID.chapterFlagHidden, default: false),
            isEnabled: fields.isSet(MatroskaID.chapterFlagEnabled, default: true),
            children: fields.all(MatroskaID.chapterAtom).compactMap { chapter($0, depth: depth + 1, &allowance) })
    }

    private static func time(_ node: EBMLNode?) -> CMTime? {
        guard let value = node?.unsigned.flatMap({ Int64(exactly: $0) }) else { return nil }
        return CMTime(value: value, timescale: timescale)
    }

    /// The title of a `ChapterDisplay`, in the first of its languages.
    static func title(_ node: EBMLNode) -> Chapter.Title {
        let fields = node.children
        let text = fields.first(MatroskaID.chapterString)?.text ?? ""
        if let language = fields.first(MatroskaID.chapterLanguageBCP47)?.text {
            return Chapter.Title(text, languageTag: MatroskaLanguage.tag(language, isBCP47: true))
        }
        let language = fields.first(MatroskaID.chapterLanguage)?.text ?? "eng"
        return Chapter.Title(text, languageTag: MatroskaLanguage.tag(language, isBCP47: false))
    }
}

/// New content for the chapters of a file.
struct MatroskaChapterWriter {
    private let editions: [MatroskaEdition]
    private(set) var losses: [MetadataLoss] = []
    /// UIDs that are in use.
    private var uids: Set<UInt64> = []
    /// Those of chapters that are written.
    private var given: Set<UInt64> = []

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
        for list in lists { uids.formUnion(Self.uids(of: list.chapters)) }
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

    private static func uids(of chapters: [Chapter], depth: Int = 1) -> Set<UInt64> {
        guard depth <= MatroskaLimit.depth else { return [] }
        return chapters.reduce(into: []) { found, chapter in
            if let uid = chapter.identifier.flatMap({ UInt64($0) }) { found.insert(uid) }
            found.formUnion(uids(of: chapter.children, depth: depth + 1))
        }
    }

    private mutating func bytes(of list: ChapterList, old: MatroskaEdition?) -> [UInt8] {
        if let old, old.list == list {
            given.formUnion(Self.uids(of: list.chapters))
            return Array(old.node.bytes)
        }
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
        if let model, MatroskaChapter.chapter(model, depth: depth, &allowance) == chapter {
            given.formUnion(Self.uids(of: [chapter]))
            return Array(model.bytes)
        }
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

    /// Its own, unless another chapter has it, as where a file is joined with itself.
    private mutating func uid(of chapter: Chapter) -> UInt64 {
        if let uid = chapter.identifier.flatMap({ UInt64($0) }), uid != 0, given.insert(uid).inserted { return uid }
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

/// Numbers that elements of Matroska files are known by.
///
/// They only have to differ within a file. Made of what the element holds, they are the same whenever the same file is made.
enum MatroskaUID {
    /// A number of its own for what some texts tell.
    static func new(of texts: [String], unlike others: inout Set<UInt64>) -> UInt64 {
        var uid = UInt64(truncatingIfNeeded: FowlerNollVo.digest128(of: texts) >> 32)
        while uid == 0 || !others.insert(uid).inserted { uid &+= 1 }
        return uid
    }

    /// What tells a chapter from others.
    static func texts(of chapter: Chapter) -> [String] {
        let (start, end) = (chapter.start, chapter.end)
        return ["\(start.value)/\(start.timescale)", "\(end.value)/\(end.timescale)"] + chapter.titles.map(\.text)
    }

    /// A number for an attached file.
    static func ofFile(_ name: String, _ bytes: [UInt8], unlike others: inout Set<UInt64>) -> UInt64 {
        new(of: [name, "\(bytes.count)", "\(FowlerNollVo.digest64(ofWordsIn: bytes))"], unlike: &others)
    }
}
