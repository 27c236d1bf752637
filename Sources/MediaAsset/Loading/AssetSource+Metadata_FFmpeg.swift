internal import FFmpegKit
internal import Foundation
internal import MediaCore
internal import MediaIO
package import MediaMetadata
internal import MetadataFormats

extension AssetSource {
    /// All metadata of the file.
    ///
    /// Read from the file's own boxes and frames where the format is one of
    /// ours, else what FFmpeg tells. Needs no description, so that it costs no
    /// opening of the media.
    package func metadata() throws -> FileMetadata {
        if let composition { return try composition.metadata() }
        return try remembered {
            if let remote { return try remote.metadata() }
            try readPipeIfWhole()
            guard let file else {
                try checkOwnReading()
                return try metadataOfDemuxer()
            }
            do {
                let metadata = try FileMetadata.format(reading: file)?.metadata
                try checkOwnReading()
                return try metadata ?? metadataOfDemuxer()
            } catch let error as MetadataError {
                try checkOwnReading()
                throw publicError(for: error)
            }
        }
    }

    func metadataItems() throws -> [AVMetadataItem] { try metadata().entries.map { AVMetadataItem($0) } }

    func metadataItems(of track: TrackDescription) throws -> [AVMetadataItem] {
        let tracks = try metadata().tracks
        return tracks.first { $0.trackID == Int64(track.trackID) }?.entries.map { AVMetadataItem($0) } ?? []
    }

    func creationDate() throws -> AVMetadataItem? {
        let metadata = try metadata()
        if let entry = metadata.entries.first(where: { $0.commonKey == .commonKeyCreationDate }) {
            return AVMetadataItem(entry)
        }
        guard let date = metadata.creationDate else { return nil }
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierCreationDate
        item.value = NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        return item.copy() as? AVMetadataItem
    }

    /// The chapters on the asset's timeline.
    package func chapterMetadata() throws -> ChapterMetadata {
        let description = try describe()
        return ChapterMetadata(
            lists: try metadata().chapterLists, origin: description.origin, duration: description.duration)
    }

    /// What FFmpeg tells of a file whose format we do not read ourselves.
    private func metadataOfDemuxer() throws -> FileMetadata {
        let demuxer = try checkOut()
        defer { checkIn(demuxer) }
        let ids = try describe().tracks
        let metadata = FileMetadata(
            container: .other, entries: demuxer.metadata.map(MetadataEntry.init(ffmpeg:)),
            tracks: ids.compactMap { track in
                let entries = demuxer.metadata(ofStream: track.streamIndex).map(MetadataEntry.init(ffmpeg:))
                return entries.isEmpty ? nil : FileMetadata.Track(trackID: Int64(track.trackID), entries: entries)
            },
            chapterLists: [
                ChapterList(
                    form: .other,
                    chapters: demuxer.chapters.map { chapter in
                        Chapter(
                            start: chapter.start, end: chapter.end, titles: chapter.title.map { [.init($0)] } ?? [])
                    })
            ].filter { !$0.chapters.isEmpty },
            creationDate: demuxer.metadata.first { $0.key == "creation_time" }
                .flatMap { ISO8601Timestamp.date(of: $0.value) })
        do {
            try metadata.checkChapters(policy.limits)
        } catch {
            throw publicError(for: error)
        }
        return metadata
    }
}

extension MetadataEntry {
    fileprivate init(ffmpeg item: (key: String, value: String)) {
        self.init(.libavformat, .text(item.key), .text(item.value), dataType: MetadataDataType.utf8)
    }
}

/// The error for metadata that cannot be read, in the shape that callers know.
package func publicError(for error: MetadataError) -> any Error {
    switch error.kind {
    case .damaged: AVError(.fileFailedToParse, reason: error.reason, underlying: error)
    case .unsupported: AVError(.operationNotSupportedForAsset, reason: error.reason, underlying: error)
    case .limit: AVError(MediaLimitError(reason: error.reason, limit: error.limit))
    }
}

extension AssetSource {
    /// Checks that pictures of a track can be right, where the file tells in
    /// advance that they cannot.
    ///
    /// - Throws: `AVError` that says what the file is.
    package func checkIsDecodable(_ track: TrackDescription) throws {
        guard !track.isEncrypted else {
            throw AVError(
                .contentIsProtected, reason: "the video is encrypted (DRM): without its key there are no pictures")
        }
        if let dolby = track.video?.dolbyVision, !dolby.hasCompatibleBaseLayer {
            throw AVError(
                .decoderNotFound,
                reason: "Dolby Vision profile \(dolby.profileText) is not supported: its colours would be wrong")
        }
        if track.codecType == .webP, let file, ForeignFormat.isAnimatedWebP(file.read(at: 0, count: 32)) {
            throw AVError(.decoderNotFound, reason: "an animated WebP picture: this is not supported")
        }
    }

    /// Whether there is a decoder for a track, and nothing tells in advance that what it gives cannot be right.
    package func canDecode(_ track: TrackDescription) -> Bool {
        if let remote { return remote.canDecode(track) }
        if let composition { return composition.canDecode(track.trackID) }
        return track.hasDecoder && (try? checkIsDecodable(track)) != nil
    }

    /// Checks that a file whose samples could not be read is not encrypted, which looks like damage to readers that
    /// lack the key.
    ///
    /// - Throws: `AVError.contentIsProtected`.
    func checkIsClear(_ failure: FFmpegError) throws {
        guard failure.kind == .damaged, try describe().hasProtectedContent else { return }
        throw AVError(
            .contentIsProtected, reason: "the file is encrypted (DRM): without its key its samples cannot be read")
    }
}
