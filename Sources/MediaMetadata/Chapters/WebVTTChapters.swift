internal import MediaCore

/// WebVTT files with a cue for each chapter.
///
/// Source: W3C, WebVTT: The Web Video Text Tracks Format, "chapters".
enum WebVTTChapters {
    /// Comments, style sheets and regions are left out, and so are tags within
    /// titles; a language that a header line `Language:` names is the list's.
    static func parse(_ text: String) throws(MetadataError) -> ChapterList {
        let lines = TextLines(text).lines
        guard let first = lines.first?.text,
            first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t")
        else { throw .inLine(1, "a WebVTT file begins with WEBVTT") }
        var list = ChapterList(form: .quickTimeTrack, chapters: [])
        var blocks = lines.split(whereSeparator: \.text.isEmpty)
        if let header = blocks.first, header.first?.number == 1 {
            let language = header.first { $0.text.hasPrefix("Language:") }?.text.dropFirst(9)
            list.languageTag = language.map { String($0.drop { $0 == " " }) }
            blocks.removeFirst()
        }
        for block in blocks {
            guard let chapter = try chapter(of: block) else { continue }
            guard list.chapters.count < ChapterTextFormat.maximumCount else { throw .tooManyChapters }
            list.chapters.append(chapter)
        }
        return list
    }

    /// The chapter of a block of lines, `nil` if the block is no cue.
    private static func chapter(of block: ArraySlice<TextLines.Line>) throws(MetadataError) -> Chapter? {
        guard let first = block.first else { return nil }
        let word = first.text.splitAtSpace.first
        if word == "NOTE" { return nil }
        guard let timing = block.prefix(2).first(where: { $0.text.contains("-->") }) else {
            if word == "STYLE" || word == "REGION" { return nil }
            throw .inLine(first.number, "a cue without a line such as 00:00.000 --> 00:10.000")
        }
        let (begin, rest) = timing.trimmed.splitAtSpace
        let (arrow, ends) = rest.splitAtSpace
        guard arrow == "-->", let start = time(begin), let end = time(ends.splitAtSpace.first) else {
            throw .inLine(timing.number, "no times such as 00:00.000 --> 00:10.000")
        }
        guard end >= start else { throw .inLine(timing.number, "the cue ends before it begins") }
        let title = plainText(block.drop { $0.number <= timing.number }.map(\.text).joined(separator: "\n"))
        return Chapter(
            start: start, end: end, titles: title.isEmpty ? [] : [Chapter.Title(title)],
            identifier: timing.number > first.number ? String(first.text) : nil)
    }

    /// Minutes, seconds and three decimals, hours before them or not.
    private static func time(_ text: Substring) -> CMTime? {
        guard text.split(separator: ".", omittingEmptySubsequences: false).last?.utf8.count == 3, text.contains(".")
        else {
            return nil
        }
        return ChapterTimestamp.time(text)
    }

    /// Text without tags, its references resolved.
    private static func plainText(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<":
                // A tag that does not end takes all that is left.
                rest = rest.drop { $0 != ">" }.dropFirst()
            case "&":
                if let end = rest.prefix(12).firstIndex(of: ";"), let named = self.scalar(Substring(rest[..<end])) {
                    result.append(named)
                    rest = rest[end...].dropFirst()
                } else {
                    result.append(scalar)
                }
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The character that a reference names.
    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "nbsp": return "\u{A0}"
        case "lrm": return "\u{200E}"
        case "rlm": return "\u{200F}"
        default: return XMLTree.scalar(ofReference: name)
        }
    }

    // MARK: Writing

    /// Times are rounded to milliseconds, halves away from zero.
    static func text(
        of list: ChapterList, _ languageTag: String?, until duration: CMTime
    ) -> (text: String, losses: [MetadataLoss]) {
        var chapters = LinearChapters(list, languageTag: languageTag, keeping: [])
        chapters.changeTitles(
            withoutEmptyLines, reason: "titles have empty lines or zero characters, which are left out")
        chapters.sort()
        chapters.loseFractionsOfMilliseconds(ofEnds: true)
        chapters.fillEnds(until: duration)
        var text = "WEBVTT\n"
        var lengthened = 0
        for item in chapters.items {
            let start = item.start.convertScale(1000, method: .default)
            var end = item.end.convertScale(1000, method: .default)
            if !end.isNumeric || end <= start {
                end = start + CMTime(value: 1, timescale: 1000)
                lengthened += 1
            }
            text += "\n"
            if let identifier = item.identifier, isIdentifier(identifier) { text += "\(identifier)\n" }
            text += "\(ChapterTimestamp.text(start, decimals: 3)) --> \(ChapterTimestamp.text(end, decimals: 3))\n"
            if !item.title.isEmpty { text += "\(escaped(item.title))\n" }
        }
        chapters.change(lengthened, "chapters have no length, and get a millisecond")
        return (text, chapters.losses)
    }

    private static func withoutEmptyLines(_ title: String) -> String {
        let lines = TextLines(title.without { $0 == "\0" }).lines.map(\.text).filter { !$0.isEmpty }
        return lines.joined(separator: "\n")
    }

    /// Whether a text can stand before a cue's times, and is not taken for something else.
    private static func isIdentifier(_ text: String) -> Bool {
        let word = Substring(text).splitAtSpace.first
        return !text.isEmpty && !text.contains("-->") && !["NOTE", "STYLE", "REGION"].contains(String(word))
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += $1.markupEntity ?? String($1) }
    }
}
