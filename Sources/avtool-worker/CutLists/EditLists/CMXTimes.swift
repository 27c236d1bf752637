internal import MediaCore

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
