internal import MediaCore

/// The chapters in FFmpeg's metadata files.
///
/// Sections begin with a name in brackets; lines are `key=value`; a backslash
/// makes `=`, `;`, `#`, a backslash or a line's end part of a key or value.
///
/// Source: FFmpeg's documentation, "Metadata muxer".
enum FFMetadataChapters {
    /// A line that may go on over several lines of the text.
    private struct Entry {
        let line: Int
        /// Backslashes still in it.
        let text: String
    }

    /// Nanoseconds, unless a chapter says otherwise.
    private struct TimeBase {
        var numerator: Int64 = 1
        var denominator: CMTimeScale = ChapterTimestamp.nanoseconds
    }

    private struct Section {
        let line: Int
        var timeBase = TimeBase()
        var start: (line: Int, ticks: Int64)?
        var end: (line: Int, ticks: Int64)?
        var title: String?
    }

    /// Metadata outside of chapters is left to others, and so is a chapter's but its title.
    static func parse(_ text: String) throws(MetadataError) -> ChapterList {
        var entries = entries(of: text)
        guard !entries.isEmpty, entries.removeFirst().text.hasPrefix(";FFMETADATA") else {
            throw .inLine(1, "a metadata file begins with ;FFMETADATA1")
        }
        var chapters: [Chapter] = []
        var section: Section?
        for entry in entries where !entry.text.isEmpty && !entry.text.hasPrefix(";") && !entry.text.hasPrefix("#") {
            if entry.text.hasPrefix("["), entry.text.hasSuffix("]") {
                if let section { chapters.append(try chapter(section)) }
                guard chapters.count < ChapterTextFormat.maximumCount else { throw .tooManyChapters }
                section = entry.text == "[CHAPTER]" ? Section(line: entry.line) : nil
                continue
            }
            guard let (key, value) = field(entry.text) else {
                throw .inLine(entry.line, "neither a section nor key=value")
            }
            switch (section != nil, key) {
            case (true, "TIMEBASE"): section?.timeBase = try timeBase(value, line: entry.line)
            case (true, "START"): section?.start = (entry.line, try ticks(value, line: entry.line))
            case (true, "END"): section?.end = (entry.line, try ticks(value, line: entry.line))
            case (true, "title"): section?.title = value
            default: break
            }
        }
        if let section { chapters.append(try chapter(section)) }
        return ChapterList(form: .quickTimeTrack, chapters: chapters)
    }

    private static func chapter(_ section: Section) throws(MetadataError) -> Chapter {
        guard let start = section.start else { throw .inLine(section.line, "the chapter has no START") }
        var end = CMTime.invalid
        if let ticks = section.end {
            end = try time(ticks, section.timeBase)
        }
        let titles = section.title.map { $0.isEmpty ? [] : [Chapter.Title($0)] } ?? []
        return Chapter(start: try time(start, section.timeBase), end: end, titles: titles)
    }

    private static func time(_ ticks: (line: Int, ticks: Int64), _ base: TimeBase) throws(MetadataError) -> CMTime {
        let (value, isTooLong) = ticks.ticks.multipliedReportingOverflow(by: base.numerator)
        guard !isTooLong else { throw .inLine(ticks.line, "the time is too large") }
        return CMTime(value: value, timescale: base.denominator)
    }

    private static func ticks(_ text: String, line: Int) throws(MetadataError) -> Int64 {
        guard let ticks = Int64(text) else { throw .inLine(line, "“\(text.prefix(40))” is no whole number") }
        return ticks
    }

    private static func timeBase(_ text: String, line: Int) throws(MetadataError) -> TimeBase {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = Int64(parts[0]), let denominator = CMTimeScale(parts[1]),
            numerator > 0, denominator > 0
        else { throw .inLine(line, "“\(text.prefix(40))” is no time base such as 1/1000") }
        return TimeBase(numerator: numerator, denominator: denominator)
    }

    /// Lines, those with an escaped end joined with the next.
    private static func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        var line: (number: Int, text: String)?
        for part in TextLines(text, onlyLineFeeds: true).lines {
            var content = part.text.utf8
            // Of a line's end on Windows, unless it is part of a value.
            if content.last == UInt8(ascii: "\r"), !isOpen(content.dropLast()) { content.removeLast() }
            if line == nil { line = (part.number, "") }
            line?.text += Substring(content)
            if isOpen(content) {
                line?.text += "\n"
            } else {
                line.map { entries.append(Entry(line: $0.number, text: $0.text)) }
                line = nil
            }
        }
        line.map { entries.append(Entry(line: $0.number, text: $0.text)) }
        return entries
    }

    /// Whether the last backslash escapes what comes after the text.
    private static func isOpen(_ text: Substring.UTF8View) -> Bool {
        text.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    /// Key and value, without the backslashes.
    private static func field(_ text: String) -> (key: String, value: String)? {
        var parts: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                parts[parts.count - 1].append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "=", parts.count == 1 {
                parts.append(String.UnicodeScalarView())
            } else {
                parts[parts.count - 1].append(scalar)
            }
        }
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    // MARK: Writing

    static func text(
        of list: ChapterList, _ languageTag: String?, until duration: CMTime
    ) -> (text: String, losses: [MetadataLoss]) {
        var chapters = LinearChapters(list, languageTag: languageTag, keeping: [])
        chapters.changeTitles(
            { $0.without { $0 == "\0" } }, reason: "titles have zero characters, which are left out")
        chapters.fillEnds(until: duration)
        var text = ";FFMETADATA1\n"
        var (endless, rounded) = (0, 0)
        for item in chapters.items {
            // FFmpeg takes no title without an end before it.
            let end = item.end.isNumeric ? item.end : item.start
            endless += item.end.isNumeric ? 0 : 1
            // Their difference is in a timescale that both are whole in.
            let timescale = (end - item.start).timescale
            let (start, stop) = (
                item.start.convertScale(timescale, method: .default), end.convertScale(timescale, method: .default)
            )
            rounded += start == item.start && stop == end ? 0 : 1
            text += "[CHAPTER]\nTIMEBASE=1/\(timescale)\nSTART=\(start.value)\nEND=\(stop.value)\n"
            text += "title=\(FFMetadataText.escaped(item.title))\n"
        }
        chapters.change(endless, "chapters have no end that is known, and end where they begin")
        chapters.change(rounded, "times are rounded")
        return (text, chapters.losses)
    }
}

/// Text in FFmpeg's metadata files.
package enum FFMetadataText {
    /// A key or value, with a backslash before what would end it.
    package static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if "=;#\\\n\r".unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
