package import MediaAsset
package import MediaMetadata
internal import MetadataFormats

/// What the tracks of a new file say of themselves: names, languages, purposes, items.
package struct ExportTracks {
    package private(set) var tracks: [FileMetadata.Track] = []
    package private(set) var labels: [TrackLabel] = []
    package private(set) var losses: [MetadataLoss] = []
    private(set) var roleLosses: [ExportLoss] = []
    private let fileType: AVFileType
    private var container: FileMetadata.Container { fileType.metadataContainer }

    /// - Parameters:
    ///   - fileType: The kind of the new file.
    ///   - trackIDs: The new number of each track that the new file has.
    ///   - metadata: Which of the source's items are written.
    package init(
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
