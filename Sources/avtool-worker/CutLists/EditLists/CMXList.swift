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
