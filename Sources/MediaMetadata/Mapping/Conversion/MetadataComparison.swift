internal import Foundation

/// Finds out what one file says and another one does not, in whatever key space either says it.
package enum MetadataComparison {
    /// The entries whose values the other file says nowhere.
    ///
    /// - Parameters:
    ///   - entries: What is looked for; facts of a container should not be among it.
    ///   - others: All that the other file says.
    ///   - texts: What it says in places of its own, such as a track's name.
    package static func missing(
        _ entries: [MetadataEntry], in others: [MetadataEntry], saying texts: [String] = []
    ) -> [MetadataEntry] {
        let wanted = EntriesByMeaning(entries)
        let said = EntriesByMeaning(others)
        let values = said.all.flatMap(\.values)
        let everything = Set((others.compactMap(\.text) + texts + values.compactMap(\.text)).map(plain))
        let pictures = Set(values.compactMap { $0.picture?.data })
        var missing: [MetadataEntry] = []
        for statement in wanted.all {
            let values = said.statements(of: statement.meaning).flatMap(\.values)
            let isSaid = statement.values.allSatisfy { value in
                if let picture = value.picture { return pictures.contains(picture.data) }
                if let text = value.text { return says(text, values.compactMap(\.text), everything) }
                return values.contains { $0.content == value.content }
            }
            if !isSaid { missing.append(wanted.entries[statement.indices[0]]) }
        }
        for index in wanted.others {
            let entry = wanted.entries[index]
            // Boxes of user data are told apart by the kind of file alone.
            let isSame = others.contains { $0.key == entry.key && $0.value == entry.value }
            let isSaid = entry.text.map { everything.contains(plain($0)) } ?? false
            if !isSame, !isSaid, entry.text != "" { missing.append(entry) }
        }
        return missing
    }

    /// The entries that are not about what somebody set or removed.
    package static func untouched(_ entries: [MetadataEntry], by assignments: [MetadataAssignment]) -> [MetadataEntry] {
        guard !assignments.isEmpty else { return entries }
        let statements = EntriesByMeaning(entries)
        var touched: Set<Int> = []
        for assignment in assignments {
            switch assignment.name {
            case .field(let field):
                touched.formUnion(statements.statements(of: .field(field)).flatMap(\.indices))
            case .key(let keySpace, let key, _):
                touched.formUnion(entries.indices.filter { entries[$0].keySpace == keySpace && entries[$0].key == key })
                let field = keySpace == .common ? MetadataFieldTable.field(of: AVMetadataKey(rawValue: key.text)) : nil
                if let field { touched.formUnion(statements.statements(of: .field(field)).flatMap(\.indices)) }
            }
        }
        return entries.indices.filter { !touched.contains($0) }.map { entries[$0] }
    }

    /// Those of a file's entries about whose meaning others say nothing.
    package static func unsaid(_ entries: [MetadataEntry], by others: [MetadataEntry]) -> [MetadataEntry] {
        let said = EntriesByMeaning(others)
        let names = Set(others.map(\.identifier))
        return entries.filter { entry in
            !names.contains(entry.identifier)
                && EntriesByMeaning([entry]).all.allSatisfy { said.statements(of: $0.meaning).isEmpty }
        }
    }

    /// Whether an entry is a picture.
    package static func isPicture(_ entry: MetadataEntry) -> Bool { entry.isArtwork }

    /// A text is said by one that only goes on, or stops, where a key has room for less: a year for a date.
    private static func says(_ text: String, _ values: [String], _ everything: Set<String>) -> Bool {
        let wanted = plain(text)
        if wanted.isEmpty || everything.contains(wanted) { return true }
        return values.map(plain).contains { value in
            !value.isEmpty && (value.hasPrefix(wanted) || wanted.hasPrefix(value) || value.contains(wanted))
        }
    }

    /// A text without what formats change in it.
    private static func plain(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
            .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    }
}
