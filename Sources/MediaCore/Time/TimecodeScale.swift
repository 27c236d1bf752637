/// How the frames of a film are labelled: from which label on, and at which rate; beyond Core Media.
public struct TimecodeScale: Hashable, Sendable {
    /// The label of the first frame.
    public let start: Timecode
    /// Labels in each second, from 1 to 1000: 30 for 29.97 frames.
    public let framesPerSecond: Int
    /// How long a frame really lasts: 1001/30000 s for 29.97 frames.
    public let frameDuration: CMTime
    /// Where on the asset's timeline the first frame begins.
    public let startTime: CMTime
    /// Whether there is one picture for each label, so that labels number them.
    public let numbersPictures: Bool
    /// Whether the film says how its frames are labelled; else labels begin at
    /// zero, and may leave out numbers or not.
    public let isOfFilm: Bool

    /// Makes a scale.
    ///
    /// - Parameters:
    ///   - start: The film's own first label, `nil` if it has none.
    ///   - framesPerSecond: From 1 to 1000.
    ///   - frameDuration: Above zero.
    /// - Returns: `nil` if the numbers are out of range, or the start is no label at
    ///   that rate.
    public init?(
        start: Timecode?, framesPerSecond: Int, frameDuration: CMTime, startTime: CMTime = .zero,
        numbersPictures: Bool = false
    ) {
        guard (1...1000).contains(framesPerSecond), frameDuration.kind == .numeric, frameDuration > .zero,
            startTime.kind == .numeric
        else { return nil }
        self.start = start ?? .zero
        self.framesPerSecond = framesPerSecond
        self.frameDuration = frameDuration
        self.startTime = startTime
        self.numbersPictures = numbersPictures
        isOfFilm = start != nil
        if flaw(of: self.start) != nil { return nil }
    }

    /// How many frames after the first the one with a label is.
    ///
    /// Labels go on at midnight: one before the first is that of the next day.
    ///
    /// - Returns: `nil` for what is no label of this film; ``flaw(of:)`` says why.
    public func frame(of timecode: Timecode) -> Int? {
        guard flaw(of: timecode) == nil else { return nil }
        let first = isOfFilm ? start : nil
        let number = count(timecode) - (first.map(count) ?? 0)
        return number < 0 ? number + framesPerDay(isDropFrame: timecode.isDropFrame) : number
    }

    /// Why a label is none of this film: a predicate; `nil` if it is one.
    public func flaw(of timecode: Timecode) -> String? {
        if isOfFilm, timecode.isDropFrame != start.isDropFrame {
            return start.isDropFrame
                ? "counts every number, but this film's timecode is drop frame: write ; before the frames"
                : "is drop frame, but this film's timecode is not: write : before the frames"
        }
        guard timecode.frames < framesPerSecond else {
            return "has no such frame: at \(framesPerSecond) frames per second they go from 0 to \(framesPerSecond - 1)"
        }
        guard timecode.isDropFrame else { return nil }
        guard droppedPerMinute > 0 else {
            return "is drop frame, which is for 29.97 frames per second and multiples of it"
        }
        let isGap = timecode.seconds == 0 && timecode.minutes % 10 != 0 && timecode.frames < droppedPerMinute
        return isGap ? "is a number that drop frame leaves out" : nil
    }

    /// Where the frame of a number is on the asset's timeline by the rate alone.
    ///
    /// - Parameter number: Counted from 0, the first frame; negative before it.
    /// - Returns: Invalid if no `CMTime` holds it.
    public func time(ofFrame number: Int) -> CMTime {
        let (ticks, overflow) = frameDuration.value.multipliedReportingOverflow(by: Int64(number))
        return overflow ? .invalid : startTime + CMTime(value: ticks, timescale: frameDuration.timescale)
    }

    /// Two for 30 labels in a second where frames last longer than that.
    private var droppedPerMinute: Int {
        let isSlower = CMTimeCompare(frameDuration, CMTime(value: 1, timescale: Int32(framesPerSecond))) > 0
        return framesPerSecond % 30 == 0 && isSlower ? framesPerSecond / 15 : 0
    }

    /// Frames from midnight on; of each ten minutes nine leave numbers out.
    private func count(_ timecode: Timecode) -> Int {
        let minutes = timecode.hours * 60 + timecode.minutes
        let numbers = (minutes * 60 + timecode.seconds) * framesPerSecond + timecode.frames
        return timecode.isDropFrame ? numbers - droppedPerMinute * (minutes - minutes / 10) : numbers
    }

    private func framesPerDay(isDropFrame: Bool) -> Int {
        let numbers = 86400 * framesPerSecond
        return isDropFrame ? numbers - droppedPerMinute * (1440 - 144) : numbers
    }
}
