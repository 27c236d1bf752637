package import MediaCore

/// A way to write chapters down as text.
package enum ChapterTextFormat: String, CaseIterable, Sendable {
    /// FFmpeg's metadata files.
    case ffmetadata
    /// WebVTT, a cue for each chapter.
    case webvtt
    /// Matroska's chapters as XML.
    case matroskaXML
    /// A time and a title on each line.
    case text
    /// `CHAPTER01=` and `CHAPTER01NAME=`, as OGM programs brought it.
    case ogm

    /// More bytes of text than this are not read: chapters are some kilobytes.
    static let maximumByteCount = 8 << 20
    /// More lines of text than this are not read, which bounds the memory that they take.
    static let maximumLineCount = 1 << 20
    /// More chapters than this are not read.
    static let maximumCount = 1 << 16

    /// The format that a text is in, by how it begins; `nil` if it is none of them.
    package static func detect(_ text: String) -> ChapterTextFormat? {
        let lines = TextLines(String(text.prefix(1 << 16)))
        guard let first = lines.lines.first(where: { !$0.trimmed.isEmpty })?.trimmed else { return nil }
        if first.hasPrefix(";FFMETADATA") { return .ffmetadata }
        if first.hasPrefix("WEBVTT") { return .webvtt }
        if first.hasPrefix("<") { return text.contains("<Chapters") ? .matroskaXML : nil }
        for line in lines.lines {
            let line = line.trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if OGMChapters.field(of: line) != nil { return .ogm }
            return SimpleChapterText.chapter(of: line) != nil ? .text : nil
        }
        return nil
    }

    /// The chapters that a text holds.
    ///
    /// Only Matroska's XML can hold several lists. Times are exact.
    ///
    /// - Throws: `MetadataError`, which names the line, if the text is not in this format.
    package func parse(_ text: String) throws(MetadataError) -> [ChapterList] {
        let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard text.utf8.count <= Self.maximumByteCount, text.utf8.count(where: isBreak) <= Self.maximumLineCount else {
            throw MetadataError(.limit, "files of chapters with more than 8 MiB or a million lines are not read")
        }
        switch self {
        case .ffmetadata: return [try FFMetadataChapters.parse(text)]
        case .webvtt: return [try WebVTTChapters.parse(text)]
        case .matroskaXML: return try MatroskaChapterXML.parse(text)
        case .text: return [try SimpleChapterText.parse(text)]
        case .ogm: return [try OGMChapters.parse(text)]
        }
    }

    /// Chapters as text, with what the format cannot hold.
    ///
    /// - Parameters:
    ///   - list: The chapters; their names in the file (`identifier`) may go without being told of.
    ///   - languageTag: Which titles to take of chapters with several, for formats that hold one.
    ///   - assetDuration: Where a last chapter without an end ends; not numeric if it is not known.
    package func text(
        of list: ChapterList, languageTag: String? = nil, assetDuration: CMTime
    ) -> (text: String, losses: [MetadataLoss]) {
        switch self {
        case .ffmetadata: FFMetadataChapters.text(of: list, languageTag, until: assetDuration)
        case .webvtt: WebVTTChapters.text(of: list, languageTag, until: assetDuration)
        case .matroskaXML: MatroskaChapterXML.text(of: list)
        case .text: SimpleChapterText.text(of: list, languageTag, until: assetDuration)
        case .ogm: OGMChapters.text(of: list, languageTag, until: assetDuration)
        }
    }
}

extension MetadataError {
    /// What is wrong with a line of a text; lines count from 1.
    static func inLine(_ line: Int, _ reason: String) -> MetadataError {
        MetadataError(.damaged, "line \(line): \(reason)")
    }

    /// There are more chapters than are read.
    static let tooManyChapters = MetadataError(.limit, "more than \(ChapterTextFormat.maximumCount) chapters")
}

/// A time and a title on each line, as mp4chaps and many people write them.
enum SimpleChapterText {
    /// The chapter of a line: `00:01:30.500 Title`.
    static func chapter(of line: Substring) -> Chapter? {
        let (first, title) = line.splitAtSpace
        guard let time = ChapterTimestamp.time(first) else { return nil }
        return Chapter(start: time, titles: title.isEmpty ? [] : [Chapter.Title(String(title))])
    }

    /// Empty lines, and lines that begin with `#`, say nothing.
    static func parse(_ text: String) throws(MetadataError) -> ChapterList {
        var chapters: [Chapter] = []
        for line in TextLines(text).lines {
            let text = line.trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            guard let chapter = chapter(of: text) else {
                throw .inLine(line.number, "no chapter such as 00:01:30.500 Title")
            }
            guard chapters.count < ChapterTextFormat.maximumCount else { throw .tooManyChapters }
            chapters.append(chapter)
        }
        return ChapterList(form: .quickTimeTrack, chapters: chapters)
    }

    static func text(
        of list: ChapterList, _ languageTag: String?, until duration: CMTime
    ) -> (text: String, losses: [MetadataLoss]) {
        let chapters = lines(list, languageTag, until: duration)
        let text = chapters.items.map { item in
            let time = ChapterTimestamp.text(item.start, decimals: 3)
            return item.title.isEmpty ? "\(time)\n" : "\(time) \(item.title)\n"
        }
        return (text.joined(), chapters.losses)
    }

    /// Chapters for formats that have one line for a title, no ends, and count in milliseconds.
    static func lines(_ list: ChapterList, _ languageTag: String?, until duration: CMTime) -> LinearChapters {
        var chapters = LinearChapters(list, languageTag: languageTag, keeping: [])
        chapters.changeTitles(onOneLine, reason: "titles have line breaks or spaces around them, which are left out")
        chapters.loseFractionsOfMilliseconds(ofEnds: false)
        chapters.loseEnds(until: duration)
        return chapters
    }

    /// A title without line breaks and other controls, and without spaces around it.
    private static func onOneLine(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in title.unicodeScalars {
            let isBreak =
                scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
            scalars.append(isBreak && scalar != "\t" ? " " : scalar)
        }
        return String(Substring(String(scalars)).withoutSpaces)
    }
}

/// `CHAPTER01=00:00:00.000` and `CHAPTER01NAME=Title`.
enum OGMChapters {
    /// The number and the value of a line: a time, or a title.
    static func field(of line: Substring) -> (number: Int, isName: Bool, value: Substring)? {
        guard let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        var key = Substring(line.utf8[..<sign]).withoutSpaces.uppercased()[...]
        guard key.hasPrefix("CHAPTER") else { return nil }
        key.removeFirst(7)
        let isName = key.hasSuffix("NAME")
        if isName { key.removeLast(4) }
        let isNumber = (1...6).contains(key.utf8.count) && key.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = Int(key) else { return nil }
        return (number, isName, Substring(line.utf8[sign...].dropFirst()).withoutSpaces)
    }

    /// The chapters in the order of their times' lines.
    static func parse(_ text: String) throws(MetadataError) -> ChapterList {
        var chapters: [Chapter] = []
        var indices: [Int: Int] = [:]
        var names: [Int: (line: Int, title: String)] = [:]
        for line in TextLines(text).lines {
            let text = line.trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            guard let field = field(of: text) else { throw .inLine(line.number, "no line such as CHAPTER01=…") }
            if field.isName {
                guard names.updateValue((line.number, String(field.value)), forKey: field.number) == nil else {
                    throw .inLine(line.number, "chapter \(field.number) has a second name")
                }
                continue
            }
            guard let time = ChapterTimestamp.time(field.value) else {
                throw .inLine(line.number, "“\(field.value.prefix(40))” is no time such as 00:01:30.500")
            }
            guard chapters.count < ChapterTextFormat.maximumCount else { throw .tooManyChapters }
            guard indices.updateValue(chapters.count, forKey: field.number) == nil else {
                throw .inLine(line.number, "chapter \(field.number) has a second time")
            }
            chapters.append(Chapter(start: time))
        }
        for (number, name) in names.sorted(by: { $0.value.line < $1.value.line }) {
            guard let index = indices[number] else { throw .inLine(name.line, "chapter \(number) has no time") }
            if !name.title.isEmpty { chapters[index].titles = [Chapter.Title(name.title)] }
        }
        return ChapterList(form: .vorbisComment, chapters: chapters)
    }

    static func text(
        of list: ChapterList, _ languageTag: String?, until duration: CMTime
    ) -> (text: String, losses: [MetadataLoss]) {
        let chapters = SimpleChapterText.lines(list, languageTag, until: duration)
        let digits = max(2, String(chapters.items.count).utf8.count)
        let text = chapters.items.enumerated().map { index, item in
            let key = "CHAPTER" + (index + 1).zeroPadded(to: digits)
            return "\(key)=\(ChapterTimestamp.text(item.start, decimals: 3))\n\(key)NAME=\(item.title)\n"
        }
        return (text.joined(), chapters.losses)
    }
}

/// The lines of a text, whichever way they end.
struct TextLines {
    /// One line.
    struct Line {
        /// From 1 on.
        let number: Int
        let text: Substring

        /// Without spaces and tabs around it.
        var trimmed: Substring { text.withoutSpaces }
    }

    private(set) var lines: [Line] = []

    /// A byte order mark before the first line is left out.
    ///
    /// - Parameter onlyLineFeeds: Whether a carriage return is a character as others are.
    init(_ text: String, onlyLineFeeds: Bool = false) {
        // Bytes rather than characters: a mark that combines with what is before it must not hide that.
        var rest = Substring(text).utf8
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        while true {
            let end = rest.firstIndex { $0 == lineFeed || $0 == carriageReturn && !onlyLineFeeds } ?? rest.endIndex
            lines.append(Line(number: lines.count + 1, text: Substring(rest[..<end])))
            guard end < rest.endIndex else { return }
            let isPair = rest[end] == carriageReturn && rest[end...].dropFirst().first == lineFeed
            rest = rest[end...].dropFirst(isPair ? 2 : 1)
        }
    }
}

extension Substring {
    /// What is before the first space or tab, and what is after those.
    var splitAtSpace: (first: Substring, rest: Substring) {
        let end = utf8.firstIndex(where: \.isSpace) ?? utf8.endIndex
        return (Substring(utf8[..<end]), Substring(utf8[end...].drop(while: \.isSpace)))
    }
}

extension String {
    /// Without some of its characters, each taken for itself.
    func without(_ isUnwanted: (Unicode.Scalar) -> Bool) -> String {
        var scalars = unicodeScalars
        scalars.removeAll(where: isUnwanted)
        return String(scalars)
    }
}
