internal import MediaCore

/// Matroska's chapters as mkvmerge, mkvextract and mkvpropedit read and write them.
///
/// Source: MKVToolNix's document type for chapters; RFC 9559, section 5.1.7.
enum MatroskaChapterXML {
    /// Chapters within chapters deeper than this are an error.
    private static let maximumDepth = 16

    /// A list for each edition.
    ///
    /// What belongs to other segments or to menus is left out.
    static func parse(_ text: String) throws(MetadataError) -> [ChapterList] {
        let root = try XMLTree(text).root
        guard root.name == "Chapters" else { throw .inLine(root.line, "the root element is not Chapters") }
        var lists: [ChapterList] = []
        var remaining = ChapterTextFormat.maximumCount
        for edition in root.children where edition.name == "EditionEntry" {
            lists.append(
                ChapterList(
                    form: .matroska, chapters: try chapters(in: edition, depth: 1, remaining: &remaining),
                    isDefault: try flag("EditionFlagDefault", in: edition) ?? false,
                    isHidden: try flag("EditionFlagHidden", in: edition) ?? false,
                    isOrdered: try flag("EditionFlagOrdered", in: edition) ?? false,
                    identifier: edition.value("EditionUID")))
        }
        return lists
    }

    private static func chapters(
        in element: XMLTree.Element, depth: Int, remaining: inout Int
    ) throws(MetadataError) -> [Chapter] {
        guard depth <= maximumDepth else { throw .inLine(element.line, "chapters are nested too deep") }
        var chapters: [Chapter] = []
        for atom in element.children where atom.name == "ChapterAtom" {
            guard remaining > 0 else { throw .tooManyChapters }
            remaining -= 1
            guard let start = try time("ChapterTimeStart", in: atom) else {
                throw .inLine(atom.line, "the chapter has no ChapterTimeStart")
            }
            chapters.append(
                Chapter(
                    start: start, end: try time("ChapterTimeEnd", in: atom) ?? .invalid, titles: titles(of: atom),
                    identifier: atom.value("ChapterUID"), isHidden: try flag("ChapterFlagHidden", in: atom) ?? false,
                    isEnabled: try flag("ChapterFlagEnabled", in: atom) ?? true,
                    children: try self.chapters(in: atom, depth: depth + 1, remaining: &remaining)))
        }
        return chapters
    }

    private static func time(_ name: String, in atom: XMLTree.Element) throws(MetadataError) -> CMTime? {
        guard let element = atom.child(name) else { return nil }
        guard let time = ChapterTimestamp.time(element.trimmedText) else {
            throw .inLine(element.line, "“\(element.trimmedText.prefix(40))” is no time such as 00:01:30.500000000")
        }
        return time
    }

    private static func flag(_ name: String, in element: XMLTree.Element) throws(MetadataError) -> Bool? {
        guard let child = element.child(name) else { return nil }
        switch child.trimmedText {
        case "0": return false
        case "1": return true
        default: throw .inLine(child.line, "\(name) is neither 0 nor 1")
        }
    }

    /// A name for each text and language.
    private static func titles(of atom: XMLTree.Element) -> [Chapter.Title] {
        atom.children.filter { $0.name == "ChapterDisplay" }.flatMap { display -> [Chapter.Title] in
            guard let text = display.child("ChapterString")?.text else { return [] }
            func values(_ name: String) -> [String] { display.children.filter { $0.name == name }.map(\.trimmedText) }
            var tags = values("ChapLanguageIETF").map { $0 == "und" || $0.isEmpty ? nil : $0 }
            if tags.isEmpty { tags = values("ChapterLanguage").map { LanguageCodes.tag(ofISO639: $0) } }
            // English is what Matroska takes for granted.
            return (tags.isEmpty ? ["en"] : tags).map { Chapter.Title(text, languageTag: $0) }
        }
    }

    // MARK: Writing

    static func text(of list: ChapterList) -> (text: String, losses: [MetadataLoss]) {
        var writer = Writer()
        writer.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        writer.line("<!DOCTYPE Chapters SYSTEM \"matroskachapters.dtd\">")
        writer.begin("Chapters")
        writer.begin("EditionEntry")
        writer.flag("EditionFlagOrdered", list.isOrdered, unless: false)
        writer.flag("EditionFlagHidden", list.isHidden, unless: nil)
        writer.flag("EditionFlagDefault", list.isDefault, unless: nil)
        writer.uid("EditionUID", list.identifier)
        writer.atoms(list.chapters, languageTag: list.languageTag, depth: 1)
        writer.end("EditionEntry")
        writer.end("Chapters")
        return (writer.text, writer.losses)
    }

    private struct Writer {
        var text = ""
        private var depth = 0
        private var (links, pictures, characters, times, deep, unusable) = (0, 0, 0, 0, 0, 0)

        var losses: [MetadataLoss] {
            [
                (links, "links are left out"), (pictures, "pictures are left out"),
                (characters, "titles have characters that XML has not, which are left out"),
                (times, "times are rounded to nanoseconds, or were before zero"),
                (deep, "chapters are nested too deep and are left out"),
                (unusable, "chapters without a start are left out"),
            ].filter { $0.0 > 0 }.map { MetadataLoss.chapters(reason: "\($0.0) \($0.1)") }
        }

        mutating func line(_ line: String) { text += String(repeating: "  ", count: depth) + line + "\n" }

        mutating func begin(_ name: String) {
            line("<\(name)>")
            depth += 1
        }

        mutating func end(_ name: String) {
            depth -= 1
            line("</\(name)>")
        }

        mutating func element(_ name: String, _ value: String) { line("<\(name)>\(value)</\(name)>") }

        mutating func flag(_ name: String, _ value: Bool, unless standard: Bool?) {
            if value != standard { element(name, value ? "1" : "0") }
        }

        /// Only numbers can be names of chapters here; where there is none, whoever reads the file makes one.
        mutating func uid(_ name: String, _ identifier: String?) {
            if let number = identifier.flatMap(UInt64.init), number > 0 { element(name, String(number)) }
        }

        mutating func time(_ name: String, _ time: CMTime) {
            times += ChapterTimestamp.isExact(time, decimals: 9) ? 0 : 1
            element(name, ChapterTimestamp.text(time, decimals: 9))
        }

        mutating func atoms(_ chapters: [Chapter], languageTag: String?, depth: Int) {
            guard depth <= maximumDepth else {
                deep += chapters.count
                return
            }
            for chapter in chapters {
                guard chapter.start.isNumeric else {
                    unusable += 1
                    continue
                }
                links += chapter.link == nil ? 0 : 1
                pictures += chapter.artwork == nil ? 0 : 1
                begin("ChapterAtom")
                uid("ChapterUID", chapter.identifier)
                time("ChapterTimeStart", chapter.start)
                if chapter.end.isNumeric { time("ChapterTimeEnd", chapter.end) }
                flag("ChapterFlagHidden", chapter.isHidden, unless: nil)
                flag("ChapterFlagEnabled", chapter.isEnabled, unless: nil)
                for title in chapter.titles { display(title, languageTag: title.languageTag ?? languageTag) }
                atoms(chapter.children, languageTag: languageTag, depth: depth + 1)
                end("ChapterAtom")
            }
        }

        private mutating func display(_ title: Chapter.Title, languageTag: String?) {
            begin("ChapterDisplay")
            element("ChapterString", escaped(title.text))
            element("ChapterLanguage", LanguageCodes.iso639(of: languageTag, isBibliographic: true))
            element("ChapLanguageIETF", escaped(languageTag ?? "und"))
            end("ChapterDisplay")
        }

        private mutating func escaped(_ text: String) -> String {
            var result = ""
            var isWhole = true
            for scalar in text.unicodeScalars {
                if let entity = scalar.markupEntity {
                    result += entity
                    continue
                }
                switch scalar {
                // As they are, readers would make line feeds of them.
                case "\r": result += "&#13;"
                case _ where XMLTree.isAllowed(scalar): result.unicodeScalars.append(scalar)
                default: isWhole = false
                }
            }
            characters += isWhole ? 0 : 1
            return result
        }
    }
}
