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
        guard let file = RandomAccessFile(path: path, limits: limits) else {
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
        self.path = path
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
        if refusesLosses, let loss = (losses + change.losses).first {
            throw MetadataError(.unsupported, "\(loss.item) cannot be stored: \(loss.reason)")
        }
        if let place {
            try change.rewrite.write(to: place, from: file)
            return outcome(change, .copy)
        }
        return outcome(change, try change.rewrite.apply(to: path, of: file))
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
