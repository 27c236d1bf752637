internal import MediaCore

/// What mpv plays one after another: a file, a start and a length on each line.
enum MPVList {
    /// Lines about the whole list that change nothing of what is cut.
    private static let headers: Set<Substring> = ["!no_chapters", "!track_meta", "!global_tags"]

    static func parse(_ text: ListText) throws(CutListError) -> CutList {
        var reader = MPVReader(text.text)
        guard reader.entryLine().drop(while: { $0 == "#" }).withoutSpaces == "mpv EDL v0" else {
            throw CutListError(line: 1, "only version 0 of mpv's EDL is known: # mpv EDL v0")
        }
        var segments: [CutList.Segment] = []
        var mediaFileName: String?
        while !reader.isAtEnd {
            let line = reader.line
            if reader.first == nil || reader.first == UInt8(ascii: "#") {
                _ = reader.entryLine()
            } else if reader.first == UInt8(ascii: "!") {
                let header = reader.entryLine()
                guard headers.contains(header.prefix { $0 != "," }) else {
                    throw CutListError(line: line, "\(header.quoted()) cannot be done here")
                }
            } else {
                let entry = try MPVEntry(try reader.parameters(), line: line)
                guard mediaFileName == nil || mediaFileName == entry.file else {
                    throw CutListError(line: line, "another file begins, but one film can be cut only")
                }
                mediaFileName = entry.file
                try segments.add(from: entry.start, to: entry.end, name: entry.title[...], line: line)
            }
        }
        return CutList(format: .mpv, meaning: .keep, segments: segments, mediaFileName: mediaFileName)
    }
}

/// Reads the entries of mpv's list, between which are semicolons or ends of lines.
struct MPVReader {
    /// More parameters of an entry than this are not read; mpv knows six.
    private static let maximumParameterCount = 32

    private var rest: Substring.UTF8View
    private(set) var line = 1

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// The first byte of the next entry; `nil` if that is empty.
    var first: UInt8? { rest.first.flatMap { Self.isEnd($0) ? nil : $0 } }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ";") }

    /// All of the next entry, of a remark all of its line.
    mutating func entryLine() -> Substring {
        let isRemark = rest.first == UInt8(ascii: "#")
        let content = rest.prefix { isRemark ? $0 != UInt8(ascii: "\n") : !Self.isEnd($0) }
        rest = rest[content.endIndex...]
        skipEnd()
        return Substring(content)
    }

    private mutating func skipEnd() {
        if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
    }

    /// The parameters of the next entry, those without a name with an empty one.
    mutating func parameters() throws(CutListError) -> [(name: String, value: String)] {
        let start = line
        var parameters: [(name: String, value: String)] = []
        while true {
            guard parameters.count < Self.maximumParameterCount else {
                throw CutListError(line: start, "there are more than \(Self.maximumParameterCount) parameters")
            }
            let name = rest.prefix { !"=%,;\n".utf8.contains($0) }
            let hasName = rest[name.endIndex...].first == UInt8(ascii: "=")
            if hasName { rest = rest[name.endIndex...].dropFirst() }
            parameters.append((hasName ? String(Substring(name)) : "", try value()))
            if rest.first == UInt8(ascii: ",") {
                rest.removeFirst()
            } else {
                skipEnd()
                return parameters
            }
        }
    }

    /// A value, of which `%5%` before it tells how many bytes it has, whatever they are.
    private mutating func value() throws(CutListError) -> String {
        guard rest.first == UInt8(ascii: "%") else {
            let value = rest.prefix { $0 != UInt8(ascii: ",") && !Self.isEnd($0) }
            rest = rest[value.endIndex...]
            return String(Substring(value))
        }
        let digits = Substring(rest.dropFirst().prefix(while: \.isDigit))
        let content = rest[digits.endIndex...].dropFirst()
        guard rest[digits.endIndex...].first == UInt8(ascii: "%"), let count = Int(digits), count <= content.count,
            let value = String(validating: content.prefix(count), as: UTF8.self)
        else { throw CutListError(line: line, "there is no text of as many bytes as the number after % says") }
        rest = content.dropFirst(count)
        guard rest.first.map({ $0 == UInt8(ascii: ",") || Self.isEnd($0) }) ?? true else {
            throw CutListError(line: line, "something follows a text whose length is given")
        }
        line += value.utf8.count { $0 == UInt8(ascii: "\n") }
        return value
    }
}

/// A line of mpv's list.
struct MPVEntry {
    let file: String
    let start: CMTime
    /// `nil` is the end of the file.
    let end: CMTime?
    let title: String

    init(_ parameters: [(name: String, value: String)], line: Int) throws(CutListError) {
        var values: [String: String] = [:]
        for (index, parameter) in parameters.enumerated() {
            let positions = ["file", "start", "length"]
            guard !parameter.name.isEmpty || index < positions.count else {
                throw CutListError(line: line, "there are more than a file, a start and a length without names")
            }
            let name = parameter.name.isEmpty ? positions[index] : parameter.name
            guard positions.contains(name) || ["title", "layout", "timestamps"].contains(name) else {
                throw CutListError(line: line, "\(name.quoted()) is no parameter that is known")
            }
            guard values.updateValue(parameter.value, forKey: name) == nil else {
                throw CutListError(line: line, "\(name.quoted()) stands twice")
            }
        }
        if let timestamps = values["timestamps"], timestamps != "seconds" {
            throw CutListError(line: line, "times in \(timestamps.quoted()) cannot be done here, only in seconds")
        }
        file = values["file"] ?? ""
        guard !file.isEmpty else { throw CutListError(line: line, "there is no file") }
        start = try Self.time(values["start"], line: line) ?? .zero
        let length = try Self.time(values["length"], line: line)
        if let length, length == .zero { throw CutListError(line: line, "the length is zero") }
        let start = start
        end = length.map { start + $0 }
        if let end { _ = try TimeText.checked(end, "start and length together", line: line) }
        title = values["title"] ?? ""
    }

    private static func time(_ text: String?, line: Int) throws(CutListError) -> CMTime? {
        guard let text, !text.isEmpty else { return nil }
        return try TimeText.time(text[...], line: line)
    }
}

/// What MPlayer and Kodi do at which times: start, end, and the number of an action.
enum MPlayerList {
    static func parse(_ text: ListText, frames: TimecodeScale?) throws(CutListError) -> CutList {
        var segments: [CutList.Segment] = []
        for line in text.lines where !line.text.isEmpty && !line.isRemark {
            let words = line.words
            guard (2...3).contains(words.count), let action = words.last else {
                throw line.failure("there must be a start, an end and an action between spaces")
            }
            var times: [CMTime] = []
            for word in words.dropLast() { times.append(try time(word, frames, of: line)) }
            switch action {
            case "0" where times.count == 2, "3" where times.count == 2:
                try segments.add(from: times[0], to: times[1], line: line.number)
            case "1":
                throw line.failure("the action is to mute the sound (1), which cannot be done here")
            case "2":
                // A scene marker, which is a place to go to; Kodi's have no end.
                continue
            default:
                let isAction = action == "0" || action == "3"
                throw isAction
                    ? line.failure("there must be a start, an end and an action between spaces")
                    : line.failure(action, "is no action: 0 cuts, 1 mutes, 2 marks a scene, 3 skips commercials")
            }
        }
        return CutList(format: .mplayer, meaning: .cut, segments: segments)
    }

    private static func time(
        _ word: Substring, _ frames: TimecodeScale?, of line: ListLine
    ) throws(CutListError) -> CMTime {
        guard word.hasPrefix("#") else { return try TimeText.time(word, line: line.number) }
        guard let frames else {
            throw line.failure(word, "is a frame, and the film's frame rate is not known")
        }
        return try TimeText.time(ofFrame: word.dropFirst(), frames, line: line.number)
    }
}

/// Commercials by their first and last frames, as comskip writes them by default.
enum ComskipList {
    /// Frames of a hundred seconds that stand for a rate with 1001 in it, which comskip cuts or rounds.
    private static let rates: [Int: CMTimeScale] = [
        2397: 24000, 2398: 24000, 2997: 30000, 4795: 48000, 5994: 60000, 11988: 120_000,
    ]

    static func parse(_ text: ListText, frames: TimecodeScale?) throws(CutListError) -> CutList {
        var scale: TimecodeScale?
        var segments: [CutList.Segment] = []
        for line in text.lines where !line.text.isEmpty {
            guard let known = scale else {
                scale = try self.scale(line, frames)
                continue
            }
            if line.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") }) { continue }
            let words = line.words
            guard words.count == 2 else { throw line.failure("there must be two numbers of frames") }
            try segments.add(
                from: try TimeText.time(ofFrame: words[0], known, line: line.number),
                to: try TimeText.time(ofFrame: words[1], known, line: line.number), line: line.number)
        }
        return CutList(format: .comskip, meaning: .cut, segments: segments)
    }

    /// The frames by the first line: `FILE PROCESSING COMPLETE  12345 FRAMES AT  2997`.
    ///
    /// Old versions of comskip wrote no rate.
    private static func scale(_ line: ListLine, _ frames: TimecodeScale?) throws(CutListError) -> TimecodeScale {
        let words = line.words.dropFirst(3).map { $0 }
        if words.isEmpty {
            guard let frames else { throw line.failure("there is no frame rate, and the film's is not known") }
            return frames
        }
        guard words.count == 4, words[0].isDigits, words[1] == "FRAMES", words[2] == "AT",
            words[3].isDigits
        else { throw line.failure("the line must end as 12345 FRAMES AT 2997 does") }
        let hundredths = Int(words[3]) ?? .max
        // Up to a thousand frames a second, as timecodes have them.
        guard (1...100_000).contains(hundredths) else { throw line.failure(words[3], "is no frame rate") }
        let duration =
            rates[hundredths].map { CMTime(value: 1001, timescale: $0) }
            ?? CMTime(value: 100, timescale: CMTimeScale(hundredths))
        guard let scale = TimecodeScale(start: nil, framesPerSecond: max(1, hundredths / 100), frameDuration: duration)
        else { throw line.failure(words[3], "is no frame rate") }
        return scale
    }
}
