internal import MediaCore
internal import MediaMetadata

/// Chapters as comments: `CHAPTER001=00:00:00.000`, `CHAPTER001NAME=…`, `CHAPTER001URL=…`.
///
/// Source: Xiph's chapter extension of Vorbis comments.
enum ChapterComments {
    /// Decimals that a time can have: nanoseconds.
    private static let maximumDecimals = 9
    /// Digits that the hours can have; more would not fit into a time of nanoseconds.
    private static let maximumHourDigits = 6

    /// The chapters among comments, and which comments those are.
    ///
    /// Times that are ill-formed, names and addresses without a time, and second
    /// ones of the same number are none.
    static func find(in fields: [CommentField]) -> (chapters: [Chapter], comments: Set<Int>) {
        var chapters: [Chapter] = []
        var comments: Set<Int> = []
        var positions: [String: Int] = [:]
        let parts = fields.map { $0.upperName.flatMap(self.parts) }
        for (index, part) in parts.enumerated() {
            guard let part, part.suffix.isEmpty, positions[part.number] == nil,
                let start = time(fields[index].value)
            else { continue }
            positions[part.number] = chapters.count
            chapters.append(Chapter(start: start))
            comments.insert(index)
        }
        for (index, part) in parts.enumerated() {
            guard let part, let position = positions[part.number], !part.suffix.isEmpty,
                let text = fields[index].entry.text
            else { continue }
            if part.suffix == "NAME", chapters[position].titles.isEmpty {
                chapters[position].titles = [Chapter.Title(text)]
            } else if part.suffix == "URL", chapters[position].link == nil {
                chapters[position].link = text
            } else {
                continue
            }
            comments.insert(index)
        }
        return (chapters, comments)
    }

    private static func parts(of name: String) -> (number: String, suffix: String)? {
        guard name.hasPrefix("CHAPTER") else { return nil }
        let rest = name.dropFirst("CHAPTER".count)
        let number = rest.prefix { ("0"..."9").contains($0) }
        let suffix = rest.dropFirst(number.count)
        guard number.count >= 3, ["", "NAME", "URL"].contains(suffix) else { return nil }
        return (String(number), String(suffix))
    }

    // MARK: Times

    /// The time that `HH:MM:SS.mmm` means, `nil` if it is not of that form.
    ///
    /// Up to nine decimals are accepted, and none.
    static func time(_ text: ArraySlice<UInt8>) -> CMTime? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].count == 2 else { return nil }
        let secondParts = parts[2].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard secondParts.count <= 2, secondParts[0].count == 2, parts[0].count <= maximumHourDigits,
            let hours = number(parts[0]), let minutes = number(parts[1]), minutes < 60,
            let seconds = number(secondParts[0]), seconds < 60
        else { return nil }
        var fraction: Int64 = 0
        var timescale: Int64 = 1000
        if secondParts.count == 2 {
            guard secondParts[1].count <= maximumDecimals, let decimals = number(secondParts[1]) else { return nil }
            if secondParts[1].count > 3 { timescale = 1_000_000_000 }
            let places = secondParts[1].count > 3 ? 9 : 3
            fraction = (secondParts[1].count..<places).reduce(decimals) { value, _ in value * 10 }
        }
        let whole = hours * 3600 + minutes * 60 + seconds
        return CMTime(value: whole * timescale + fraction, timescale: Int32(timescale))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// A time as `HH:MM:SS.mmm`, `nil` if it is negative, too large or none.
    ///
    /// More decimals than three are written if that makes the time exact; else
    /// it is rounded to milliseconds, as some readers take no more.
    static func text(_ time: CMTime) -> (text: String, isRounded: Bool)? {
        guard time.isNumeric, time.value >= 0, time.timescale > 0 else { return nil }
        let (nanoseconds, remainder) = (Int128(time.value) * 1_000_000_000)
            .quotientAndRemainder(dividingBy: Int128(time.timescale))
        var value = nanoseconds
        if remainder != 0 {
            let scaled = Int128(time.value) * 1000
            value = (scaled * 2 + Int128(time.timescale)) / (Int128(time.timescale) * 2) * 1_000_000
        }
        let hours = value / 3_600_000_000_000
        guard String(hours).count <= maximumHourDigits else { return nil }
        let minutes = value / 60_000_000_000 % 60
        let seconds = value / 1_000_000_000 % 60
        var decimals = (value % 1_000_000_000).zeroPadded(to: maximumDecimals)
        while decimals.count > 3, decimals.hasSuffix("0") { decimals.removeLast() }
        return (
            "\(hours.zeroPadded(to: 2)):\(minutes.zeroPadded(to: 2)):\(seconds.zeroPadded(to: 2)).\(decimals)",
            remainder != 0
        )
    }

    // MARK: Writing

    /// The comments for chapters, and what they cannot hold.
    static func encoded(_ chapters: [Chapter]) -> (comments: [[UInt8]], losses: [MetadataLoss]) {
        var comments: [[UInt8]] = []
        var reasons: [String] = []
        func lose(_ reason: String) { if !reasons.contains(reason) { reasons.append(reason) } }
        var number = 0
        for (index, chapter) in chapters.enumerated() {
            guard let start = text(chapter.start) else {
                lose("a chapter without a start that can be written is left out: \(chapter.title)")
                continue
            }
            number += 1
            let name = "CHAPTER" + number.zeroPadded(to: 3)
            comments.append(Array("\(name)=\(start.text)".utf8))
            if let title = chapter.titles.first { comments.append(Array("\(name)NAME=\(title.text)".utf8)) }
            if let link = chapter.link { comments.append(Array("\(name)URL=\(link)".utf8)) }
            if start.isRounded { lose("starts are rounded to milliseconds") }
            let next = index + 1 < chapters.count ? chapters[index + 1].start : chapter.end
            if chapter.end.isNumeric, chapter.end != next { lose("ends other than the next chapter's start") }
            for reason in lossReasons(of: chapter) { lose(reason) }
        }
        return (comments, reasons.map { MetadataLoss.chapters(reason: $0) })
    }

    private static func lossReasons(of chapter: Chapter) -> [String] {
        var reasons: [String] = []
        if chapter.titles.count > 1 { reasons.append("a chapter has one name: the first is kept") }
        if chapter.titles.first?.languageTag != nil { reasons.append("names have no language") }
        if chapter.artwork != nil { reasons.append("chapters have no pictures") }
        if !chapter.children.isEmpty { reasons.append("chapters have no chapters within them") }
        if chapter.isHidden || !chapter.isEnabled { reasons.append("chapters cannot be hidden or disabled") }
        return reasons
    }
}
