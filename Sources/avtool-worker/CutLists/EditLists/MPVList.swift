internal import MediaCore

/// What mpv plays one after another: a file, a start and a length on each line.
enum MPVList {
    /// Lines about the whole list that change nothing of what is cut.
    private static let headers: Set<Substring> = ["!no_chapters", "!track_meta", "!global_tags"]

    static func parse(_ text: ListText) throws(CutListError) -> CutList {
        var reader = MPVReader(text.text)
        guard reader.entryLine().drop(while: { $0 == "#" }).withoutSpaces == "mpv EDL v0" else {
            throw CutListError(line: 1, "only version 0 of mpv's EDL is known: # mpv EDL v0")
        }
        var segments: [CutList.Segment] = []
        var mediaFileName: String?
        while !reader.isAtEnd {
            let line = reader.line
            if reader.first == nil || reader.first == UInt8(ascii: "#") {
                _ = reader.entryLine()
            } else if reader.first == UInt8(ascii: "!") {
                let header = reader.entryLine()
                guard headers.contains(header.prefix { $0 != "," }) else {
                    throw CutListError(line: line, "\(header.quoted()) cannot be done here")
                }
            } else {
                let entry = try MPVEntry(try reader.parameters(), line: line)
                guard mediaFileName == nil || mediaFileName == entry.file else {
                    throw CutListError(line: line, "another file begins, but one film can be cut only")
                }
                mediaFileName = entry.file
                try segments.add(from: entry.start, to: entry.end, name: entry.title[...], line: line)
            }
        }
        return CutList(format: .mpv, meaning: .keep, segments: segments, mediaFileName: mediaFileName)
    }
}
