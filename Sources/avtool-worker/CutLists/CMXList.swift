internal import MediaCore

/// An edit decision list as CMX 3600 wrote it, and as editing programs write it now.
///
/// What it takes of its sources stays, in the order of its events; where it puts that, and the sound of other
/// channels, is left to the new file.
enum CMXList {
    /// What stands between events and changes nothing of what is cut.
    private static let remarks = [
        "*", "#", ">>>", "TITLE:", "FROM CLIP", "TO CLIP", "SOURCE FILE", "FINAL CUT PRO", "EFFECTS NAME", "AUD ",
        "AUD\t", "SPLIT:", "GPI", "DLEDL:", "REEL", "TRKS",
    ]

    static func parse(_ text: ListText, frames: TimecodeScale?) throws(CutListError) -> CutList {
        let (events, mediaFileName) = try contents(of: text)
        var segments: [CutList.Segment] = []
        if let first = events.first {
            guard let frames else {
                throw CutListError(line: first.line, "timecodes need the film's frame rate, which is not known")
            }
            let times = try CMXTimes(events, frames: frames)
            for event in try taken(events) {
                let (start, end) = (try times.time(event.times.start, event), try times.time(event.times.end, event))
                try segments.add(
                    from: try TimeText.checked(start, event.texts.start, line: event.line),
                    to: try TimeText.checked(end, event.texts.end, line: event.line), name: event.clipName,
                    line: event.line)
            }
        }
        return CutList(format: .cmx3600, meaning: .keep, segments: segments, mediaFileName: mediaFileName)
    }

    /// The events, and the file if all of them name one and the same.
    private static func contents(
        of text: ListText
    ) throws(CutListError) -> (events: [CMXEvent], mediaFileName: String?) {
        var events: [CMXEvent] = []
        var files: Set<Substring> = []
        var isDropFrame = false
        var isAfterEvent = false
        for line in text.lines where !line.text.isEmpty {
            let upper = line.text.uppercased()
            if line.text.utf8.first?.isDigit == true {
                // Sound repeats the events of pictures, at most on a few channels.
                guard events.count < 8 * CutList.Segment.maximumCount else {
                    throw line.failure("there are too many events")
                }
                let event = try CMXEvent(line, isDropFrame: isDropFrame)
                isAfterEvent = event != nil
                if let event { events.append(event) }
            } else if upper.hasPrefix("FCM:") {
                isDropFrame = try isDropFrameMode(line)
            } else if upper.hasPrefix("M2"), line.words[0].utf8.count == 2 {
                throw line.failure("the event before changes the speed (M2), which cannot be done here")
            } else if remarks.contains(where: upper.hasPrefix) {
                if let name = value(of: "FROM CLIP NAME", in: line), isAfterEvent {
                    events[events.count - 1].clipName = name
                }
                if let name = value(of: "SOURCE FILE", in: line) { files.insert(name) }
            } else {
                throw line.failure(line.text, "is neither an event nor a remark of an EDL")
            }
        }
        return (events, files.count == 1 ? files.first.map { String($0) } : nil)
    }

    private static func isDropFrameMode(_ line: ListLine) throws(CutListError) -> Bool {
        switch line.text.dropFirst(4).uppercased().split(whereSeparator: { $0 == " " || $0 == "-" }) {
        case ["DROP", "FRAME"]: return true
        case ["NON", "DROP", "FRAME"]: return false
        default: throw line.failure("FCM is neither DROP FRAME nor NON-DROP FRAME")
        }
    }

    /// What a remark says after its key and a colon; `nil` if it has another key, or nothing.
    private static func value(of key: String, in line: ListLine) -> Substring? {
        let remark = line.text.drop { $0 == "*" }.withoutSpaces
        guard remark.prefix(key.count).uppercased() == key else { return nil }
        let rest = remark.dropFirst(key.count).withoutSpaces
        guard rest.hasPrefix(":") else { return nil }
        let value = rest.dropFirst().withoutSpaces
        return value.isEmpty ? nil : value
    }

    /// The events of pictures, or of a list without any those of sound, each once.
    private static func taken(_ events: [CMXEvent]) throws(CutListError) -> [CMXEvent] {
        let pictures = events.filter(\.hasVideo)
        var times = Set(pictures.map(\.times))
        if pictures.isEmpty { return events.filter { times.insert($0.times).inserted } }
        if let alone = events.first(where: { !$0.hasVideo && !times.contains($0.times) }) {
            throw CutListError(
                line: alone.line,
                "the event takes sound where no event takes the same pictures, which cannot be done here")
        }
        return pictures
    }
}

/// A line of an edit list that takes a part of a source.
struct CMXEvent {
    /// The times that tell whether an event of sound repeats one of pictures.
    struct Times: Hashable {
        let start: Timecode
        let end: Timecode
        let record: Timecode
    }

    let line: Int
    let hasVideo: Bool
    let times: Times
    /// The words in the list for the start and the end, for messages.
    let texts: (start: Substring, end: Substring)
    var clipName: Substring = ""

    /// Reads an event that cutting can do.
    ///
    /// - Parameter isDropFrame: Whether the list says so of timecodes whose punctuation does not.
    /// - Returns: `nil` if it records neither pictures nor sound.
    init?(_ line: ListLine, isDropFrame: Bool) throws(CutListError) {
        let words = line.words
        // Number, reel, channels and the kind of edit; a name of a reel may have spaces.
        guard words.count >= 8 else {
            throw line.failure("an event needs a number, a reel, channels, a kind of edit and four timecodes")
        }
        let head = words.dropLast(4)
        let (reel, channels) = try Self.source(head, of: line)
        var timecodes: [Timecode] = []
        for word in words.suffix(4) {
            guard let timecode = Self.timecode(word, isDropFrame: isDropFrame) else {
                throw line.failure(word, "is no timecode such as 01:00:00:00")
            }
            timecodes.append(timecode)
        }
        if channels == "NONE" { return nil }
        guard reel.uppercased() != "BL", reel.uppercased() != "BLACK" else {
            throw line.failure("the event is black (\(reel)), which no film holds")
        }
        // Sound only is A, A2, A12, AA and the like; V, B, A/V, AA/V, VA12 have pictures.
        hasVideo = channels == "B" || channels.contains("V")
        guard hasVideo || channels.hasPrefix("A") else {
            throw line.failure(channels[...], "is no kind of channels such as V, A, B or AA/V")
        }
        self.line = line.number
        times = Times(start: timecodes[0], end: timecodes[1], record: timecodes[2])
        texts = (words[words.count - 4], words[words.count - 3])
    }

    /// The reel and the channels of a cut.
    private static func source(
        _ head: ArraySlice<Substring>, of line: ListLine
    ) throws(CutListError) -> (reel: String, channels: String) {
        let kinds = head.dropFirst(3)
        if kinds.last?.uppercased() == "C" {
            let reel = head.dropFirst().dropLast(2).joined(separator: " ")
            return (reel, head[head.endIndex - 2].uppercased())
        }
        for kind in kinds.map({ $0.uppercased() }) {
            switch kind.utf8.first {
            case UInt8(ascii: "D") where kind == "D":
                throw line.failure("the event is a dissolve (D); only cuts (C) can be done here")
            case UInt8(ascii: "W") where kind.utf8.count <= 4 && Substring(kind.dropFirst()).isDigits:
                throw line.failure("the event is a wipe (\(kind)); only cuts (C) can be done here")
            case UInt8(ascii: "K") where ["K", "KB", "KO"].contains(kind):
                throw line.failure("the event is a key (\(kind)); only cuts (C) can be done here")
            default: continue
            }
        }
        throw line.failure(kinds.last ?? "", "is no kind of edit; only cuts (C) can be done here")
    }

    /// A timecode with colons or semicolons in any of its places.
    private static func timecode(_ word: Substring, isDropFrame: Bool) -> Timecode? {
        let fields = word.split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        guard fields.count == 4 else { return nil }
        let separator = isDropFrame || word.contains(";") ? ";" : ":"
        return Timecode(fields[..<3].joined(separator: ":") + separator + fields[3])
    }
}

/// Where a list's timecodes are on the film's timeline.
struct CMXTimes {
    private let fromZero: TimecodeScale
    /// The number of the label that the film's first frame has for the list.
    private let first: Int

    /// Finds out whether a list goes by the film's timecode or counts from zero, which it does if any of its times is
    /// before the film's first.
    init(_ events: [CMXEvent], frames: TimecodeScale) throws(CutListError) {
        guard
            let fromZero = TimecodeScale(
                start: nil, framesPerSecond: frames.framesPerSecond, frameDuration: frames.frameDuration,
                startTime: frames.startTime)
        else { throw CutListError("the film has no frame rate that timecodes could count at") }
        self.fromZero = fromZero
        guard frames.isOfFilm, let first = fromZero.frame(of: frames.start), first > 0 else {
            self.first = 0
            return
        }
        for event in events {
            let number = try Self.frame(of: event.times.start, event, fromZero)
            if number < first {
                self.first = 0
                return
            }
        }
        // The film's own kind of labels, by which alone its first one has a number.
        for event in events {
            for timecode in [event.times.start, event.times.end] {
                if let flaw = frames.flaw(of: timecode) { throw Self.failure(timecode, flaw, event) }
            }
        }
        self.first = first
    }

    func time(_ timecode: Timecode, _ event: CMXEvent) throws(CutListError) -> CMTime {
        // Both are below a day of frames.
        let number = try Self.frame(of: timecode, event, fromZero) - first
        // An end before the start is told later; it must not be before the film for that.
        return fromZero.time(ofFrame: max(0, number))
    }

    private static func frame(
        of timecode: Timecode, _ event: CMXEvent, _ scale: TimecodeScale
    ) throws(CutListError) -> Int {
        guard let number = scale.frame(of: timecode) else {
            throw failure(timecode, scale.flaw(of: timecode) ?? "has no frame", event)
        }
        return number
    }

    private static func failure(_ timecode: Timecode, _ flaw: String, _ event: CMXEvent) -> CutListError {
        CutListError(line: event.line, "\(timecode.description.quoted()) \(flaw)")
    }
}
