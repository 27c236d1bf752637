internal import MediaMetadata

/// Dates as the versions of ID3v2 store them: one text from version 2.4 on,
/// year, day and time apart before.
enum ID3Dates {
    /// Year, day and time.
    private static let separate = ["TYER", "TDAT", "TIME"]

    /// Entries with those whose frames a version does not know in the form that it knows.
    ///
    /// Only what loses nothing by it is changed, and nothing that the file has already.
    static func adapted(_ entries: [ID3WantedEntry], to version: ID3Version) -> [ID3WantedEntry] {
        let names = Set(entries.map { ID3FrameNames.longName(of: $0.entry.key) })
        var result = entries
        for index in result.indices where result[index].origin == nil {
            rename(&result[index].entry, to: version, names)
        }
        if version == .v24, !names.contains("TDRC") { join(&result) }
        if version < .v24, names.isDisjoint(with: separate) { split(&result) }
        return result
    }

    /// Gives what is called otherwise in another version its name there.
    private static func rename(_ entry: inout MetadataEntry, to version: ID3Version, _ names: Set<String>) {
        let pairs = version == .v24 ? ["TORY": "TDOR", "IPLS": "TIPL"] : ["TDOR": "TORY", "TIPL": "IPLS"]
        guard let name = pairs[ID3FrameNames.longName(of: entry.key)], !names.contains(name) else { return }
        // A whole date does not fit into a year.
        let isDate = name == "TORY" || name == "TDOR"
        if !isDate || entry.text.map(isYear) == true { entry.key = .text(name) }
    }

    /// Makes `TDRC` of year, day and time.
    private static func join(_ entries: inout [ID3WantedEntry]) {
        let places = separate.map { name in
            entries.indices.filter { ID3FrameNames.longName(of: entries[$0].entry.key) == name }
        }
        guard places.allSatisfy({ $0.count <= 1 }), let year = places[0].first, entries[year].origin == nil,
            var text = entries[year].entry.text, isYear(text)
        else { return }
        var used: [Int] = []
        if let day = places[1].first, let digits = entries[day].entry.text, isYear(digits) {
            text += "-\(digits.suffix(2))-\(digits.prefix(2))"
            used.append(day)
            if let time = places[2].first, let digits = entries[time].entry.text, isYear(digits) {
                text += "T\(digits.prefix(2)):\(digits.suffix(2))"
                used.append(time)
            }
        }
        entries[year].entry.key = .text("TDRC")
        entries[year].entry.value = .text(text)
        for index in used.sorted(by: >) { entries.remove(at: index) }
    }

    /// Makes year, day and time of `TDRC`.
    private static func split(_ entries: inout [ID3WantedEntry]) {
        let places = entries.indices.filter { entries[$0].entry.key == .text("TDRC") }
        guard places.count == 1, let index = places.first, entries[index].origin == nil,
            let text = entries[index].entry.text, let parts = parts(of: text)
        else { return }
        let wanted = entries[index]
        let replacements = zip(separate, parts).map { name, part in
            var wanted = wanted
            wanted.entry.key = .text(name)
            wanted.entry.value = .text(part)
            return wanted
        }
        entries.replaceSubrange(index...index, with: replacements)
    }

    /// `2004`, `1203`, `1530` of `2004-03-12T15:30`; `nil` if that would lose something.
    private static func parts(of date: String) -> [String]? {
        let shape = String(date.map { $0.isASCII && $0.isNumber ? "0" : $0 })
        let digits = date.filter(\.isNumber)
        let year = String(digits.prefix(4))
        let day = String(digits.dropFirst(6).prefix(2) + digits.dropFirst(4).prefix(2))
        switch shape {
        case "0000": return [year]
        case "0000-00-00": return [year, day]
        case "0000-00-00T00:00": return [year, day, String(digits.suffix(4))]
        default: return nil
        }
    }

    /// Whether a text is four digits.
    private static func isYear(_ text: String) -> Bool {
        text.utf8.count == 4 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
