internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A still as a file's bytes, and all that is said of it.
struct EncodedStill: Sendable {
    let source: String
    let index: Int
    let requestedTime: CMTime
    let actualTime: CMTime
    let duration: CMTime
    let isSyncSample: Bool
    let isExact: Bool
    let damage: String?
    let choice: RepresentativeChoice?
    let width: Int
    let height: Int
    /// The part of the picture that is shown, `nil` for all of it.
    let crop: PixelRect?
    let data: Data

    /// The line of results for people.
    func line(file: String) -> String {
        let mark = damage.map { "  damaged: \($0.oneLine)" } ?? ""
        let why = choice.map { "  \($0.reason)" } ?? ""
        let actual = actualTime.secondsText(lasting: duration)
        return "\(requestedTime.secondsText()) → \(actual)  \(file.oneLine)\(mark)\(why)"
    }

    /// The pixels for a program, and before them, if wanted, a line that tells of them.
    func streamed(withHeader: Bool) throws -> [UInt8] {
        guard withHeader else { return Array(data) }
        return Array((try JSONLine.text(JSONStill(still: self, file: nil)) + "\n").utf8) + data
    }

    /// The line of results for `--json`.
    func json(file: String) -> JSONStill { JSONStill(still: self, file: file) }
}
