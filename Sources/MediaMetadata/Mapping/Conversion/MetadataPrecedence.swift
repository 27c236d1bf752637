/// Which of several entries that are about one thing is meant, where somebody lists entries for a file.
package enum MetadataPrecedence {
    /// The entries without those that later ones of other values stand in for.
    ///
    /// A common key has no place in any file, so that an entry of one was set by somebody, and what a source does not
    /// say was set too. Clients leave the source's own entries in their lists where these have no common key.
    /// Languages differ in peace, and where a format has a name several times, so do its values.
    ///
    /// - Parameters:
    ///   - entries: All that is asked for.
    ///   - source: What the source says by itself.
    /// - Returns: The entries, those that were set first, and as losses those that give way.
    package static func settled(_ entries: [MetadataEntry], over source: [MetadataEntry]) -> MetadataEdit {
        let known = Set(source)
        let first = settled(MetadataEdit(entries: entries)) { $0.keySpace == .common }
        return settled(first) { $0.keySpace == .common || !known.contains($0) }
    }

    private static func settled(_ edit: MetadataEdit, by isSet: (MetadataEntry) -> Bool) -> MetadataEdit {
        let (set, older) = (edit.entries.filter(isSet), edit.entries.filter { !isSet($0) })
        guard !set.isEmpty, !older.isEmpty else { return edit }
        let (new, old) = (EntriesByMeaning(set), EntriesByMeaning(older))
        var removed: Set<Int> = []
        var losses: [MetadataLoss] = []
        for statement in old.all {
            let others = new.statements(of: statement.meaning)
            guard let other = others.first, givesWay(statement, to: others),
                !canRepeat(statement, of: old, beside: others, of: new)
            else { continue }
            removed.formUnion(statement.indices)
            losses.append(statement.loss(of: old, keeping: other))
        }
        let left = older.indices.filter { !removed.contains($0) }.map { older[$0] }
        // Of several values readers show the first.
        return MetadataEdit(entries: set + left, losses: edit.losses + losses)
    }

    /// Whether what is said is another thing than others say, in no language of its own.
    private static func givesWay(_ statement: MetadataStatement, to others: [MetadataStatement]) -> Bool {
        let values = others.flatMap(\.values)
        guard !values.isEmpty else { return false }
        let said = Set(values.map(\.content))
        if statement.values.allSatisfy({ said.contains($0.content) }) { return false }
        let languages = Set(values.map(\.language))
        return languages.contains(nil)
            || statement.values.contains { $0.language == nil || languages.contains($0.language) }
    }

    /// Whether files have both, since the format takes a name several times.
    private static func canRepeat(
        _ statement: MetadataStatement, of entries: EntriesByMeaning, beside others: [MetadataStatement],
        of set: EntriesByMeaning
    ) -> Bool {
        guard [.vorbisComment, .matroska].contains(statement.keySpace) || statement.meaning == .field(.artwork) else {
            return false
        }
        let names = Set(statement.indices.map { entries.entries[$0].identifier })
        return others.allSatisfy { $0.indices.allSatisfy { names.contains(set.entries[$0].identifier) } }
    }
}

extension MetadataStatement {
    /// The loss of what is said for another statement's values.
    func loss(of statements: EntriesByMeaning, keeping source: MetadataStatement) -> MetadataLoss {
        MetadataLoss(
            item: statements.entries[indices[0]].identifier.rawValue,
            reason: "another \(meaning.name), of \(source.keySpace.prefix), is kept")
    }
}

extension MetadataFieldValue {
    /// The language, `nil` if it is none that can be told.
    fileprivate var language: String? {
        guard let languageTag, languageTag.lowercased() != "und" else { return nil }
        return LanguageCodes.primary(languageTag)
    }
}
