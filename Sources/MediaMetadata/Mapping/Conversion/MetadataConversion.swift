internal import MediaCore

/// Metadata of one format for a file of another.
package enum MetadataConversion {
    /// Converts entries to the key spaces of a container.
    ///
    /// Entries that the container can hold as they are stay. Of the others those with a meaning that the table of
    /// corresponding keys has get the key there, and those with names of their own keep their names. What several key
    /// spaces say is taken from the first one of: common, iTunes, QuickTime metadata, ID3, user data, Vorbis comments,
    /// Matroska, audio file properties. All that does not get through is among the losses.
    package static func convert(_ entries: [MetadataEntry], to container: FileMetadata.Container) -> MetadataEdit {
        guard !container.keySpaces.isEmpty else {
            return MetadataEdit(
                entries: [],
                losses: entries.filter { !$0.isTechnical }.map {
                    MetadataLoss(item: $0.identifier.rawValue, reason: "this kind of file holds no metadata")
                })
        }
        let isNative = { (entry: MetadataEntry) in container.keySpaces.contains(entry.keySpace) }
        let native = entries.filter(isNative)
        var edit = MetadataEdit(entries: native)
        let placement = MetadataPlacement(native, in: container)
        let present = EntriesByMeaning(native)
        let foreign = EntriesByMeaning(entries.filter { !isNative($0) })
        var done: Set<MetadataMeaning> = []
        for statement in foreign.all where done.insert(statement.meaning.canonical).inserted {
            var sources = present.statements(of: statement.meaning)
            let others = foreign.statements(of: statement.meaning)
            if sources.isEmpty, let first = others.first {
                sources = [first]
                add(first, of: foreign, to: &edit, placement)
            }
            for other in others where other.keySpace != sources.first?.keySpace {
                if let loss = loss(other, of: foreign, keeping: sources) { edit.losses.append(loss) }
            }
        }
        for index in foreign.others {
            let entry = foreign.entries[index]
            guard !entry.isTechnical else { continue }
            edit.losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason(withoutMeaning: entry)))
        }
        return edit
    }

    private static func add(
        _ statement: MetadataStatement, of statements: EntriesByMeaning, to edit: inout MetadataEdit,
        _ placement: MetadataPlacement
    ) {
        let item = statements.entries[statement.indices[0]].identifier.rawValue
        guard !statement.values.isEmpty else {
            if statement.indices.allSatisfy({ statements.entries[$0].text?.isEmpty == true }) { return }
            edit.losses.append(MetadataLoss(item: item, reason: "the value cannot be understood"))
            return
        }
        let place = placement.best(for: statement.meaning, statement.values)
        edit.entries += place.outcome.entries
        edit.losses += place.outcome.losses.map {
            // With entries, part of the values is held.
            MetadataLoss(item: item, reason: $0, isChange: !place.outcome.entries.isEmpty)
        }
    }

    /// The loss of values for which another key space's are kept, `nil` if those say the same.
    private static func loss(
        _ statement: MetadataStatement, of statements: EntriesByMeaning, keeping sources: [MetadataStatement]
    ) -> MetadataLoss? {
        let kept = sources.flatMap(\.values)
        // Comparing all with all takes too long for more, which no file but a hostile one has.
        let isComparable = kept.count <= maximumCompared && statement.values.count <= maximumCompared
        let isPlace = statement.meaning == .field(.location)
        let isKept =
            isComparable
            && statement.values.allSatisfy { value in
                kept.contains { other in
                    // ID3v1's texts are cut, a year may stand for a date, a number for one with a total.
                    if let text = value.text, let other = other.text {
                        return other.hasPrefix(text) || isPlace && GeographicText.areSame(text, other)
                    }
                    return other.content == value.content
                }
            }
        guard !isKept, let source = sources.first else { return nil }
        return statement.loss(of: statements, keeping: source)
    }

    /// Values of one meaning that are compared with one another; no file but a hostile one has more.
    private static let maximumCompared = 256

    private static func reason(withoutMeaning entry: MetadataEntry) -> String {
        if entry.time.isValid { return "it belongs to a moment" }
        if entry.keySpace == .matroska { return "it is about a part of the file" }
        if case .data = entry.value { return "it means something in its own format only" }
        return "other formats have no place for it"
    }
}
