package import MediaAsset
package import MediaCore
package import MediaMetadata
internal import MetadataFormats

/// What becomes of an asset's metadata in a new file.
package struct ExportMetadata: Sendable {
    /// The items to write in place of the asset's; `nil` for the asset's own.
    package var replacement: [MetadataEntry]?
    /// What of the asset's own items is written; `nil` for all.
    package var filter: (@Sendable (MetadataEntry) -> MetadataEntry?)?
    /// Whether nothing of the asset is written that tells about people, places, devices and moments.
    package var isForSharing = false
    /// Items to set or, with an empty value, to remove, after all else.
    package var assignments: [MetadataAssignment] = []
    /// The cover to write in place of the one that players show.
    package var artwork: MediaItem.Artwork?
    /// What of the items to write is none that can be written.
    package private(set) var unwritable: [MetadataLoss] = []

    package init() {}

    /// Takes items to write in place of the asset's; those without a key or a value are losses.
    package mutating func replace(with items: [AVMetadataItem]) {
        replacement = []
        for item in items {
            if let entry = item.entry {
                replacement?.append(entry)
            } else {
                let isNamed = item.identifier != nil
                unwritable.append(
                    MetadataLoss(
                        item: item.identifier?.rawValue ?? "an item of metadata",
                        reason: isNamed ? "it has no value that can be written" : "it has no key"))
            }
        }
    }

    /// The metadata of a new file.
    ///
    /// - Parameters:
    ///   - source: What the asset says.
    ///   - fileType: The kind of the new file.
    ///   - trackIDs: The new number of each track that the new file has.
    /// - Throws: `MetadataNameError` or `MetadataError` if something that was
    ///   asked for by name has no place in the new file.
    package func applied(
        to source: FileMetadata, for fileType: AVFileType, trackIDs: [Int64: Int64]
    ) throws -> (metadata: FileMetadata, losses: [ExportLoss]) {
        let container = fileType.metadataContainer
        let isSame = container == source.container
        let asked = replacement.map { MetadataPrecedence.settled($0, over: source.entries) }
        var kept = asked?.entries ?? own(source.entries, staysSame: isSame)
        if replacement == nil, !isForSharing, let date = Self.dateWithoutHeader(source, kept, container) {
            kept.append(date)
        }
        var losses = unwritable + (asked?.losses ?? [])
        losses += ArtworkConversion.convert(&kept, for: container)
        if replacement == nil, source.container == .quickTime, container == .isoBaseMedia {
            kept = MetadataConversion.movedToITunes(kept, in: container)
        }
        if !fileType.holdsPictures { losses += Self.takePictures(from: &kept, reason: fileType.reasonAgainstPictures) }
        var edit = MetadataConversion.convert(kept, to: container)
        losses += edit.losses
        if !assignments.isEmpty {
            edit = try MetadataAssignment.apply(assignments, to: edit.entries, in: container)
            losses += try changes(edit.losses)
        }
        if let artwork {
            let (artwork, change) = ArtworkConversion.converted(artwork, for: container)
            losses += change
            guard fileType.holdsPictures else {
                throw MetadataError(.unsupported, "artwork: \(fileType.reasonAgainstPictures)")
            }
            edit = MetadataEdit.settingArtwork(artwork, in: edit.entries, of: container)
            losses += try changes(edit.losses)
        }
        var result = FileMetadata(container: container, entries: edit.entries)
        let tracks = ExportTracks(source: source, fileType: fileType, trackIDs: trackIDs, metadata: self)
        (result.tracks, result.labels) = (tracks.tracks, tracks.labels)
        return (result, (losses + tracks.losses).map(ExportLoss.init) + tracks.roleLosses + linkLosses(source))
    }

    /// Takes out the pictures, which the container's other members hold.
    private static func takePictures(from entries: inout [MetadataEntry], reason: String) -> [MetadataLoss] {
        let pictures = entries.filter { MetadataComparison.isPicture($0) }
        entries.removeAll { MetadataComparison.isPicture($0) }
        return pictures.map { MetadataLoss(item: $0.identifier.rawValue, reason: reason) }
    }

    /// What the further links of a chained file say: it is about those parts only.
    private func linkLosses(_ source: FileMetadata) -> [ExportLoss] {
        guard replacement == nil else { return [] }
        return source.links.enumerated().flatMap { index, entries in
            own(entries, staysSame: true).map {
                ExportLoss(
                    .metadata, "\($0.identifier.rawValue) of link \(index + 2)",
                    reason: "it is about that part of the chained file, and the new one is no chain")
            }
        }
    }

    /// What of the asset's own items is to be written: what is about the old file's container is not.
    ///
    /// - Parameter isSame: Whether the new file is of the same kind.
    package func own(_ entries: [MetadataEntry], staysSame isSame: Bool) -> [MetadataEntry] {
        let lasting = entries.filter { !$0.isOfContainer(staysSame: isSame) }
        guard let filter else { return lasting }
        return lasting.compactMap(filter)
    }

    /// What of the asset's items the new file is to have, but for those that somebody set or removed.
    package func expected(of entries: [MetadataEntry], staysSame isSame: Bool) -> [MetadataEntry] {
        let wanted = replacement.map { MetadataPrecedence.settled($0, over: entries).entries }
        let kept = wanted ?? own(entries, staysSame: isSame)
        let asked = MetadataComparison.untouched(kept, by: assignments)
        return artwork == nil ? asked : asked.filter { !MetadataComparison.isPicture($0) }
    }

    /// When the asset was made, as an item for a file whose header has no place for that; `nil` if an item says it.
    private static func dateWithoutHeader(
        _ source: FileMetadata, _ entries: [MetadataEntry], _ container: FileMetadata.Container
    ) -> MetadataEntry? {
        let key = AVMetadataKey.commonKeyCreationDate
        guard let date = source.creationDate, !container.headers.contains(.creationDate),
            !entries.contains(where: { $0.commonKey == key })
        else { return nil }
        return MetadataEntry(
            .common, .text(key.rawValue), .text(ISO8601Timestamp.text(of: date)), dataType: MetadataDataType.utf8)
    }

    /// What is there in another form of what was asked for by name, which must not be lost.
    private func changes(_ losses: [MetadataLoss]) throws -> [MetadataLoss] {
        if let loss = losses.first(where: { !$0.leavesNothingOut }) {
            throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)")
        }
        return losses
    }
}

extension AVFileType {
    /// Whether covers can be held, as far as that depends on more than the container.
    ///
    /// Source: WebM Container Guidelines, which leave attachments out of Matroska.
    fileprivate var holdsPictures: Bool { self != .webM }

    fileprivate var reasonAgainstPictures: String { "\(name) files hold no pictures" }
}

extension ChapterMetadata {
    /// The chapters of a new file that shows a range of the asset, counted from the range's start.
    ///
    /// - Parameters:
    ///   - source: The format that the chapters come from.
    ///   - container: The format of the new file.
    package func exported(
        _ range: CMTimeRange, from source: FileMetadata.Container, to container: FileMetadata.Container
    ) -> [ChapterList] {
        // Editions that players do not use by themselves have a place in Matroska only.
        let all = source == .matroska && container == .matroska ? lists : preferredLists
        return all.compactMap { $0.clipped(to: range) }
    }
}

/// What the tracks of a new file say of themselves: names, languages, purposes, items.
struct ExportTracks {
    private(set) var tracks: [FileMetadata.Track] = []
    private(set) var labels: [TrackLabel] = []
    private(set) var losses: [MetadataLoss] = []
    private(set) var roleLosses: [ExportLoss] = []
    private let fileType: AVFileType
    private var container: FileMetadata.Container { fileType.metadataContainer }

    /// - Parameters:
    ///   - fileType: The kind of the new file.
    ///   - trackIDs: The new number of each track that the new file has.
    ///   - metadata: Which of the source's items are written.
    init(
        source: FileMetadata, fileType: AVFileType, trackIDs: [Int64: Int64],
        metadata: ExportMetadata
    ) {
        self.fileType = fileType
        let container = fileType.metadataContainer
        let isSame = container == source.container
        let old = Set(source.tracks.map(\.trackID) + source.labels.map(\.trackID))
        for trackID in old.sorted() {
            guard let id = trackIDs[trackID] else { continue }
            let all = source.tracks.filter { $0.trackID == trackID }.flatMap(\.entries)
            let entries = metadata.own(all, staysSame: isSame)
            var label = source.labels.first { $0.trackID == trackID } ?? TrackLabel(trackID: trackID)
            label.trackID = id
            // The program that plays a track is the new file's own affair; what people call the track is shown there too.
            if all.contains(where: \.isTrackName), !entries.contains(where: \.isTrackName) { label.name = nil }
            // Names may be those of devices and people.
            if metadata.isForSharing { label.name = nil }
            label.handlerName = isSame ? nil : label.name
            if !isSame { label.isForeign = true }
            labels.append(label)
            let written = written(entries, label, isSame: isSame, track: trackID)
            if !written.isEmpty { tracks.append(.init(trackID: id, entries: written)) }
            let lost = label.roles.subtracting(container.roles)
            if !lost.isEmpty {
                var loss = ExportLoss(
                    .media, "purpose of track \(trackID): " + lost.texts.joined(separator: ", "),
                    reason: "this kind of file cannot say it", trackID: CMPersistentTrackID(clamping: trackID),
                    trait: .dispositions)
                loss.isFeared = true
                roleLosses.append(loss)
            }
        }
    }

    private mutating func written(
        _ entries: [MetadataEntry], _ label: TrackLabel, isSame: Bool, track: Int64
    ) -> [MetadataEntry] {
        guard !isSame else { return entries }
        // The names of a WAV file's one track are lost with it.
        let own = fileType == .wav ? [] : label.entries(in: container)
        // A stream of an Ogg file has names as titles, and all else as comments.
        let others = container == .ogg ? entries : entries.filter { !$0.isOfLabel(label) }
        guard ![.id3, .flac, .riff, .aiff].contains(container) else {
            losses += others.filter { $0.text == nil || $0.text != label.name }.map {
                MetadataLoss(
                    item: "\($0.identifier.rawValue) of track \(track)",
                    reason: "tracks of \(fileType.name) files have no items of their own")
            }
            return own
        }
        let converted = MetadataConversion.convert(others, to: container)
        losses += converted.losses.map {
            MetadataLoss(item: "\($0.item) of track \(track)", reason: $0.reason)
        }
        return own + converted.entries
    }
}

extension MetadataEntry {
    /// Whether it says what a track's headers say: the name, the purpose, the language.
    package func isOfLabel(_ label: TrackLabel) -> Bool {
        isTrackName || isTrackRole || label.languageTag.map(saysLanguage) ?? false
    }
}
