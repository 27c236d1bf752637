internal import Foundation
internal import MediaCore

/// Finds what is to be put into a composition, and refuses what cannot be.
enum CompositionEdit {
    typealias Segment = TrackTimeline<CompositionMedia>.Segment

    /// How far beyond an asset's end a range may reach: the tick of a coarse timescale is no excess.
    private static let slack = CMTime(value: 1, timescale: 500)

    /// A range of an asset, its end no later than the asset's.
    ///
    /// - Throws: `AVError` if there is no such range.
    static func range(_ range: CMTimeRange, of asset: AssetDescription) throws -> CMTimeRange {
        let start = range.start
        guard range.isValid, start.isNumeric, start >= .zero else {
            throw AVError(
                .invalidCompositionTrackSegmentSourceStartTime,
                reason: "the time range begins at no time from zero on")
        }
        let isOpen = range.duration.isPositiveInfinity || range.duration.isIndefinite
        guard isOpen || range.duration > .zero else {
            throw AVError(.invalidCompositionTrackSegmentDuration, reason: "the time range is empty")
        }
        guard asset.duration.isNumeric else {
            throw AVError(
                .invalidCompositionTrackSegmentSourceDuration, reason: "the asset does not tell how long it lasts")
        }
        guard start < asset.duration else {
            throw AVError(
                .invalidCompositionTrackSegmentSourceStartTime,
                reason: "the time range begins at \(start.secondsText()) s, but the asset lasts "
                    + "\(asset.duration.durationText()) s")
        }
        let end = isOpen ? asset.duration : range.end
        guard end - asset.duration <= slack else {
            throw AVError(
                .invalidCompositionTrackSegmentSourceDuration,
                reason: "the time range ends at \(end.secondsText()) s, but the asset lasts "
                    + "\(asset.duration.durationText()) s")
        }
        return CMTimeRange(start: start, end: min(end, asset.duration))
    }

    /// A range of a track, from zero on; empty where the asset goes on without the track.
    static func segments(of track: AVAssetTrack, in range: CMTimeRange) throws -> [Segment] {
        let range = try Self.range(range, of: try track.source.describe())
        if let composition = track.source.composition {
            let content = composition.content
            let timeline = content.index(ofTrack: track.trackID).map { content.tracks[$0].timeline }
            return (timeline ?? TrackTimeline()).slice(range)
        }
        let media = CompositionMedia(
            source: track.source, trackID: track.trackID, url: URL(fileURLWithPath: track.source.path))
        let shown = shown(of: track.track.timeRange, in: range)
        guard shown.isValid, shown.duration > .zero else {
            return [Segment(emptyFor: CMTimeRange(start: .zero, duration: range.duration))]
        }
        let target = CMTimeRange(start: shown.start - range.start, duration: shown.duration)
        var segments: [Segment] = []
        if target.start > .zero { segments.append(Segment(emptyFor: CMTimeRange(start: .zero, end: target.start))) }
        segments.append(Segment(media: media, source: shown, target: target))
        if target.end < range.duration {
            segments.append(Segment(emptyFor: CMTimeRange(start: target.end, end: range.duration)))
        }
        return segments
    }

    /// What of a range a track shows: the first and the last picture or sound reach as far as the range where they all
    /// but do.
    ///
    /// Sound of a file begins before its pictures or outlasts them by a moment, or the other way round, and what a header
    /// says of a track's end may be early. No piece is to begin or end with a flash of black, or without its last picture.
    private static func shown(of known: CMTimeRange, in range: CMTimeRange) -> CMTimeRange {
        guard known.isValid, known.duration.isNumeric else { return range }
        let common = range.intersection(known)
        guard common.isValid, common.duration > .zero else { return common }
        let start = common.start - range.start < negligible ? range.start : common.start
        let end = range.end - common.end < negligible ? range.end : common.end
        return CMTimeRange(start: start, end: end)
    }

    /// A gap that is none to be seen or heard.
    private static let negligible = CMTime(value: 1, timescale: 10)

    /// Where something is put in: at a time, or at the end for one that is not valid.
    ///
    /// - Throws: `AVError` for a time before zero or without end.
    static func place(_ time: CMTime, orEnd end: CMTime) throws -> CMTime {
        guard time.isValid else { return end }
        guard time.isNumeric, time >= .zero else {
            throw AVError(
                .invalidCompositionTrackSegmentSourceStartTime, reason: "there is no place before zero or without end")
        }
        return time
    }

    /// Fails for more segments than a track may have.
    static func check(_ timeline: TrackTimeline<CompositionMedia>) throws {
        guard timeline.segments.count <= CompositionContent.maximumSegments else {
            throw AVError(
                .operationNotAllowed,
                reason: "a track of a composition has at most \(CompositionContent.maximumSegments) segments")
        }
    }
}

extension CompositionContent {
    /// A number that no track has: the lowest above zero.
    var unusedTrackID: CMPersistentTrackID {
        let used = Set(tracks.map(\.trackID))
        return (1...Int32.max).first { !used.contains($0) } ?? 0
    }

    /// Puts pieces of tracks of one asset in at a time, in tracks of their kinds; those that get none become empty
    /// for as long.
    ///
    /// - Parameter duration: How long the pieces are.
    mutating func insert(
        _ pieces: [(track: AVAssetTrack, segments: [CompositionEdit.Segment])], for duration: CMTime, at time: CMTime
    ) throws {
        var free = Array(tracks.indices)
        for (source, segments) in pieces {
            if let place = free.firstIndex(where: { tracks[$0].mediaType == source.mediaType }) {
                tracks[free.remove(at: place)].timeline.insert(segments, at: time)
            } else {
                var new = Track(trackID: unusedTrackID, mediaType: source.mediaType)
                new.take(labelsOf: source.track)
                new.timeline.insert(segments, at: time)
                tracks.append(new)
            }
        }
        for index in free { tracks[index].timeline.insertEmpty(CMTimeRange(start: time, duration: duration)) }
        for track in tracks { try CompositionEdit.check(track.timeline) }
    }
}

extension CompositionContent.Track {
    /// Takes over what a track says of itself.
    mutating func take(labelsOf track: TrackDescription) {
        isEnabled = track.isEnabled
        (languageCode, extendedLanguageTag) = (track.language, track.extendedLanguageTag)
        if let transform = track.video?.preferredTransform { preferredTransform = transform }
    }
}
