internal import MediaCore

/// The tracks of an album in one file, each from where it begins to where the next one does.
struct CueSheet {
    /// A track as far as it has been read.
    private struct Track {
        let number: Substring
        let line: Int
        var title: Substring = ""
        var performer: Substring = ""
        var start: CMTime?
    }

    /// What says nothing about where a track begins, or what it is called.
    private static let others: Set<String> = [
        "REM", "CATALOG", "CDTEXTFILE", "FLAGS", "ISRC", "SONGWRITER", "PREGAP", "POSTGAP", "ARRANGER", "COMPOSER",
        "MESSAGE", "GENRE", "DISC_ID", "TOC_INFO", "UPC_EAN", "SIZE_INFO",
    ]
    /// A CD has no more, and neither have the numbers of two digits.
    private static let maximumTrackCount = 99

    private var mediaFileName: String?
    private var performer: Substring = ""
    private var tracks: [Track] = []

    private init() {}

    static func parse(_ text: ListText) throws(CutListError) -> CutList {
        var sheet = CueSheet()
        for line in text.lines where !line.text.isEmpty { try sheet.read(line) }
        return CutList(
            format: .cueSheet, meaning: .keep, segments: try sheet.segments(), mediaFileName: sheet.mediaFileName)
    }

    private mutating func read(_ line: ListLine) throws(CutListError) {
        let command = line.words[0]
        let rest = Substring(line.text.utf8[command.endIndex...]).withoutSpaces
        switch command.uppercased() {
        case "FILE":
            guard mediaFileName == nil else {
                throw line.failure("there is another FILE, but the tracks of one film can be cut only")
            }
            mediaFileName = String(try fileName(rest, of: line))
        case "TRACK": try readTrack(rest, of: line)
        case "INDEX": try readIndex(rest, of: line)
        case "TITLE":
            let title = try text(rest, of: line)
            if !tracks.isEmpty { tracks[tracks.count - 1].title = title }
        case "PERFORMER":
            let performer = try text(rest, of: line)
            if tracks.isEmpty { self.performer = performer } else { tracks[tracks.count - 1].performer = performer }
        case let command where Self.others.contains(command): break
        default: throw line.failure(command, "is no command of a cue sheet")
        }
    }

    /// A text with or without quotation marks, which nothing follows.
    private func text(_ rest: Substring, of line: ListLine) throws(CutListError) -> Substring {
        guard let (text, following) = try quotedText(rest, of: line) else { return rest }
        guard following.isEmpty else { throw line.failure(following, "must not follow the text") }
        return text
    }

    /// The name of a file, which the word for its type follows.
    private func fileName(_ rest: Substring, of line: ListLine) throws(CutListError) -> Substring {
        let failure = line.failure("a FILE needs a name and a type such as WAVE")
        if let (name, following) = try quotedText(rest, of: line) {
            guard !name.isEmpty, !following.isEmpty else { throw failure }
            return name
        }
        guard let space = rest.utf8.lastIndex(where: \.isSpace) else { throw failure }
        return Substring(rest.utf8[..<space]).withoutSpaces
    }

    /// A text between quotation marks, and what follows; `nil` if there are none.
    private func quotedText(
        _ rest: Substring, of line: ListLine
    ) throws(CutListError) -> (text: Substring, following: Substring)? {
        let quote = UInt8(ascii: "\"")
        guard rest.utf8.first == quote else { return nil }
        let content = rest.utf8.dropFirst()
        // Some programs write quotation marks of the text as they are.
        guard let end = content.lastIndex(of: quote) else { throw line.failure("a quotation mark is missing") }
        return (Substring(content[..<end]), Substring(content[end...].dropFirst()).withoutSpaces)
    }

    private mutating func readTrack(_ rest: Substring, of line: ListLine) throws(CutListError) {
        let words = ListLine(number: line.number, text: rest).words
        guard words.count == 2, words[0].isDigits, words[0].utf8.count <= 2 else {
            throw line.failure("a TRACK needs a number of two digits and its type")
        }
        guard words[1].uppercased() == "AUDIO" else {
            throw line.failure(words[1], "is no type of track that can be cut; AUDIO is")
        }
        guard tracks.count < Self.maximumTrackCount else {
            throw line.failure("there are more than \(Self.maximumTrackCount) tracks")
        }
        tracks.append(Track(number: words[0], line: line.number))
    }

    private mutating func readIndex(_ rest: Substring, of line: ListLine) throws(CutListError) {
        let words = ListLine(number: line.number, text: rest).words
        guard words.count == 2, words[0].isDigits, words[0].utf8.count <= 2 else {
            throw line.failure("an INDEX needs a number of two digits and a time")
        }
        guard !tracks.isEmpty else { throw line.failure("there is no TRACK that the INDEX could be of") }
        let time = try Self.time(words[1], of: line)
        guard Int(words[0]) == 1 else { return }
        guard tracks[tracks.count - 1].start == nil else { throw line.failure("the track has another INDEX 01") }
        if let before = tracks.dropLast().last?.start, time <= before {
            throw line.failure(words[1], "is not after the track before")
        }
        tracks[tracks.count - 1].start = time
    }

    /// Minutes, seconds, and frames of which a second has 75.
    private static func time(_ text: Substring, of line: ListLine) throws(CutListError) -> CMTime {
        let fields = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard fields.count == 3, fields.allSatisfy(\.isDigits), fields.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            let seconds = Int64(fields[1]), let frames = Int64(fields[2]), seconds < 60, frames < 75
        else { throw line.failure(text, "is no time such as 03:25:74 in minutes, seconds and 75ths") }
        // Nine digits leave room for the factors.
        let minutes = Int64(fields[0]).flatMap { $0 < 1_000_000_000 ? $0 : nil }
        let time = minutes.map { CMTime(value: ($0 * 60 + seconds) * 75 + frames, timescale: 75) }
        return try TimeText.checked(time ?? .positiveInfinity, text, line: line.number)
    }

    private func segments() throws(CutListError) -> [CutList.Segment] {
        var segments: [CutList.Segment] = []
        for (index, track) in tracks.enumerated() {
            guard let start = track.start else {
                throw CutListError(line: track.line, "the track has no INDEX 01")
            }
            let end = index + 1 < tracks.count ? tracks[index + 1].start : nil
            try segments.add(from: start, to: end, name: name(of: track), line: track.line)
        }
        return segments
    }

    /// The title, after the performer where that is not the album's.
    private func name(of track: Track) -> Substring {
        let title = track.title.isEmpty ? "Track \(track.number)" : track.title
        let isOwn = !track.performer.isEmpty && track.performer != performer
        return isOwn ? "\(track.performer) - \(title)" : title
    }
}
