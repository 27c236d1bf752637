/// Changes what a file's entries say, in every key space that says it.
struct MetadataEditor {
    let placement: MetadataPlacement
    private(set) var entries: [MetadataEntry]
    private(set) var losses: [MetadataLoss] = []

    init(_ entries: [MetadataEntry], in container: FileMetadata.Container) {
        self.entries = entries
        placement = MetadataPlacement(entries, in: container)
    }

    var edit: MetadataEdit { MetadataEdit(entries: entries, losses: losses) }

    /// Sets something, or removes it.
    ///
    /// All entries that say it are replaced, wherever they are, so that none is left with an old value; what a key
    /// space cannot hold is removed from it. The usual key space of the file gets the values in any case.
    ///
    /// - Parameter values: None to remove it.
    mutating func set(_ meaning: MetadataMeaning, to values: [MetadataFieldValue]) {
        let holdings = MetadataHoldings(entries).holdings(of: meaning)
        var groups: [(indices: [Int], entries: [MetadataEntry])] = []
        var outcomes: [AVMetadataKeySpace: FieldWriter.Outcome] = [:]
        for holding in holdings {
            let old = holding.indices.map { entries[$0] }
            let outcome = placement.writer(holding.keySpace).write(meaning, values, replacing: old)
            outcomes[holding.keySpace] = outcome
            groups.append((holding.indices, outcome.entries))
        }
        if !values.isEmpty {
            let place = placement.best(for: meaning, values, written: outcomes)
            if outcomes[place.keySpace] == nil { groups.append(([], place.outcome.entries)) }
            losses += place.outcome.losses.map {
                // With entries, part of the values is held.
                MetadataLoss(item: meaning.name, reason: $0, isChange: !place.outcome.entries.isEmpty)
            }
        }
        entries.replace(groups)
    }

    /// Replaces entries by their positions.
    mutating func replace(_ groups: [(indices: [Int], entries: [MetadataEntry])]) { entries.replace(groups) }

    /// Makes a picture the cover in place of the one that players show, or removes all pictures.
    ///
    /// Other pictures stay.
    mutating func setArtwork(_ picture: MetadataPicture?) {
        let meaning = MetadataMeaning.field(.artwork)
        guard let picture else { return set(meaning, to: []) }
        let values = [MetadataFieldValue(.picture(picture))]
        var groups: [(indices: [Int], entries: [MetadataEntry])] = []
        var outcomes: [AVMetadataKeySpace: FieldWriter.Outcome] = [:]
        for holding in MetadataHoldings(entries).holdings(of: meaning) {
            let outcome = placement.writer(holding.keySpace).write(meaning, values, replacing: [])
            outcomes[holding.keySpace] = outcome
            let ranks = holding.indices.map { (index: $0, rank: MetadataPicture(entries[$0])?.coverRank ?? -1) }
            let best = ranks.map(\.rank).max()
            guard let old = ranks.first(where: { $0.rank == best })?.index else { continue }
            groups.append(([old], outcome.entries))
        }
        let place = placement.best(for: meaning, values, written: outcomes)
        if outcomes[place.keySpace] == nil { groups.append(([], place.outcome.entries)) }
        losses += place.outcome.losses.map {
            // With entries, part of the values is held.
            MetadataLoss(item: meaning.name, reason: $0, isChange: !place.outcome.entries.isEmpty)
        }
        entries.replace(groups)
    }
}

/// Finds the key space of a file in which something is to be written.
struct MetadataPlacement {
    /// A key space, and what writing there comes to.
    struct Place {
        var keySpace: AVMetadataKeySpace
        var outcome: FieldWriter.Outcome
    }

    private let style: FieldWriter.Style
    private let container: FileMetadata.Container
    private let homes: [AVMetadataKeySpace]

    /// - Parameter entries: Those of the file.
    init(_ entries: [MetadataEntry], in container: FileMetadata.Container) {
        (style, self.container) = (FieldWriter.Style(of: entries, in: container), container)
        homes = container.homes(for: entries)
    }

    /// What writes to a key space of the file.
    func writer(_ keySpace: AVMetadataKeySpace) -> FieldWriter { FieldWriter(keySpace, style) }

    /// The first key space that can hold all of it, else the first that can hold a part.
    ///
    /// - Parameter written: What writing came to already, where the file has it.
    func best(
        for meaning: MetadataMeaning, _ values: [MetadataFieldValue],
        written: [AVMetadataKeySpace: FieldWriter.Outcome] = [:]
    ) -> Place {
        var partial: Place?
        var failed: Place?
        for keySpace in candidates(for: meaning) {
            let outcome = written[keySpace] ?? writer(keySpace).write(meaning, values, replacing: [])
            let place = Place(keySpace: keySpace, outcome: outcome)
            if outcome.entries.isEmpty {
                failed = failed ?? place
            } else if outcome.losses.isEmpty {
                return place
            } else {
                partial = partial ?? place
            }
        }
        let nowhere = FieldWriter.Outcome.nothing("this kind of file holds no metadata")
        return partial ?? failed ?? Place(keySpace: homes.first ?? .common, outcome: nowhere)
    }

    private func candidates(for meaning: MetadataMeaning) -> [AVMetadataKeySpace] {
        switch meaning {
        case .custom(let name):
            guard homes.contains(.iTunes) else { return homes }
            let isQuickTime =
                Self.quickTimeNames.contains { name.hasPrefix($0) }
                || homes.first == .quickTimeMetadata && FieldWriter.isReverseDomain(name)
                    && !name.hasPrefix(EntryMeaning.iTunesMean)
            return isQuickTime ? [.quickTimeMetadata] : [.iTunes]
        case .field(let field):
            let usual = homes.filter { writer($0).hasKey(for: field) }
            if let home = container.homesOfFields[field] { return [home] + usual.filter { $0 != home } }
            return usual.isEmpty ? (homes.contains(.iTunes) ? [.iTunes] : Array(homes.prefix(1))) : usual
        }
    }

    /// What the names of QuickTime metadata begin with.
    private static let quickTimeNames = [
        MetadataKey.quickTimePrefix, "com.apple.proapps.", "com.apple.photos.", "com.apple.finalcutstudio.",
        "com.android.", "org.smpte.", "info.ixml.",
    ]
}
