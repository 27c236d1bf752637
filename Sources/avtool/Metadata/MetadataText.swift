internal import Foundation
internal import OpenAVFoundation

/// A file's metadata for people.
struct MetadataText {
    let file: String
    let metadata: FileMetadata

    var lines: [String] {
        var lines = [file.oneLine]
        lines += metadata.entries.map { "  " + Self.line(for: $0) }
        for track in metadata.tracks {
            lines.append("  track \(track.trackID)")
            lines += track.entries.map { "    " + Self.line(for: $0) }
        }
        for list in metadata.chapterLists {
            lines.append("  " + ChapterText.heading(for: list))
            lines += ChapterText.lines(for: list.chapters, indent: 4)
        }
        lines += metadata.attachments.map { attachment in
            "  attachment \(attachment.name.oneLine)  \(attachment.mimeType.oneLine), "
                + "\(attachment.range.upperBound - attachment.range.lowerBound) bytes"
        }
        if lines.count == 1 { lines.append("  no metadata") }
        return lines
    }

    /// An item in one line: `itsk/%A9nam  Big Buck Bunny`.
    static func line(for entry: MetadataEntry) -> String {
        var head = entry.identifier.rawValue
        if let info = entry.info, !info.isEmpty { head += "[\(info.oneLine)]" }
        if let tag = entry.languageTag { head += " (\(tag.oneLine))" }
        return "\(head)  \(text(of: entry))"
    }

    private static func text(of entry: MetadataEntry) -> String {
        switch entry.value {
        case .text(let text): text.oneLine
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .data: entry.displayText ?? ""
        }
    }
}
