/// The label of a frame, as SMPTE ST 12-1 has it: `01:00:10:00`.
///
/// Drop-frame labels have a semicolon before the frames, `01:00:10;02`: they
/// leave out numbers, not frames, so that they keep pace with the clock at 29.97
/// frames per second. Beyond Core Media.
public struct Timecode: Hashable, Sendable {
    /// From 0 to 23.
    public let hours: Int
    /// From 0 to 59.
    public let minutes: Int
    /// From 0 to 59.
    public let seconds: Int
    /// The frame's number in its second, from 0 to 999; how far it goes says the rate.
    public let frames: Int
    /// Whether numbers are left out.
    public let isDropFrame: Bool

    /// The label of all zeros.
    public static let zero = Timecode(fields: [0, 0, 0, 0], isDropFrame: false)

    /// Makes a label; `nil` if a field is out of its range, whatever the rate.
    public init?(hours: Int, minutes: Int, seconds: Int, frames: Int, isDropFrame: Bool = false) {
        guard (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds),
            (0..<1000).contains(frames)
        else { return nil }
        self.init(fields: [hours, minutes, seconds, frames], isDropFrame: isDropFrame)
    }

    /// Reads a label; `nil` if the text is none.
    ///
    /// - Parameter text: Four fields of digits between colons; a semicolon before
    ///   the last says drop frame.
    public init?(_ text: some StringProtocol) {
        let fields = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        let separators = String(text.filter { $0 == ":" || $0 == ";" })
        guard fields.count == 4, separators == ":::" || separators == "::;" else { return nil }
        let numbers = fields.compactMap { field in
            (1...3).contains(field.count) && field.allSatisfy(\.isASCIIDigit) ? Int(field) : nil
        }
        guard numbers.count == 4 else { return nil }
        self.init(
            hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
            isDropFrame: separators.hasSuffix(";"))
    }

    /// Whether a text is a label rather than a time of the clock, be it a right one or not.
    static func isMeant(by text: some StringProtocol) -> Bool {
        text.allSatisfy { $0.isASCIIDigit || $0 == ":" || $0 == ";" }
            && (text.contains(";") || text.count { $0 == ":" } == 3)
    }

    /// - Parameter fields: Four numbers in range.
    private init(fields: [Int], isDropFrame: Bool) {
        (hours, minutes, seconds, frames) = (fields[0], fields[1], fields[2], fields[3])
        self.isDropFrame = isDropFrame
    }
}

extension Timecode: CustomStringConvertible {
    /// Fields of two digits, as ``init(_:)`` reads them.
    public var description: String {
        let fields = [hours, minutes, seconds, frames].map { $0 < 10 ? "0\($0)" : String($0) }
        return fields[..<3].joined(separator: ":") + (isDropFrame ? ";" : ":") + fields[3]
    }
}

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
