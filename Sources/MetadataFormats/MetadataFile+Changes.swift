internal import Foundation
public import MediaMetadata

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
        var assignments = assignments
        if let track {
            try metadata.checkTrack(track)
            try takeLabels(&assignments, track)
        } else {
            try takeHeaderDate(&assignments)
        }
        guard !assignments.isEmpty else { return }
        let edit = try MetadataAssignment.apply(assignments, to: entries(ofTrack: track), in: metadata.container)
        // What somebody asks for by name must not get lost in silence.
        if let loss = edit.losses.first { throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)") }
        setEntries(edit.entries, ofTrack: track)
    }

    /// Removes the items that a name stands for, in every key space; nothing if there are none.
    ///
    /// - Parameters:
    ///   - name: A field that means the same in every format, or an identifier.
    ///   - track: The container's number of the track whose items are meant; `nil` for the asset's.
    /// - Throws: `MetadataNameError` if the name means nothing, `MetadataError` if there is no such track.
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

    /// Sets the fields that differ from those of `mediaItem`, in every item that says them; `nil` removes.
    ///
    /// What the format cannot hold is among the losses of `plan()`.
    public mutating func apply(_ item: MediaItem) {
        let edit = item.applied(to: metadata.entries, in: metadata.container)
        metadata.entries = edit.entries
        losses += edit.losses
    }

    // MARK: Pictures

    /// Makes a picture the cover, in place of the one that players show; others stay.
    ///
    /// - Throws: ``MetadataError`` if this kind of file cannot hold the picture.
    public mutating func setArtwork(_ picture: MediaItem.Artwork) throws {
        let edit = MetadataEdit.settingArtwork(picture, in: metadata.entries, of: metadata.container)
        if let loss = edit.losses.first { throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)") }
        metadata.entries = edit.entries
    }

    /// Adds a picture after those that are there.
    ///
    /// - Throws: ``MetadataError`` if this kind of file cannot hold the picture.
    public mutating func addArtwork(_ picture: MediaItem.Artwork) throws {
        let edit = MetadataEdit.addingArtwork(picture, to: metadata.entries, of: metadata.container)
        if let loss = edit.losses.first { throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)") }
        metadata.entries = edit.entries
    }

    /// Removes all pictures of the asset.
    public mutating func removeArtwork() { metadata.entries.removeAll(where: \.isArtwork) }

    // MARK: Tracks

    /// Carries out what is for a track's headers: its language, its name, which is what a title of a track is, its
    /// handler.
    private mutating func takeLabels(_ assignments: inout [MetadataAssignment], _ track: Int64) throws {
        guard let index = metadata.labels.firstIndex(where: { $0.trackID == track }),
            metadata.container.headers.contains(.trackLabels)
        else { return }
        var rest: [MetadataAssignment] = []
        for assignment in assignments {
            let value = assignment.value.isEmpty ? nil : assignment.value
            switch assignment.name {
            case .field(.language): metadata.labels[index].languageTag = try value.map(Self.languageTag)
            case .field(.title), .field(.trackName): setName(value, index, track)
            case .field(.handler) where metadata.container.headers.contains(.handlers):
                metadata.labels[index].handlerName = value ?? ""
            default: rest.append(assignment)
            }
        }
        assignments = rest
    }

    /// Carries out what is for the file's header.
    private mutating func takeHeaderDate(_ assignments: inout [MetadataAssignment]) throws {
        guard let date = assignments.last(where: { $0.name == .field(.headerDate) }) else { return }
        assignments.removeAll { $0.name == .field(.headerDate) }
        guard metadata.container.headers.contains(.creationDate) else {
            throw MetadataError(.unsupported, "header-date: this kind of file has no date in its header")
        }
        metadata.creationDate = date.value.isEmpty ? nil : try Self.date(date.value)
    }

    /// A moment that somebody typed; without a zone it is in universal time.
    private static func date(_ text: String) throws(MetadataNameError) -> Date {
        let full: String
        switch text.count {
        case 4: full = text + "-01-01T00:00:00Z"
        case 7: full = text + "-01T00:00:00Z"
        case 10: full = text + "T00:00:00Z"
        default: full = text
        }
        // What a header of 1904 can count in 32 bits, and some more.
        guard let date = ISO8601Timestamp.date(of: full), date.timeIntervalSince1970 > -2_082_844_800,
            date.timeIntervalSince1970 < 68_719_476_736
        else {
            throw MetadataNameError("“\(text)” is no value for header-date: write 2004-05-06 or 2004-05-06T07:08:09Z")
        }
        return date
    }

    private mutating func setName(_ name: String?, _ index: Int, _ track: Int64) {
        metadata.labels[index].name = name
        // Some players show the handler's name, so that an old one must not stay.
        if metadata.container.headers.contains(.handlers) { metadata.labels[index].handlerName = name ?? "" }
        var entries = entries(ofTrack: track)
        entries.removeAll { $0.isTrackName || $0.isTitleOfTrack }
        entries += metadata.labels[index].entries(in: metadata.container).filter(\.isTrackName)
        setEntries(entries, ofTrack: track)
    }

    /// A language that somebody typed, as BCP 47 has it: `de`, `pt-BR`, `ger`.
    private static func languageTag(_ text: String) throws(MetadataNameError) -> String {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...3).contains(parts[0].utf8.count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        guard isTag else {
            throw MetadataNameError("“\(text)” is no value for language: write a BCP 47 tag, like de or pt-BR")
        }
        guard parts[0].utf8.count == 3 else { return text }
        let short = LanguageCodes.tag(ofISO639: String(parts[0])) ?? "und"
        return ([short] + parts.dropFirst().map(String.init)).joined(separator: "-")
    }

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
    /// Whether it is the title of a track, where a name is another thing.
    fileprivate var isTitleOfTrack: Bool {
        [.iTunes, .quickTimeMetadata].contains(keySpace) && commonKey == .commonKeyTitle
    }
}
