/// The genres that a text names by names, by numbers of ID3's list, or by both.
enum GenreText {
    /// Reads `Rock`, `(17)`, `(17)(6)Refined`, `(RX)`; `((` stands for a bracket.
    ///
    /// - Parameter allowsBareNumbers: Whether `17` is a number of the list, as in ID3v2.4, instead of a name.
    static func names(in text: String, allowsBareNumbers: Bool) -> [String] {
        var names: [String] = []
        func add(_ name: String) {
            if !name.isEmpty, !names.contains(where: { $0.lowercased() == name.lowercased() }) { names.append(name) }
        }
        var rest = text[...]
        while rest.first == "(", !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")") {
            let reference = rest[rest.index(after: rest.startIndex)..<end]
            guard let name = name(of: reference) else { break }
            add(name)
            rest = rest[rest.index(after: end)...]
        }
        if rest.hasPrefix("((") { rest = rest.dropFirst() }
        if allowsBareNumbers, names.isEmpty, let name = name(of: rest) {
            add(name)
        } else {
            add(String(rest))
        }
        return names
    }

    /// The genre of a reference: a number, `RX` for a remix, `CR` for a cover.
    private static func name(of reference: Substring) -> String? {
        switch reference {
        case "RX": "Remix"
        case "CR": "Cover"
        default: Int(reference).flatMap(Genres.name(of:))
        }
    }

    /// The text for ID3, where a bracket at the beginning would be taken for a number's.
    static func id3Text(_ name: String) -> String { name.hasPrefix("(") ? "(" + name : name }
}
