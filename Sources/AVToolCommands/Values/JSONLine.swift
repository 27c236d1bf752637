internal import Foundation
internal import MediaCore
internal import MediaIO

/// One line of JSON.
package enum JSONLine {
    /// The line without its end; harmless wherever it is shown.
    package static func text(_ value: any Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Bytes of file names that are not UTF-8 are shown as \xE9, whose backslash JSON doubles.
        return String(decoding: try encoder.encode(value), as: UTF8.self).withVisiblePathBytes(mark: #"\\x"#)
            .printableJSON
    }
}
