public import Foundation
public import MediaIO
public import MediaMetadata

/// Reads the metadata of a file, changes it and writes it back.
///
/// Beyond AVFoundation, which can write metadata only by exporting. Media data
/// are never touched; what the file holds beside metadata stays as it is.
///
/// A value: changes are made in memory, and written by ``save(to:replaces:refusesLosses:)`` only. All calls block.
///
/// ```swift
/// var file = try MetadataFile(url: url)
/// var item = file.mediaItem
/// item.name = "Big Buck Bunny"
/// file.apply(item)
/// try file.save()
/// ```
public struct MetadataFile: Sendable {
    let file: RandomAccessFile
    /// What was read of the file, which new versions are made from.
    let format: any MetadataFormat
    let path: String
    private let access: FileAccess
    /// What the file will hold.
    package var metadata: FileMetadata
    /// What could not be held, as far as known before writing.
    package var losses: [MetadataLoss] = []
    /// What else is done to the new version of the file, which it gets with the old one.
    package var finishing: (@Sendable (FileRewrite, RandomAccessFile) throws -> FileRewrite)?
    /// The file as it was read.
    package var contents: RandomAccessFile { file }

    /// Reads a file's metadata.
    ///
    /// - Parameters:
    ///   - url: A file, which the value holds open.
    ///   - limits: How much the file may ask for, and how large what is written may be.
    /// - Throws: `CocoaError.fileReadNoSuchFile` if there is no such file, `.fileReadUnknown` if it is no regular file
    ///   that can be read; `MetadataError` if it is of no format that can be written (`unsupported`), damaged, or
    ///   beyond the limits of our readers.
    /// - Complexity: Reads what holds metadata, covers whole; media is hopped over.
    public init(url: URL, limits: MediaLimits = MediaLimits()) throws {
        try self.init(path: url.path, limits: limits)
    }

    package init(path: String, limits: MediaLimits = MediaLimits()) throws {
        try self.init(RandomAccessFile(path: path, limits: limits), path: path, access: .direct)
    }

    /// - Parameters:
    ///   - file: The file of that path; `nil` if it cannot be opened.
    ///   - access: Who changes it.
    package init(_ file: RandomAccessFile?, path: String, access: FileAccess) throws {
        guard let file else {
            let isThere = FileManager.default.fileExists(atPath: path)
            let code: CocoaError.Code = isThere ? .fileReadUnknown : .fileReadNoSuchFile
            throw CocoaError(
                code, userInfo: [NSLocalizedDescriptionKey: isThere ? "not a readable file" : "no such file"])
        }
        let recognized = Result { try FileMetadata.format(reading: file) }
        // What was made of the rest would pass for what the file holds.
        if let failure = file.readFailure {
            throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: failure.reason])
        }
        guard let format = try recognized.get() else {
            throw MetadataError(.unsupported, "metadata of this kind of file can be shown at most, not changed")
        }
        self.file = file
        self.format = format
        (self.path, self.access) = (path, access)
        metadata = format.metadata
    }

    // MARK: Contents

    /// The asset's items in file order; what they are set to is what the file will hold.
    ///
    /// Items without an identifier or a value cannot be held and are left out. What the format cannot hold is among
    /// the losses of `plan()`.
    public var items: [AVMetadataItem] {
        get { metadata.entries.map { AVMetadataItem($0) } }
        set { metadata.entries = newValue.compactMap(\.entry) }
    }

    /// The items of each track that has some, by the container's track numbers.
    public var trackItems: [Int64: [AVMetadataItem]] {
        get {
            Dictionary(
                metadata.tracks.map { ($0.trackID, $0.entries.map { AVMetadataItem($0) }) },
                uniquingKeysWith: { $0 + $1 })
        }
        set {
            metadata.tracks = newValue.sorted { $0.key < $1.key }.map { track in
                FileMetadata.Track(trackID: track.key, entries: track.value.compactMap(\.entry))
            }
        }
    }

    /// The chapters as the file lists them: ID3, Vorbis comments and cue sheets count from the first sample, as the
    /// asset's timeline does, all else on the container's, which `AssetDescription.origin` relates to it.
    public var chapterLists: [ChapterList] {
        get { metadata.chapterLists }
        set { metadata.chapterLists = newValue }
    }

    /// The normalised view of the asset's items.
    public var mediaItem: MediaItem { MediaItem(entries: metadata.entries) }

    /// What could not be read, one line each; empty if all could.
    public var problems: [String] { metadata.problems }

    // MARK: Writing

    /// What writing would do.
    public struct Outcome: Hashable, Sendable {
        /// How the file is written.
        public var method: FileRewriteMethod
        /// The file's size afterwards, in bytes.
        public var byteCount: UInt64
        /// What the format cannot hold.
        public var losses: [MetadataLoss]
    }

    /// What `save` would do, without doing it.
    ///
    /// - Throws: ``MetadataError`` if the format or this file's structure cannot be written.
    /// - Complexity: Works the new version out in memory: all metadata, and of movies the tables that say where
    ///   samples lie.
    public func plan() throws -> Outcome {
        let change = try rewritten()
        return outcome(change, change.rewrite.method(for: file))
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - url: Where a changed copy goes, which must not be the file itself;
    ///     without it the file itself is changed, in place if every step leaves the old or the new version, else by a
    ///     copy that takes its place at once.
    ///   - replaces: Whether an existing file may be replaced by the copy.
    ///   - refusesLosses: Whether nothing is written if the format cannot hold all of it.
    /// - Throws: `FileWriteError` if writing fails, `MetadataError` if the format
    ///   or this file's structure cannot be written, or if something would be lost and `refusesLosses` is set; the
    ///   file is then as it was.
    /// - Complexity: In place, as many bytes as change; a copy copies the file.
    @discardableResult
    public func save(to url: URL? = nil, replaces: Bool = false, refusesLosses: Bool = false) throws -> Outcome {
        let place = try url.map { try RunFiles(reading: [path]).output($0.path, replaces: replaces) }
        return try save(to: place, refusesLosses: refusesLosses)
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - place: Where a changed copy goes; without it the file itself is changed.
    ///   - refusesLosses: Whether nothing is written if the format cannot hold all of it.
    @discardableResult
    package func save(to place: OutputPlace?, refusesLosses: Bool) throws -> Outcome {
        let change = try rewritten()
        if refusesLosses, let loss = (losses + change.losses).first(where: { !$0.leavesNothingOut }) {
            throw MetadataError(.unsupported, "\(loss.item) cannot be stored: \(loss.reason)")
        }
        if let place {
            try change.rewrite.write(to: place, from: file)
            return outcome(change, .copy)
        }
        return outcome(change, try change.rewrite.apply(to: path, of: file, access: access))
    }

    private func rewritten() throws -> MetadataRewrite {
        var change = try format.rewritten(with: metadata)
        if let finishing { change.rewrite = try finishing(change.rewrite, file) }
        guard change.rewrite.byteCount <= UInt64(file.limits.outputSize) else {
            throw MetadataError(
                .limit, "the changed file would be larger than the limit of \(file.limits.outputSize) bytes",
                limit: .outputSize)
        }
        return change
    }

    private func outcome(_ change: MetadataRewrite, _ method: FileRewriteMethod) -> Outcome {
        Outcome(
            method: method, byteCount: change.rewrite.byteCount,
            losses: losses + change.losses)
    }
}

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
        // What somebody asks for by name must not get lost, and is told if it is there in another form.
        if let loss = edit.losses.first(where: { !$0.leavesNothingOut }) {
            throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)")
        }
        losses += edit.losses
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
