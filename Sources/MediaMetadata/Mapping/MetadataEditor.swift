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
        let statements = EntriesByMeaning(entries).statements(of: meaning)
        var groups: [(indices: [Int], entries: [MetadataEntry])] = []
        var outcomes: [AVMetadataKeySpace: FieldWriter.Outcome] = [:]
        for statement in statements {
            let old = statement.indices.map { entries[$0] }
            let outcome = placement.writer(statement.keySpace).write(meaning, values, replacing: old)
            outcomes[statement.keySpace] = outcome
            groups.append((statement.indices, outcome.entries))
        }
        if !values.isEmpty {
            let place = placement.best(for: meaning, values, written: outcomes)
            if outcomes[place.keySpace] == nil { groups.append(([], place.outcome.entries)) }
            losses += place.outcome.losses.map {
                place.outcome.loss(of: meaning.name, $0)
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
        for statement in EntriesByMeaning(entries).statements(of: meaning) {
            let outcome = placement.writer(statement.keySpace).write(meaning, values, replacing: [])
            outcomes[statement.keySpace] = outcome
            let ranks = statement.indices.map { (index: $0, rank: MetadataPicture(entries[$0])?.coverRank ?? -1) }
            let best = ranks.map(\.rank).max()
            guard let old = ranks.first(where: { $0.rank == best })?.index else { continue }
            groups.append(([old], outcome.entries))
        }
        let place = placement.best(for: meaning, values, written: outcomes)
        if outcomes[place.keySpace] == nil { groups.append(([], place.outcome.entries)) }
        losses += place.outcome.losses.map {
            place.outcome.loss(of: meaning.name, $0)
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

/// A changed list of entries, and what it could not take in.
package struct MetadataEdit: Hashable, Sendable {
    package var entries: [MetadataEntry]
    package var losses: [MetadataLoss]

    package init(entries: [MetadataEntry], losses: [MetadataLoss] = []) {
        (self.entries, self.losses) = (entries, losses)
    }
}

extension [MetadataEntry] {
    /// Replaces entries.
    ///
    /// - Parameter groups: Positions, and what is to stand at the first of them. New entries without a position follow
    ///   the last one of the same key, or all.
    mutating func replace(_ groups: [(indices: [Int], entries: [MetadataEntry])]) {
        let removed = Set(groups.flatMap(\.indices))
        var insertions: [Int: [MetadataEntry]] = [:]
        for group in groups where !group.indices.isEmpty {
            insertions[group.indices.min() ?? 0, default: []] += group.entries
        }
        var result: [MetadataEntry] = []
        for index in indices {
            if let new = insertions[index] { result += new }
            if !removed.contains(index) { result.append(self[index]) }
        }
        for group in groups where group.indices.isEmpty {
            guard let first = group.entries.first else { continue }
            let last = result.lastIndex { $0.keySpace == first.keySpace && $0.key == first.key }
            result.insert(contentsOf: group.entries, at: last.map { $0 + 1 } ?? result.endIndex)
        }
        self = result
    }
}

extension MetadataEdit {
    /// Entries with a picture as the cover, in place of the one that players show.
    ///
    /// Other pictures stay.
    package static func settingArtwork(
        _ artwork: MediaItem.Artwork, in entries: [MetadataEntry], of container: FileMetadata.Container
    ) -> MetadataEdit {
        var editor = MetadataEditor(entries, in: container)
        editor.setArtwork(
            MetadataPicture(data: artwork.data, mimeType: artwork.mimeType, type: PictureType.frontCover))
        return editor.edit
    }

    /// Entries with one more picture, which is the cover if it is the first.
    package static func addingArtwork(
        _ artwork: MediaItem.Artwork, to entries: [MetadataEntry], of container: FileMetadata.Container
    ) -> MetadataEdit {
        var editor = MetadataEditor([], in: container)
        let type = entries.contains(where: \.isArtwork) ? PictureType.other : PictureType.frontCover
        editor.setArtwork(MetadataPicture(data: artwork.data, mimeType: artwork.mimeType, type: type))
        var edit = MetadataEdit(entries: entries, losses: editor.losses)
        edit.entries.replace(editor.entries.map { ([], [$0]) })
        return edit
    }
}

extension FieldWriter.Outcome {
    /// One of its losses.
    func loss(of item: String, _ reason: String) -> MetadataLoss {
        // With entries, part of the values is held.
        var loss = MetadataLoss(item: item, reason: reason, isChange: !entries.isEmpty)
        loss.leavesNothingOut = roundings.contains(reason)
        return loss
    }
}
