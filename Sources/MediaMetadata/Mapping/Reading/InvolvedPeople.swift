/// ID3's lists of who did what: texts in pairs, a role and a name.
enum InvolvedPeople {
    /// One text of a list.
    struct Text {
        /// What the role stands for.
        var meaning: EntryMeaning
        /// Whether it is the name, which follows the role.
        var isName: Bool
    }

    /// Musicians and their instruments.
    static let musicians = "TMCL"
    private static let lists: Set = ["TIPL", "IPLS", musicians]

    /// Whether an entry belongs to such a list.
    static func isList(_ entry: MetadataEntry) -> Bool {
        entry.keySpace == .id3 && lists.contains(ID3FrameNames.longName(of: entry.key))
    }

    /// The texts of all lists by their position among the entries.
    ///
    /// A list in which a role or name is missing is left out.
    static func pairs(in entries: [MetadataEntry]) -> [Int: Text] {
        var texts: [Int: Text] = [:]
        var index = 0
        while index < entries.count {
            guard isList(entries[index]) else {
                index += 1
                continue
            }
            let key = entries[index].key
            let end = entries[index...].firstIndex { $0.keySpace != .id3 || $0.key != key } ?? entries.count
            if (end - index).isMultiple(of: 2), entries[index..<end].allSatisfy({ $0.text != nil }) {
                let isMusician = ID3FrameNames.longName(of: key) == musicians
                for position in stride(from: index, to: end, by: 2) {
                    let meaning = EntryMeaning(role: entries[position].text ?? "", isMusician: isMusician)
                    texts[position] = Text(meaning: meaning, isName: false)
                    texts[position + 1] = Text(meaning: meaning, isName: true)
                }
            }
            index = end
        }
        return texts
    }
}
