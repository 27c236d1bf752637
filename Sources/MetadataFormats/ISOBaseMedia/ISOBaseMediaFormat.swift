internal import MediaContainers
package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    /// MP4, M4A, M4B, M4V, 3GP, and streams in segments of MP4.
    package static let isoBaseMedia = FileMetadata.Container(
        "isoBaseMedia", shortName: "mp4",
        typeIdentifiers: [
            "public.mpeg-4", "com.apple.m4v-video", "com.apple.m4a-audio", "public.3gpp", "public.3gpp2",
            "public.m3u-playlist",
        ],
        keySpaces: movieKeySpaces, homes: [.iTunes, .quickTimeMetadata, .quickTimeUserData, .isoUserData],
        // Players look for places in user data, as cameras write them in MP4 files.
        homesOfFields: [.location: .quickTimeUserData], chapterForms: [.quickTimeTrack, .nero],
        headers: [.trackLabels, .handlers, .creationDate], roles: .all, structure: .boxes)

    /// QuickTime movies.
    ///
    /// They have QuickTime metadata, unless a file has only iTunes metadata or only user data.
    package static let quickTime = FileMetadata.Container(
        "quickTime", shortName: "mov",
        typeIdentifiers: ["com.apple.quicktime-movie", "com.apple.quicktime-audio"], keySpaces: movieKeySpaces,
        homes: [.quickTimeMetadata, .iTunes, .quickTimeUserData, .isoUserData],
        homesIfPresent: [.quickTimeMetadata, .iTunes, .quickTimeUserData], chapterForms: [.quickTimeTrack, .nero],
        headers: [.trackLabels, .handlers, .creationDate], roles: .all, structure: .boxes)

    private static let movieKeySpaces: [AVMetadataKeySpace] = [
        .iTunes, .iTunesFreeForm, .quickTimeMetadata, .quickTimeUserData, .isoUserData,
        OuterMetadata.packetKeySpace, OuterMetadata.metaKeySpace,
    ]
}

/// MP4, M4A, M4B, M4V and 3GP files, and QuickTime movies.
package struct ISOBaseMediaFormat: MetadataFormat {
    /// The boxes that files begin with.
    private static let firstTypes: Set<FourCC> = [
        "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "uuid", "moof", "sidx",
    ]

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        guard let size = head.bigEndian32(at: 0), let type = head.fourCC(at: 4) else { return false }
        return firstTypes.contains(type) && (size < 2 || size >= 8)
    }

    package static let containers: [FileMetadata.Container] = [.isoBaseMedia, .quickTime]
    private let movie: MovieMetadata
    package let metadata: FileMetadata

    package init(reading file: RandomAccessFile) {
        let metadata = MovieMetadata(MovieFile(file))
        var result = FileMetadata(container: FileMetadata.Container(of: metadata.movieFile))
        let movieStart = metadata.movieFile.movie?.start ?? 0
        let outer = { (isBefore: Bool) in
            metadata.outerItems.filter { ($0.box.start < movieStart) == isBefore }.flatMap(\.entries)
        }
        result.entries = outer(true)
        for scope in metadata.scopes {
            if let trackID = scope.trackID {
                let entries = scope.entries
                if !entries.isEmpty { result.tracks.append(.init(trackID: trackID, entries: entries)) }
                result.labels.append(
                    TrackLabelReader(reader: metadata.movieFile.reader).label(of: scope.box, trackID: trackID))
            } else {
                result.entries += scope.entries
            }
        }
        result.entries += outer(false)
        result.creationDate = metadata.creationDate
        result.problems = metadata.problems
        if let movie = metadata.movieFile.movie {
            let chapters = ISOChapters.lists(in: movie, of: file)
            result.chapterLists = chapters.lists
            result.problems += chapters.problems
        }
        (movie, self.metadata) = (metadata, result)
    }

    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        let old = movie
        let movieFile = old.movieFile
        guard let movie = movieFile.movie else {
            guard metadata == self.metadata else { throw MetadataError(.unsupported, "there is no moov box") }
            return MetadataRewrite(rewrite: FileRewrite(segments: [.source(0..<movieFile.file.byteCount)]))
        }
        let outer = OuterRewriter(metadata.entries.filter(OuterRewriter.holds), among: old.outerItems)
        var losses = outer.losses
        var chapters = ChapterRewriter(movie, in: movieFile, edits: BoxEdits())
        chapters.rewrite(metadata.chapterLists, replacing: self.metadata.chapterLists)
        var edits = chapters.edits
        var tracks = metadata.tracks
        for scope in old.scopes {
            var entries = metadata.entries.filter { !OuterRewriter.holds($0) }
            if let trackID = scope.trackID {
                let index = tracks.firstIndex { $0.trackID == trackID }
                entries = index.map { tracks.remove(at: $0).entries } ?? []
                if let label = metadata.labels.first(where: { $0.trackID == trackID }) {
                    let present = TrackLabelReader(reader: movieFile.reader).label(of: scope.box, trackID: trackID)
                    let writer = TrackLabelWriter(
                        reader: movieFile.reader, isQuickTime: movieFile.isQuickTime)
                    writer.write(label, replacing: present, of: scope.box, to: &edits)
                    entries = writer.entries(entries, for: label, replacing: present)
                }
            }
            var rewriter = ScopeRewriter(scope, edits: edits)
            rewriter.rewrite(entries, beside: scope.trackID == nil ? chapters.neroBox : [])
            edits = rewriter.edits
            losses += rewriter.losses
        }
        losses += chapters.losses
        if metadata.creationDate != old.creationDate {
            HeaderDates(reader: movieFile.reader, date: metadata.creationDate).write(to: movie, &edits)
        }
        for entry in tracks.flatMap(\.entries) {
            losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: "there is no such track"))
        }
        if !metadata.attachments.isEmpty {
            losses.append(MetadataLoss(item: "attachments", reason: "MP4 and QuickTime files have none"))
        }
        let rewriter = MovieRewriter(
            movieFile, movie: movie, edits: edits, outer: outer.changes, additions: outer.additions,
            tracks: chapters.tracks.map { track in
                AddedTrack(sampleData: track.sampleData) { track.box(sampleDataAt: $0) }
            })
        do throws(MovieError) {
            let rewrite = try rewriter.rewrite()
            if movieFile.hasCredentials, metadata != self.metadata {
                let reason = "they stay, but sign other bytes than the new file's"
                var loss = MetadataLoss(item: MovieFile.credentials, reason: reason, isChange: true)
                loss.leavesNothingOut = true
                losses.append(loss)
            }
            return MetadataRewrite(rewrite: rewrite, losses: losses)
        } catch { throw MetadataError(error) }
    }
}

extension FileMetadata.Container {
    /// What a file calls itself.
    init(of movieFile: MovieFile) { self = movieFile.isQuickTime ? .quickTime : .isoBaseMedia }
}

extension MetadataError {
    /// Why a movie could not be laid out anew.
    init(_ error: MovieError) {
        let kind: Kind =
            switch error.kind {
            case .damaged: .damaged
            case .limit: .limit
            case .unsupported, .emptyRange: .unsupported
            }
        self.init(kind, error.reason, limit: error.limit)
    }
}

/// Metadata beside the movie: XMP packets, and what the file's own `meta` box holds.
///
/// AVFoundation does not show these. They are entries so that nothing stays in
/// a file unseen; they can be kept or removed, and XMP packets be written too.
enum OuterMetadata {
    /// The key space of XMP packets in boxes with a UUID.
    static let packetKeySpace = AVMetadataKeySpace(rawValue: "uuid")
    /// The key space of boxes in the file's own `meta` box.
    static let metaKeySpace = AVMetadataKeySpace(rawValue: "meta")
    /// Boxes of such a `meta` box that are metadata: ID3 tags and XML documents.
    static let types: Set<FourCC> = ["ID32", "xml ", "bxml"]

    /// The UUID of XMP packets.
    static let packetIdentifier = MovieFile.packetIdentifier
    static let packetKey = MetadataKey.text("BE7ACFCB-97A9-42E8-9C71-999491E3AFAC")

    static func packet(_ bytes: [UInt8]) -> MetadataEntry {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return MetadataEntry(packetKeySpace, packetKey, .data(bytes), dataType: MetadataDataType.raw)
        }
        return MetadataEntry(packetKeySpace, packetKey, .text(text), dataType: MetadataDataType.utf8)
    }

    static func entry(_ type: FourCC, _ content: [UInt8]) -> MetadataEntry {
        let key = MetadataKey.code(type.rawValue)
        // Version and flags, then the text to its end or a zero.
        let text = content.dropFirst(4).prefix { $0 != 0 }
        if type == "xml ", content.count - 4 - text.count <= 1, let text = String(validating: text, as: UTF8.self) {
            return MetadataEntry(metaKeySpace, key, .text(text), dataType: MetadataDataType.utf8)
        }
        return MetadataEntry(metaKeySpace, key, .data(content), dataType: MetadataDataType.raw)
    }
}
