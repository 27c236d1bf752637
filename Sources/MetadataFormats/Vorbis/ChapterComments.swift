internal import MediaCore
internal import MediaIO
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

/// Which of several comment headers gets which chapters.
///
/// Some writers repeat the chapters in every stream's header: equal lists are
/// one, and are changed together.
struct ChapterPlan {
    /// The new chapters of each header, `nil` for those that it has.
    private(set) var changes: [[Chapter]?]
    private(set) var losses: [MetadataLoss] = []

    /// The lists that headers with these chapters make.
    static func lists(_ chapters: [[Chapter]]) -> [ChapterList] {
        var lists: [ChapterList] = []
        for chapters in chapters where !chapters.isEmpty && !lists.contains(where: { $0.chapters == chapters }) {
            lists.append(ChapterList(form: .vorbisComment, chapters: chapters))
        }
        return lists
    }

    /// Plans a change.
    ///
    /// - Parameters:
    ///   - old: The chapters of each header.
    ///   - lists: What is to be there.
    ///   - main: The header that gets a list which is new.
    init(old: [[Chapter]], lists: [ChapterList], main: Int?) {
        changes = Array(repeating: nil, count: old.count)
        let lists = lists.filter { !$0.chapters.isEmpty }
        var open = Self.lists(old).map(\.chapters)
        var rest: [ChapterList] = []
        for list in lists {
            if let place = open.firstIndex(of: list.chapters) { open.remove(at: place) } else { rest.append(list) }
        }
        var changed = rest[...]
        for chapters in open {
            let list = changed.popFirst()
            for index in old.indices where old[index] == chapters { changes[index] = list?.chapters ?? [] }
        }
        if let main, old[main].isEmpty, let list = changed.popFirst() { changes[main] = list.chapters }
        for list in rest[rest.startIndex..<changed.startIndex] {
            if list.languageTag != nil { lose("names have no language") }
            if list.isHidden || list.isOrdered { lose("lists cannot be hidden or ordered") }
        }
        for _ in changed { lose("there is room for one list of chapters only") }
    }

    private mutating func lose(_ reason: String) { losses.append(MetadataLoss.chapters(reason: reason)) }
}

/// The tracks of a CD that a FLAC file was made of, as chapters.
///
/// They are the file's chapters as long as no comments are: comments have titles, so programs that write both mean those
/// to be seen. New chapters are comments, and the cue sheet goes: FFmpeg and all players that use it show its tracks in
/// place of comments of the same numbers, and would show them again where all chapters are removed. Whoever changes
/// anything else keeps it.
///
/// Source: RFC 9639, section 8.7.
enum FLACCueSheet {
    static let blockType: UInt8 = 5
    /// Catalogue number, lead-in, flags, and how many tracks there are.
    private static let headSize = 396
    private static let trackSize = 36
    private static let indexSize = 12
    /// A cue sheet has no more than 255 tracks with 255 points each.
    static let maximumSize = headSize + 255 * (trackSize + 255 * indexSize)

    /// Where a track begins, and what it is called.
    private struct Track {
        let start: CMTime
        let isLeadOut: Bool
        let recordingCode: String
    }

    /// The chapters of a block's content: a track for each but the lead-out, which only ends the last.
    ///
    /// A cue sheet has no titles: the ISRC, a code for the recording, stands in for one where it is known.
    ///
    /// - Returns: None if the content is damaged.
    static func chapters(_ content: [UInt8], sampleRate: Int32) -> [Chapter] {
        guard sampleRate > 0, let tracks = tracks(content[...], sampleRate) else { return [] }
        var chapters: [Chapter] = []
        for (index, track) in tracks.enumerated() where !track.isLeadOut {
            let next = index + 1 < tracks.count ? tracks[index + 1] : nil
            let titles = track.recordingCode.isEmpty ? [] : [Chapter.Title(track.recordingCode)]
            let end = next.map { $0.isLeadOut && $0.start > track.start ? $0.start : .invalid } ?? .invalid
            chapters.append(Chapter(start: track.start, end: end, titles: titles))
        }
        return chapters
    }

    private static func tracks(_ content: ArraySlice<UInt8>, _ sampleRate: Int32) -> [Track]? {
        guard content.count >= headSize, let count = content.dropFirst(headSize - 1).first else { return nil }
        let isCD = content[content.startIndex + 136] & 0x80 != 0
        var rest = content.dropFirst(headSize)
        var tracks: [Track] = []
        for position in 0..<Int(count) {
            guard rest.count >= trackSize, let offset = rest.bigEndian64(at: 0).flatMap(Int64.init(exactly:)) else {
                return nil
            }
            let head = Array(rest.prefix(trackSize))
            let points = Int(head[35]) * indexSize
            guard rest.count - trackSize >= points else { return nil }
            rest = rest.dropFirst(trackSize + points)
            tracks.append(
                Track(
                    start: CMTime(value: offset, timescale: sampleRate),
                    isLeadOut: position == Int(count) - 1 || head[8] == (isCD ? 170 : 255),
                    recordingCode: String(latin1: head[9..<21].prefix { $0 != 0 })))
        }
        return tracks
    }

    /// The sample rate that a block of stream information tells.
    static func sampleRate(_ information: [UInt8]) -> Int32? {
        guard let word = information[...].bigEndian32(at: 10) else { return nil }
        return Int32(word >> 12)
    }
}
