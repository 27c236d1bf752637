internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// One line of JSON on standard output.
enum JSONLine {
    static func print(_ value: any Encodable) throws { try Console.print(try text(value)) }

    /// The line without its end.
    static func text(_ value: any Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Bytes of file names that are not UTF-8 are shown as \xE9, whose backslash JSON doubles.
        return String(decoding: try encoder.encode(value), as: UTF8.self).withVisiblePathBytes(mark: #"\\x"#)
    }
}
