internal import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

/// The tracks of a source that a file to be shared does not get.
struct PrivateTracks {
    /// Why, by the asset's numbers of the tracks.
    private(set) var reasons: [Int32: PrivateDetail] = [:]

    /// Text is looked through up to so many packets.
    private static let maximumPackets = 1 << 20

    init(of source: AssetSource) throws {
        let asset = try source.describe()
        if let file = source.file, try source.metadata().container.structure == .boxes,
            asset.containerType.isMovie
        {
            try readMovie(MovieScrubber(file), asset.tracks)
            return
        }
        let demuxer = try source.open()
        var texts: [Int: TrackDescription] = [:]
        for track in asset.tracks where demuxer.streams.indices.contains(track.streamIndex) {
            let stream = demuxer.streams[track.streamIndex]
            switch stream.kind {
            case .video, .audio: break
            case .subtitle:
                if !stream.codec.has(.isUnreadable) { texts[track.streamIndex] = track }
            case .attachment:
                if !Self.isFont(stream.extradata) { remove(track, "is neither a font nor a cover", .attachment) }
            case .data where stream.codecTag == "tmcd": break
            case .data, .unknown: remove(track, "cannot be looked through", .track)
            }
        }
        try readTexts(texts, demuxer)
    }

    /// Brings what a movie's boxes say to the asset's tracks.
    ///
    /// The numbers agree, but in files with so many covers that FFmpeg counts anew; then the kinds decide.
    private mutating func readMovie(_ movie: MovieScrubber, _ tracks: [TrackDescription]) throws {
        let found = try movie.tracksToRemove()
        let texts: Set<AVMediaType> = [.subtitle, .text]
        let kept: Set<AVMediaType> = [.video, .audio, .closedCaption, .timecode]
        let agrees = movie.tracks.allSatisfy { track in
            let other = tracks.first { UInt32(exactly: $0.trackID) == track.id }?.mediaType
            return (track.handler == "vide") == (other == .video) && (track.handler == "soun") == (other == .audio)
        }
        let text = found.values.first { detail in
            movie.tracks.contains { ShareSafeRules.textHandlers.contains($0.handler) && found[$0.id] == detail }
        }
        for track in tracks {
            if agrees {
                reasons[track.trackID] = UInt32(exactly: track.trackID).flatMap { found[$0] }
            } else if texts.contains(track.mediaType) {
                reasons[track.trackID] = text
            } else if !kept.contains(track.mediaType) {
                remove(track, "cannot be looked through", .track)
            }
        }
    }

    private static func isFont(_ bytes: [UInt8]) -> Bool {
        [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8)]
            .contains { bytes.starts(with: $0) }
    }

    private mutating func readTexts(_ texts: [Int: TrackDescription], _ demuxer: Demuxer) throws {
        guard !texts.isEmpty else { return }
        demuxer.select(streams: Set(texts.keys))
        for (index, track) in texts {
            let header = demuxer.streams[index].extradata
            if header.withUnsafeBytes({ PrivateText.tellsPlaceOrPerson($0) }) { removeText(track) }
        }
        for _ in 0..<Self.maximumPackets {
            guard let packet = try demuxer.readPacket() else { return }
            guard let track = texts[packet.streamIndex], reasons[track.trackID] == nil else { continue }
            if packet.withBytes({ PrivateText.tellsPlaceOrPerson($0) }) { removeText(track) }
        }
        // What is too much to be looked through is not known to be harmless.
        for track in texts.values where reasons[track.trackID] == nil {
            remove(track, "cannot be looked through", .track)
        }
    }

    private mutating func removeText(_ track: TrackDescription) {
        remove(track, "its text tells positions or addresses", .track)
    }

    private mutating func remove(_ track: TrackDescription, _ reason: String, _ kind: PrivateDetail.Kind) {
        reasons[track.trackID] = PrivateDetail(kind, track.nameForPeople, reason)
    }
}

/// All of a source that a file to be shared does not get.
struct PrivateDetails {
    /// What goes, with its place.
    private(set) var details: [PrivateDetail] = []

    /// Looks through a source.
    ///
    /// - Parameter looksThroughSamples: Whether coded samples are read too, which takes as long as reading the file.
    init(of source: AssetSource, looksThroughSamples: Bool) throws {
        let metadata = try source.metadata()
        if let file = source.file, metadata.container != .other {
            details = try FileScrub(file, looksThroughSamples: looksThroughSamples).details(with: metadata)
            guard metadata.container == .riff else { return }
        } else {
            details = metadata.privateDetails(withoutTracks: [])
        }
        details.note(contentsOf: try PrivateTracks(of: source).reasons.sorted { $0.key < $1.key }.map(\.value))
        if looksThroughSamples, metadata.container != .riff { try readSamples(source) }
    }

    /// Looks through the packets of a source of any other kind.
    private mutating func readSamples(_ source: AssetSource) throws {
        let demuxer = try source.open()
        var scrubbers: [Int: SampleScrubber] = [:]
        for stream in demuxer.streams where stream.kind == .video && !stream.isAttachedPicture {
            scrubbers[stream.index] = SampleScrubber(codec: stream.codec.rawValue, configuration: stream.extradata)
        }
        guard !scrubbers.isEmpty else { return }
        demuxer.select(streams: Set(scrubbers.keys))
        while let packet = try demuxer.readPacket() {
            guard let scrubber = scrubbers[packet.streamIndex] else { continue }
            for patch in packet.withBytes({ scrubber.patches(in: $0) }) {
                let name = demuxer.streams[packet.streamIndex].nameOfTrack
                details.note(PrivateDetail(.message, "\(name), samples", patch.reason))
            }
        }
    }
}

extension StreamTraits {
    /// What a file that is to be shared says of a stream: how it is shown, not what anybody called it.
    var forSharing: StreamTraits {
        var traits = self
        let kept: Set = ["language", "timecode", "alpha_mode", "stereo_mode", "filename", "mimetype"]
        traits.metadata = metadata.filter { kept.contains($0.key) }
        return traits
    }
}
