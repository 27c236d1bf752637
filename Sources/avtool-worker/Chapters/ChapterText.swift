internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Lists of chapters for people.
enum ChapterText {
    /// What a list is, in one line.
    static func heading(for list: ChapterList) -> String {
        var parts = ["chapters"]
        switch list.form {
        case .quickTimeTrack: parts.append("QuickTime track" + (list.trackID.map { " \($0)" } ?? ""))
        case .nero: parts.append("Nero list")
        case .id3: parts.append("ID3")
        case .matroska: parts.append("Matroska edition")
        case .vorbisComment: parts.append("Vorbis comments")
        case .cueSheet: parts.append("cue sheet")
        case .other: break
        }
        if let tag = list.languageTag { parts.append(tag.oneLine) }
        if list.isDefault { parts.append("default") }
        if list.isHidden { parts.append("hidden") }
        if list.isOrdered { parts.append("ordered") }
        return parts.joined(separator: ", ")
    }

    /// A line for each chapter, those within a chapter below it.
    static func lines(for chapters: [Chapter], indent: Int) -> [String] {
        chapters.flatMap { chapter -> [String] in
            var line = String(repeating: " ", count: indent) + chapter.start.secondsText(decimals: 3) + " s"
            if chapter.end.isNumeric { line += " to \(chapter.end.secondsText(decimals: 3)) s" }
            let titles = chapter.titles.map { title in
                title.text.oneLine + (title.languageTag.map { " (\($0.oneLine))" } ?? "")
            }
            if !titles.isEmpty { line += "  " + titles.joined(separator: " / ") }
            if let link = chapter.link { line += "  <\(link.oneLine)>" }
            if let artwork = chapter.artwork { line += "  [picture, \(artwork.count) bytes]" }
            if chapter.isHidden { line += "  hidden" }
            if !chapter.isEnabled { line += "  disabled" }
            return [line] + Self.lines(for: chapter.children, indent: indent + 2)
        }
    }
}
