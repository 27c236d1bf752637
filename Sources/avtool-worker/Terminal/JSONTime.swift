internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A time as JSON has it: exact, and in seconds.
///
/// Whoever asks for the frame at the seconds of a frame's time gets that frame:
/// they are rounded up. Those of lengths are rounded down.
struct JSONTime: Codable {
    static let zero = JSONTime(value: 0, timescale: 1, seconds: 0)

    let value: Int64
    let timescale: Int32
    let seconds: Double?

    /// `nil` for times that are not numbers.
    init?(_ time: CMTime) {
        guard time.isNumeric else { return nil }
        self.init(value: time.value, timescale: time.timescale, seconds: time.secondsRoundedUp)
    }

    /// A length of time; `nil` for those that are not numbers.
    init?(length: CMTime) {
        guard length.isNumeric else { return nil }
        self.init(value: length.value, timescale: length.timescale, seconds: length.secondsRoundedDown)
    }

    private init(value: Int64, timescale: Int32, seconds: Double) {
        (self.value, self.timescale, self.seconds) = (value, timescale, seconds)
    }

    /// The exact time.
    func time() throws -> CMTime {
        guard timescale > 0 else { throw Failure(.invalidJSON, "a time's timescale must be above zero") }
        return CMTime(value: value, timescale: timescale)
    }
}
