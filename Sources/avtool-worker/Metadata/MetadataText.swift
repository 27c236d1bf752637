internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file's metadata for people.
struct MetadataText {
    let file: String
    let metadata: FileMetadata
    /// Whether items are named by their identifiers, each one as the file has it.
    var withIdentifiers = false

    var lines: [String] {
        var lines = [file.oneLine]
        lines += Self.lines(for: metadata.entries, withIdentifiers: withIdentifiers).map { $0.indented(2) }
        if let date = metadata.creationDate {
            lines.append("  " + Self.line("header-date", ISO8601Timestamp.text(of: date)))
        }
        for trackID in trackIDs {
            let own = trackLines(trackID)
            guard !own.isEmpty else { continue }
            lines.append("  track \(trackID)")
            lines += own.map { $0.indented(4) }
        }
        for (index, link) in metadata.links.enumerated() {
            lines.append("  link \(index + 2) of the chain")
            lines += Self.lines(for: link, withIdentifiers: withIdentifiers).map { $0.indented(4) }
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

    private var trackIDs: [Int64] {
        // Tracks of chapters are shown as such.
        let chapters = Set(metadata.chapterLists.compactMap { $0.trackID.map(Int64.init) })
        let labels = metadata.labels.map(\.trackID).filter { !chapters.contains($0) }
        return Set(metadata.tracks.map(\.trackID) + labels).sorted()
    }

    private func trackLines(_ trackID: Int64) -> [String] {
        let entries = metadata.tracks.filter { $0.trackID == trackID }.flatMap(\.entries)
        var lines: [String] = []
        if let label = metadata.labels.first(where: { $0.trackID == trackID }) {
            if let name = label.name { lines.append(Self.line("name", name)) }
            if let tag = label.languageTag { lines.append(Self.line("language", tag)) }
            if let handler = label.handlerName, handler != label.name { lines.append(Self.line("handler", handler)) }
            if !label.roles.isEmpty { lines.append(Self.line("purpose", label.roles.texts.joined(separator: ", "))) }
        }
        // Name and purpose are told above in words.
        let others = withIdentifiers ? entries : entries.filter { !$0.isTrackName && !$0.isTrackRole }
        return lines + Self.lines(for: others, withIdentifiers: withIdentifiers)
    }

    // MARK: Items

    /// Items, a line each, and more for values of several lines.
    static func lines(for entries: [MetadataEntry], withIdentifiers: Bool) -> [String] {
        guard !withIdentifiers else { return entries.flatMap { Self.lines(for: $0) } }
        return PlainMetadata(entries).items.flatMap { item -> [String] in
            var name = item.name.oneLine
            let notes = [item.languageTag?.oneLine, item.keySpace.map { "in \($0)" }].compactMap { $0 }
            if !notes.isEmpty { name += " (\(notes.joined(separator: ", ")))" }
            return item.values.flatMap { broken(name, $0) }
        }
    }

    /// An item by its identifier: `itsk/%A9nam  Big Buck Bunny`.
    static func lines(for entry: MetadataEntry) -> [String] {
        var head = entry.identifier.rawValue
        if let info = entry.info, !info.isEmpty { head += "[\(info.oneLine)]" }
        if let tag = entry.languageTag { head += " (\(tag.oneLine))" }
        return broken(head, text(of: entry), width: 0)
    }

    /// The first line of an item.
    static func line(for entry: MetadataEntry) -> String { lines(for: entry)[0] }

    /// Names of the usual length get their values below each other.
    private static let nameWidth = 14

    private static func line(_ name: String, _ value: String) -> String { broken(name, value).joined(separator: " ") }

    /// A name and its value; what follows the value's first line stands below it.
    private static func broken(_ name: String, _ value: String, width: Int = nameWidth) -> [String] {
        let head = name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0) + "  "
        let lines = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String($0).oneLine
        }
        let indent = String(repeating: " ", count: head.count)
        let rest = lines.dropFirst().map { $0.isEmpty ? "" : indent + $0 }
        return [head + (lines.first ?? "")] + rest
    }

    private static func text(of entry: MetadataEntry) -> String {
        switch entry.value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .data: entry.displayText ?? ""
        }
    }
}

extension String {
    /// The line further to the right, if there is anything in it.
    func indented(_ width: Int) -> String { isEmpty ? "" : String(repeating: " ", count: width) + self }
}
