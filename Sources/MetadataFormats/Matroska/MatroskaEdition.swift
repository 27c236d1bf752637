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
