internal import MediaIO

/// What of a file's items of metadata may be shared with people who are not to know where, when and by whom it was made.
///
/// An item stays if it is known to say something of a work: its title, its artists, its place on an album, its rights,
/// what a player needs. All others go, and so does what is kept in name and yet holds a position or an e-mail address.
/// `ShareSafeRules` has the lists.
///
/// Beyond the places, AVFoundation does not tell which items `forSharing()` removes.
package enum MetadataSharing {
    /// An entry as it may be shared; `nil` if it may not.
    package static func shareable(_ entry: MetadataEntry) -> MetadataEntry? {
        guard isKept(entry) else { return nil }
        var entry = entry
        for key in ShareSafeRules.removedExtras { entry.extras[key] = nil }
        if entry.keySpace != .iTunesFreeForm { entry.extras[.name] = nil }
        if entry.info != nil, !isNameOfItem(entry) { entry.extras[.info] = describing(entry) }
        switch entry.value {
        case .text(let text):
            if isDate(entry) {
                guard let year = year(of: text) else { return nil }
                entry.value = .text(year)
            } else if isArtwork(entry) || PrivateText.tellsPlaceOrPerson(text) {
                return nil
            }
        case .data(let bytes) where entry.isPicture:
            guard let picture = PictureFile.shareable(bytes) else { return nil }
            entry.value = .data(picture)
        case .data(let bytes):
            if PrivateText.tellsPlaceOrPerson(TextCoding.utf8OrLatin1(bytes.prefix(1 << 16))) { return nil }
        default: break
        }
        return entry
    }

    /// The entries that may be shared.
    package static func shareable(_ entries: [MetadataEntry]) -> [MetadataEntry] { entries.compactMap(shareable) }

    /// Why an entry is left out, for people; `nil` if it stays.
    static func detail(of entry: MetadataEntry, inTrack track: Int64? = nil) -> PrivateDetail? {
        let kept = shareable(entry)
        guard kept != entry else { return nil }
        let name = entry.identifier.rawValue + (entry.info.map { $0.isEmpty ? "" : " (\($0))" } ?? "")
        let place = track.map { "track \($0), \(name)" } ?? name
        if entry.isPicture {
            let reason = kept == nil ? "a picture that cannot be looked through" : "what a picture holds beside itself"
            return PrivateDetail(.artwork, place, reason)
        }
        if kept != nil, isDate(entry) { return PrivateDetail(.metadata, place, "a date, of which the year stays") }
        let reason =
            isKept(entry) ? "tells a place, a person or no year" : "is not known to be of the work itself"
        return PrivateDetail(.metadata, place, reason)
    }

    // MARK: Which items stay

    private static func isKept(_ entry: MetadataEntry) -> Bool {
        if entry.extras[.element] == .text(MatroskaElementName.trackName) { return false }
        if entry.extras[.valueURI] != nil { return false }
        let name = entry.key.text
        switch entry.keySpace {
        case .id3 where ShareSafeRules.keptFrames.contains(ID3FrameNames.longName(of: entry.key)): return true
        case .quickTimeUserData, .isoUserData:
            if ShareSafeRules.keptUserData.contains(name) { return true }
            if case .data = entry.value { return false }
        case .quickTimeMetadata:
            if ShareSafeRules.keptQuickTimeKeys.contains(where: {
                name == $0 || $0.hasSuffix(".") && name.hasPrefix($0)
            }) {
                return true
            }
        case .iTunes where ShareSafeRules.keptStoreCodes.contains(name): return true
        default: break
        }
        guard let meaning = EntryMeaning(entry, MatroskaLevels([MetadataEntry]())) else { return false }
        // Day, month and time of a date that stands apart are no year.
        if meaning.part == .dayAndMonth || meaning.part == .time { return false }
        switch meaning.meaning {
        case .field(let field):
            return ShareSafeRules.keptFields.contains(field.rawValue)
                || field == .description && entry.keySpace == .iTunes
        case .custom(let name): return ShareSafeRules.isKeptName(name)
        }
    }

    /// Whether the entry's information is a part of its name rather than somebody's words.
    private static func isNameOfItem(_ entry: MetadataEntry) -> Bool {
        guard entry.keySpace == .id3 else { return false }
        return ["TXXX", "COMM", "WXXX"].contains(ID3FrameNames.longName(of: entry.key))
    }

    /// A description that tells nothing: for attached files their name, which tells readers that it is a cover.
    private static func describing(_ entry: MetadataEntry) -> MetadataValue {
        guard entry.extras[.element] == .text(MatroskaElementName.attachedFile) else { return .text("") }
        return .text(entry.dataType == MetadataDataType.png ? "cover.png" : "cover.jpg")
    }

    // MARK: Values

    private static func isDate(_ entry: MetadataEntry) -> Bool {
        guard case .field(let field)? = EntryMeaning(entry, MatroskaLevels([MetadataEntry]()))?.meaning else {
            return false
        }
        return ShareSafeRules.datesOfWorks.contains(field.rawValue)
    }

    /// The year that a date begins with.
    private static func year(of text: String) -> String? {
        let year = text.prefix(4)
        let next = text.dropFirst(4).first
        guard year.count == 4, year.allSatisfy({ $0.isASCII && $0.isNumber }), next?.isNumber != true else {
            return nil
        }
        return String(year)
    }

    /// Whether an entry is a picture of the whole file, in whatever form.
    private static func isArtwork(_ entry: MetadataEntry) -> Bool {
        EntryMeaning(entry, MatroskaLevels([MetadataEntry]()))?.meaning == .field(.artwork)
    }
}

extension MetadataEntry {
    /// Whether it is a picture of the whole file.
    fileprivate var isPicture: Bool {
        guard case .data = value else { return false }
        return isArtwork || EntryMeaning(self, MatroskaLevels([MetadataEntry]()))?.meaning == .field(.artwork)
    }
}

extension ChapterList {
    /// The chapters without titles that tell positions or addresses, without links, and with pictures alone in their
    /// pictures.
    package var forSharing: ChapterList {
        var list = self
        list.chapters = chapters.map(\.forSharing)
        return list
    }
}

extension Chapter {
    fileprivate var forSharing: Chapter {
        var chapter = self
        chapter.titles.removeAll { PrivateText.tellsPlaceOrPerson($0.text) }
        chapter.link = nil
        chapter.artwork = artwork.flatMap { PictureFile.shareable($0) }
        chapter.children = children.map(\.forSharing)
        return chapter
    }
}

extension FileMetadata {
    /// The items that a file to be shared does not get, but for those of tracks that go themselves.
    package func privateDetails(withoutTracks removed: Set<Int64>) -> [PrivateDetail] {
        var details: [PrivateDetail] = []
        details.note(contentsOf: entries.compactMap { MetadataSharing.detail(of: $0) })
        for track in tracks where !removed.contains(track.trackID) {
            details.note(
                contentsOf: track.entries.compactMap { MetadataSharing.detail(of: $0, inTrack: track.trackID) })
        }
        return details
    }
}
