internal import Foundation
internal import OpenAVFoundation

/// One line of JSON on standard output.
enum JSONLine {
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = String(data: try encoder.encode(value), encoding: .utf8) else { return }
        try Console.print(text)
    }
}

/// A time as JSON has it: exact, and in seconds for display.
struct JSONTime: Encodable {
    let value: Int64
    let timescale: Int32
    let seconds: Double

    /// `nil` for times that are not numbers.
    init?(_ time: CMTime) {
        guard time.isNumeric else { return nil }
        value = time.value
        timescale = time.timescale
        seconds = time.seconds
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
