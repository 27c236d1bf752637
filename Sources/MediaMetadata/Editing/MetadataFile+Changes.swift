extension MetadataFile {
    // MARK: Single items

    /// Sets items by the names that people type: `title=Foo`, `track=3/12`, `itsk/%A9nam=Foo`.
    ///
    /// A friendly name changes all items that hold what it stands for, in every
    /// key space, so that none is left with an old value.
    ///
    /// - Parameters:
    ///   - assignments: Names and values; an empty value removes.
    ///   - track: The track whose items are meant instead of the asset's.
    /// - Throws: `MetadataNameError` if a name or a value means nothing, or if
    ///   this kind of file cannot hold it; nothing is changed then.
    package mutating func set(_ assignments: [MetadataAssignment], inTrack track: Int64? = nil) throws {
        let edit = try MetadataAssignment.apply(assignments, to: entries(ofTrack: track), in: metadata.container)
        // What somebody asks for by name must not get lost in silence.
        if let loss = edit.losses.first { throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)") }
        setEntries(edit.entries, ofTrack: track)
    }

    /// Removes the items that a name stands for.
    ///
    /// - Throws: `MetadataNameError` if the name means nothing.
    public mutating func remove(_ name: String, inTrack track: Int64? = nil) throws {
        try set([MetadataAssignment(MetadataName(name), "")], inTrack: track)
    }

    /// Removes entries; of the asset and of all tracks, or of one track.
    package mutating func removeEntries(inTrack track: Int64? = nil, where matches: (MetadataEntry) -> Bool) {
        if track == nil { metadata.entries.removeAll(where: matches) }
        for index in metadata.tracks.indices where track == nil || metadata.tracks[index].trackID == track {
            metadata.tracks[index].entries.removeAll(where: matches)
        }
    }

    /// Replaces the asset's entries; those that are of another format's key
    /// spaces are converted as far as possible.
    package mutating func replaceEntries(_ entries: [MetadataEntry]) {
        let edit = MetadataConversion.convert(entries, to: metadata.container)
        metadata.entries = edit.entries
        losses += edit.losses
    }

    /// Sets the fields that differ from those of `mediaItem`.
    public mutating func apply(_ item: MediaItem) {
        let edit = item.applied(to: metadata.entries, in: metadata.container)
        metadata.entries = edit.entries
        losses += edit.losses
    }

    // MARK: Pictures

    /// Makes a picture the cover, in place of the one that players show.
    public mutating func setArtwork(_ picture: MediaItem.Artwork) throws {
        let edit = MetadataEdit.settingArtwork(picture, in: metadata.entries, of: metadata.container)
        if let loss = edit.losses.first { throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)") }
        metadata.entries = edit.entries
    }

    /// Adds a picture after those that are there.
    public mutating func addArtwork(_ picture: MediaItem.Artwork) throws {
        var editor = MetadataEditor([], in: metadata.container)
        let isFirst = !metadata.entries.contains(where: \.isArtwork)
        editor.setArtwork(
            MetadataPicture(
                data: picture.data, mimeType: picture.mimeType,
                type: isFirst ? PictureType.frontCover : PictureType.other))
        if let loss = editor.losses.first { throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)") }
        metadata.entries.replace(editor.entries.map { ([], [$0]) })
    }

    /// Removes all pictures.
    public mutating func removeArtwork() { metadata.entries.removeAll(where: \.isArtwork) }

    // MARK: Tracks

    private func entries(ofTrack track: Int64?) -> [MetadataEntry] {
        guard let track else { return metadata.entries }
        return metadata.tracks.first { $0.trackID == track }?.entries ?? []
    }

    private mutating func setEntries(_ entries: [MetadataEntry], ofTrack track: Int64?) {
        guard let track else {
            metadata.entries = entries
            return
        }
        if let index = metadata.tracks.firstIndex(where: { $0.trackID == track }) {
            metadata.tracks[index].entries = entries
        } else {
            metadata.tracks.append(FileMetadata.Track(trackID: track, entries: entries))
        }
    }
}

extension MetadataEntry {
    /// Whether it is a picture that belongs to the whole file.
    package var isArtwork: Bool {
        guard case .data = value else { return false }
        return commonKey == .commonKeyArtwork
    }

    /// A pair such as track 3 of 12, for values that hold one as bytes.
    package var numberPair: (number: Int, count: Int)? {
        guard keySpace == .iTunes, [0x7472_6B6E, 0x6469_736B].contains(codeOfKey), case .data(let bytes) = value,
            let pair = NumberPair(bytes: bytes)
        else { return nil }
        return (pair.number ?? 0, pair.total ?? 0)
    }

    private var codeOfKey: UInt32 { if case .code(let code) = key { code } else { 0 } }
}
