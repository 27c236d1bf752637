package import MediaContainers
package import MediaCore
package import MediaIO
package import MediaMetadata
package import MetadataFormats

/// The media that an export made, before they have their metadata.
///
/// Of a trim nothing is written yet: it is a new version of the source. A muxed
/// file is written, and has no name.
package struct MediaOutput {
    /// What the bytes are read from.
    private let file: RandomAccessFile
    /// What of it makes the media.
    private let rewrite: FileRewrite
    private let pending: PendingFile?
    private let room: UInt64
    private let movesMovieToFront: Bool
    /// What was read of the media; `nil` if no format of ours can be.
    private let format: (any MetadataFormat)?
    /// Tracks that could not be added.
    private var losses: [MetadataLoss] = []
    /// What the media hold already: the source's metadata in a trim, with the
    /// source's times; hardly any in a muxed file.
    package let metadata: FileMetadata

    /// Parts of files that are put together anew.
    ///
    /// - Parameter file: What the parts are of.
    package init(_ rewrite: FileRewrite, of file: RandomAccessFile) {
        self.init(rewrite, of: file, pending: nil, room: 0, movesMovieToFront: false)
    }

    /// A file that a muxer has completed.
    ///
    /// - Parameters:
    ///   - graft: Tracks of a movie to add to the muxed one.
    ///   - leads: How much earlier tracks of a movie are shown than their first sample, by their number.
    ///   - details: What tracks of a movie have to say that no muxer writes, by their number.
    ///   - shapes: How pictures of a Matroska file are to be seen, by the number of their track.
    ///   - isOptimizedForNetwork: Whether MP4 and MOV files begin with their movie box.
    package init(
        _ muxed: MuxedFile, adding graft: MovieGraft? = nil, leads: [UInt32: CMTime] = [:],
        details: [UInt32: MovieTrackDetails] = [:], shapes: [Int64: MatroskaPictureShape] = [:],
        isOptimizedForNetwork: Bool = true
    ) throws {
        let result = try graft?.added(to: muxed)
        let contents = try muxed.pending.contents()
        var rewrite = result?.rewrite ?? muxed.muxerView
        var losses = (result?.losses ?? []).map { MetadataLoss(item: $0.item, reason: $0.reason) }
        if !leads.isEmpty {
            do throws(MovieError) {
                let corrected = try MovieLead.rewrite(RandomAccessFile(rewrite, of: contents), leads: leads)
                rewrite = corrected.composed(after: rewrite)
            } catch {
                losses.append(MetadataLoss(item: "pictures before the first sync sample", reason: error.reason))
            }
        }
        if !details.isEmpty {
            // Without these nobody could tell what the samples are.
            let told = try MovieTrackDetails.rewrite(RandomAccessFile(rewrite, of: contents), details: details)
            rewrite = told.composed(after: rewrite)
        }
        if !shapes.isEmpty {
            do throws(MetadataError) {
                let shaped = try MatroskaPictureShape.rewrite(
                    RandomAccessFile(rewrite, of: contents), shapes: shapes)
                rewrite = shaped.composed(after: rewrite)
            } catch {
                losses.append(MetadataLoss(item: "how pictures are turned and cropped", reason: error.reason))
            }
        }
        self.init(
            rewrite, of: contents, pending: muxed.pending, room: muxed.room, movesMovieToFront: isOptimizedForNetwork)
        self.losses = losses
    }

    private init(
        _ rewrite: FileRewrite, of file: RandomAccessFile, pending: PendingFile?, room: UInt64,
        movesMovieToFront: Bool
    ) {
        (self.file, self.rewrite, self.pending, self.room) = (file, rewrite, pending, room)
        let media = RandomAccessFile(rewrite, of: file)
        format = try? FileMetadata.format(reading: media)
        metadata = format?.metadata ?? FileMetadata(container: .other)
        self.movesMovieToFront = movesMovieToFront && self.metadata.container.structure == .boxes
    }

    // MARK: Finishing

    /// Works out the file with its metadata; nothing is written.
    ///
    /// - Parameter metadata: The asset's entries, the tracks' and the chapters,
    ///   in the key spaces of the file's kind, times from the beginning of the
    ///   new file; `nil` for what the media hold already. Chapters of any form are
    ///   written in the forms of the file's kind. Attachments stay as they are.
    package func finished(with metadata: FileMetadata?) throws -> FinishedOutput {
        var (result, losses) = (rewrite, losses)
        if let metadata {
            let change = rewritten(with: metadata)
            result = change.rewrite.composed(after: rewrite)
            losses += change.losses
        }
        if movesMovieToFront {
            let current = RandomAccessFile(result, of: file)
            result = try MovieFront.rewrite(current, room: room).composed(after: result)
        }
        return FinishedOutput(rewrite: result, file: file, pending: pending, losses: losses)
    }

    private func rewritten(with metadata: FileMetadata) -> MetadataRewrite {
        var (new, losses) = adapted(metadata)
        let media = RandomAccessFile(rewrite, of: file)
        let same = FileRewrite(segments: [.source(0..<media.byteCount)])
        guard let format else {
            losses += Self.losses(of: new, "this kind of file holds no metadata")
            return MetadataRewrite(rewrite: same, losses: losses)
        }
        do throws(MetadataError) {
            let change = try format.rewritten(with: new)
            return MetadataRewrite(rewrite: change.rewrite, losses: losses + change.losses)
        } catch {
            // The media are made, which may have taken hours, and are as good as before.
            new.attachments = []
            return MetadataRewrite(rewrite: same, losses: losses + Self.losses(of: new, error.reason))
        }
    }

    /// The metadata as this kind of file can have them.
    private func adapted(_ metadata: FileMetadata) -> (FileMetadata, [MetadataLoss]) {
        var new = metadata
        new.container = self.metadata.container
        new.attachments = self.metadata.attachments
        new.creationDate = self.metadata.creationDate
        guard metadata.chapterLists != self.metadata.chapterLists, format != nil else { return (new, []) }
        let (lists, losses) = metadata.chapterLists.forms(for: new.container, origin: .zero)
        new.chapterLists = lists
        return (new, losses)
    }

    private static func losses(of metadata: FileMetadata, _ reason: String) -> [MetadataLoss] {
        let entries = metadata.entries + metadata.tracks.flatMap(\.entries)
        var items: [String] = []
        for entry in entries where !items.contains(entry.identifier.rawValue) {
            items.append(entry.identifier.rawValue)
        }
        return items.map { MetadataLoss(item: $0, reason: reason) }
            + (metadata.chapterLists.isEmpty ? [] : [.chapters(reason: reason)])
    }
}

/// A file that is ready to be written.
package struct FinishedOutput {
    package private(set) var rewrite: FileRewrite
    package let file: RandomAccessFile
    let pending: PendingFile?
    /// What the file cannot hold of the metadata.
    package let losses: [MetadataLoss]

    /// The file with a further change.
    package func changed(by change: FileRewrite) -> FinishedOutput {
        var output = self
        output.rewrite = change.composed(after: rewrite)
        return output
    }

    /// Bytes of the file.
    package var byteCount: UInt64 { rewrite.byteCount }

    /// Writes the file and gives it its name.
    ///
    /// - Parameters:
    ///   - target: The file that was muxed into, or an empty one for a trim.
    ///   - progress: Gets the number of bytes written so far, now and then; what it
    ///     throws ends the writing.
    ///   - review: Gets the complete file before it has its name; what it throws leaves no file.
    /// - Throws: `FileWriteError` if writing fails, if the source was changed
    ///   meanwhile, or if the task is cancelled; there is no such file then.
    package func write(
        to target: PendingFile, isSynced: Bool = true,
        progress: (UInt64) throws(FileWriteError) -> Void = { _ in },
        review: (PendingFile) throws -> Void = { _ in }
    ) throws {
        guard target !== pending else {
            try file.checkUnchanged(whileMaking: target.path)
            let changed = try target.applying(rewrite, progress: progress)
            try review(changed)
            return try complete(changed, isSynced: isSynced, progress: progress)
        }
        try target.write(rewrite, of: file, startsWriteback: isSynced, progress: progress)
        try file.checkUnchanged(whileMaking: target.path)
        try review(target)
        try complete(target, isSynced: isSynced, progress: progress)
    }

    private func complete(
        _ target: PendingFile, isSynced: Bool, progress: (UInt64) throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        try target.complete(isSynced: isSynced) { () throws(FileWriteError) in try progress(byteCount) }
    }
}

/// How much room a movie's tables will need at the front of the file.
///
/// They are written last, when all samples are known. Keeping room for them
/// spares moving all media afterwards; what is too much stays as free space.
package struct FrontRoom: Hashable, Sendable {
    /// What is known beforehand of a track.
    package struct Track: Hashable, Sendable {
        /// About how many samples it will have.
        var sampleCount: Int
        /// Whether samples may last unequally long.
        var hasVariableDurations: Bool
        /// Whether samples may be stored in another order than they are shown in.
        var isReordered: Bool
        /// About how many sync samples it will have; `nil` if all are.
        var syncSampleCount: Int?
        /// Bytes of the codec's parameters.
        var configurationByteCount: Int

        package init(
            sampleCount: Int, hasVariableDurations: Bool = false, isReordered: Bool = false,
            syncSampleCount: Int? = nil, configurationByteCount: Int = 256
        ) {
            self.sampleCount = sampleCount
            self.hasVariableDurations = hasVariableDurations
            self.isReordered = isReordered
            self.syncSampleCount = syncSampleCount
            self.configurationByteCount = configurationByteCount
        }
    }

    var tracks: [Track]
    /// About how large the file will be, as far as known.
    var mediaByteCount: UInt64
    /// Bytes of tags, pictures and chapters that go into the movie box.
    var metadataByteCount: UInt64

    package init(tracks: [Track], mediaByteCount: UInt64 = 0, metadataByteCount: UInt64 = 0) {
        (self.tracks, self.mediaByteCount) = (tracks, mediaByteCount)
        self.metadataByteCount = metadataByteCount
    }

    /// More is not kept free: moving the media is better then.
    private static let maximum: UInt64 = 256 << 20
    /// Boxes of a movie and of a track besides their tables.
    private static let (movieBoxes, trackBoxes): (UInt64, UInt64) = (2048, 1024)
    /// Samples of one track that follow each other are one chunk up to so many bytes.
    private static let chunkByteCount: UInt64 = 1 << 20

    /// Bytes to keep free: what the tables take at most, if the numbers are true within a twentieth.
    package var byteCount: UInt64 {
        let total = tracks.reduce(UInt64(0)) { $0 + UInt64(max(0, $1.sampleCount)) }
        let isLarge = mediaByteCount > UInt64(UInt32.max) / 8 * 7
        let tables = tracks.reduce(UInt64(0)) { sum, track in
            let samples = UInt64(max(0, track.sampleCount))
            // A chunk ends where samples of another track come, or a number of bytes is reached.
            let chunks = min(samples, total - samples + mediaByteCount / Self.chunkByteCount + 1)
            // Where other tracks have more samples, almost every chunk has one; else their sizes alternate.
            let chunkRuns = samples <= total - samples ? chunks / 4 + 1 : chunks
            var bytes = samples * 4 + chunks * (isLarge ? 8 : 4) + chunkRuns * 12
            if track.hasVariableDurations { bytes += samples * 8 }
            if track.isReordered { bytes += samples * 8 }
            if let syncs = track.syncSampleCount { bytes += UInt64(max(0, syncs)) * 4 }
            return sum + bytes + UInt64(max(0, track.configurationByteCount)) + Self.trackBoxes
        }
        let bytes = tables + tables / 20 + metadataByteCount + Self.movieBoxes
        return bytes <= Self.maximum ? bytes : 0
    }
}

extension MovieGraft {
    /// A movie with the tracks: what it is made of, and what is not in it.
    struct Result {
        /// Made of the file that was muxed.
        var rewrite: FileRewrite
        var losses: [MovieLoss] = []
    }

    /// Adds the tracks to a muxed movie: their samples to the file, their boxes to its movie box.
    func added(to muxed: MuxedFile) throws(FileWriteError) -> Result {
        let media = RandomAccessFile(muxed.muxerView, of: try muxed.pending.contents())
        let (addition, losses) = addition(to: media)
        guard let addition else { return Result(rewrite: muxed.muxerView, losses: losses) }
        // The muxer's movie box is in memory, and its place at the end goes to the samples.
        let place = muxed.pending.byteCount - (media.byteCount - addition.start)
        try muxed.pending.replaceEnd(from: place, with: addition.samples, of: file)
        try file.checkUnchanged(whileMaking: muxed.pending.path)
        let front = FileRewrite(segments: [.source(0..<addition.start)]).composed(after: muxed.muxerView)
        let samples = FileRewrite.Segment.source(place..<(place + addition.samples.byteCount))
        return Result(
            rewrite: FileRewrite(segments: front.segments + [samples, .bytes(addition.movieBox)]), losses: losses)
    }
}
