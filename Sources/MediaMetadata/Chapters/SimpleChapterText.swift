internal import MediaCore

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
