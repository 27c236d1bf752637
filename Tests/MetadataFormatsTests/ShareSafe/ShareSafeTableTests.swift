import Foundation
import MediaMetadata
import MetadataFormats
import Testing

/// The document tells what the code does, because its table is made by the code.
///
/// `AVTOOL_RECORD_SNAPSHOTS=1` writes the table anew.
@Suite struct `The table of what may be shared` {
    @Test func `The table of what may be shared is the one in the document`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/share-safe.md").standardized
        let text = try String(contentsOf: path, encoding: .utf8)
        let (start, end) = ("<!-- table -->\n", "\n<!-- end of table -->")
        let head = try #require(text.range(of: start))
        let foot = try #require(text.range(of: end))
        if ProcessInfo.processInfo.environment["AVTOOL_RECORD_SNAPSHOTS"] == "1" {
            let new = text[..<head.upperBound] + ShareSafeTable.markdown + text[foot.lowerBound...]
            try String(new).write(to: path, atomically: true, encoding: .utf8)
            return
        }
        #expect(
            text[head.upperBound..<foot.lowerBound] == ShareSafeTable.markdown,
            "AVTOOL_RECORD_SNAPSHOTS=1 scripts/test --filter ShareSafeTable writes docs/share-safe.md anew")
    }
}
