internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine

/// Compositions whose coded samples stay as they are, one film after the other, through FFmpeg's muxers.
extension PipelinePlanner {
    mutating func addCopies(of composition: CompositionState) throws {
        let content = composition.content
        var composed: [(track: TrackDescription, part: CompositionContent.Track)] = []
        for track in asset.tracks {
            guard let part = content.tracks.first(where: { $0.trackID == track.trackID }), part.firstMedia != nil else {
                lose(track, "there is nothing in it")
                continue
            }
            guard !part.turnsMedia else {
                throw JoinPlanner.refusal("pictures are turned in some files and not in others")
            }
            composed.append((track, part))
        }
        let stretches = try CompositionStretches(composed.map(\.part), in: shownRange).dividedByEdits()
        var films: [JoinedFilm?] = []
        for stretch in stretches {
            films.append(try stretch.source.map { try film($0, stretch, composed.map(\.track)) })
        }
        let kept = composed.indices.filter { index in
            films.contains { $0?.tracks[index] != nil } && !films.contains { $0?.losesTrack(index) == true }
        }
        // Where times are told by counting, a track begins with its first packet.
        let begins = format.container.has(.startsSoundAtZero) || format.container.has(.startsPicturesAtZero)
        if begins, let missing = kept.first(where: { films.lazy.compactMap { $0 }.first?.tracks[$0] == nil }) {
            throw JoinPlanner.refusal("the first piece has nothing of track \(composed[missing].track.trackID)")
        }
        for index in kept { try add(composed[index].track, films.map { $0?.tracks[index] }) }
        pieces = zip(stretches, films).map { stretch, film in
            JoinedPiece(
                source: stretch.source, range: film?.range, streams: kept.map { film?.tracks[$0]?.stream.index },
                target: stretch.target)
        }
    }

    /// Adds a track whose samples come from films one after the other.
    private mutating func add(_ track: TrackDescription, _ parts: [JoinedFilm.Track?]) throws {
        guard let first = parts.lazy.compactMap({ $0 }).first else { return }
        for (number, part) in parts.enumerated() {
            guard let part, let difference = part.difference(from: first, in: format) else { continue }
            throw JoinPlanner.refusal("piece \(number + 1), track \(track.trackID): \(difference)")
        }
        append(track, first.job.treatment, first.job.traits, codec: track.codec)
        tracks[tracks.count - 1].shape = first.job.shape
        tracks[tracks.count - 1].stream = first.stream.index
    }

    /// What becomes of a film's tracks where they go on in those of a composition.
    private mutating func film(
        _ source: AssetSource, _ stretch: CompositionStretches.Stretch, _ composed: [TrackDescription]
    ) throws -> JoinedFilm {
        var request = request
        request.trackSelection = ExportTrackSelection()
        request.trackSelection.trackIDs = Set(stretch.trackIDs.compactMap { $0 })
        request.timeRange = stretch.range
        let planner = try ExportPlanner(source: source, request: request)
        let range = try planner.requestedRange()
        var single = try PipelinePlanner(planner, range: range)
        let demuxer = try source.checkOut()
        defer { source.checkIn(demuxer) }
        var film = JoinedFilm(asked: stretch.trackIDs, tracks: composed.map { _ in nil })
        film.range = range.map { CMTimeRange(start: $0.start + planner.asset.origin, duration: $0.duration) }
        for (index, trackID) in stretch.trackIDs.enumerated() {
            guard let track = planner.asset.tracks.first(where: { $0.trackID == trackID }),
                demuxer.streams.indices.contains(track.streamIndex)
            else { continue }
            let stream = demuxer.streams[track.streamIndex]
            try single.add(track, stream, demuxer.traits(ofStream: track.streamIndex))
            guard let job = single.tracks.last, job.trackID == track.trackID else { continue }
            film.tracks[index] = JoinedFilm.Track(stream: stream, job: job)
        }
        losses += single.losses
        return film
    }
}

/// A film among others that become one.
private struct JoinedFilm {
    struct Track {
        var stream: StreamInfo
        var job: PipelineJob.Track
    }

    /// The film's track for each of the composition.
    var asked: [CMPersistentTrackID?]
    /// Those that the new file can have.
    var tracks: [Track?]
    /// On the timeline of its container; `nil` for all of it.
    var range: CMTimeRange?

    /// Whether the new file cannot have a track of it.
    func losesTrack(_ index: Int) -> Bool { asked[index] != nil && tracks[index] == nil }
}

extension JoinedFilm.Track {
    /// What would make a decoder stumble that goes on from one film to the next; `nil` if nothing would.
    fileprivate func difference(from first: JoinedFilm.Track, in format: ContainerFormat) -> String? {
        guard stream.codec == first.stream.codec else {
            return "\(stream.codec.rawValue), where the first film has \(first.stream.codec.rawValue)"
        }
        if let video = stream.video, let other = first.stream.video,
            (video.width, video.height) != (other.width, other.height)
        {
            return "\(video.width)x\(video.height), where the first film has \(other.width)x\(other.height)"
        }
        if let sound = stream.audio, let other = first.stream.audio,
            (sound.sampleRate, sound.channels) != (other.sampleRate, other.channels)
        {
            return "sound of \(sound.sampleRate) Hz and \(sound.channels) channels, where the first film has "
                + "\(other.sampleRate) Hz and \(other.channels)"
        }
        // Parameter sets stand before pictures in a transport stream, and may change there.
        let comesAlong = format.container == .mpegTransportStream && stream.codec.has(.hasNALUnits)
        return stream.extradata == first.stream.extradata || comesAlong ? nil : "codec configuration"
    }
}
