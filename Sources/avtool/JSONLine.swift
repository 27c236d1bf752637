internal import Foundation
internal import OpenAVFoundation

/// One line of JSON on standard output.
enum JSONLine {
    static func print(_ value: some Encodable) throws { try Console.print(try text(value)) }

    /// The line without its end.
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Bytes of file names that are not UTF-8 are shown as \xE9, whose backslash JSON doubles.
        return String(decoding: try encoder.encode(value), as: UTF8.self).withVisiblePathBytes(mark: #"\\x"#)
    }
}

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
        guard timescale > 0 else { throw Failure(.badInput, "invalidJSON", "a time's timescale must be above zero") }
        return CMTime(value: value, timescale: timescale)
    }
}

/// A failure as JSON has it.
struct JSONError: Encodable {
    let code: String
    let message: String

    init(_ failure: Failure) {
        code = failure.name
        message = failure.message
    }
}

/// A file that could not be read at all.
struct JSONFailedSource: Encodable {
    let source: String
    let error: JSONError
}
