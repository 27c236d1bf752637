internal import FFmpegKit
internal import MediaContainers
internal import MediaCore

/// Where a file's tracks lie in time, and which of the container's times is the
/// asset's zero.
///
/// Movies keep their own timeline, whose zero is where players begin, whatever
/// begins then. Other containers count from anywhere: there zero is where the
/// earliest audible or visible track starts. So it is with fragmented movies
/// without an edit list, which may be cut out of something longer.
struct ContainerTimeline {
    /// The container's time of the asset's zero.
    let origin: CMTime
    /// How long the asset lasts from there; indefinite if nothing tells.
    let duration: CMTime
    /// Whether the duration can be relied on.
    let isCertain: Bool
    private let fragmentRanges: [Int: CMTimeRange]

    init(demuxer: Demuxer, movie: MovieOutline?, fragments: MovieFragments?) {
        let playing = demuxer.streams.filter { ($0.kind == .video || $0.kind == .audio) && !$0.isAttachedPicture }
        let starts = playing.compactMap { stream in stream.startTicks.map { stream.timeBase.time(of: $0) } }
        let ranges = Self.fragmentRanges(demuxer.streams, movie, fragments)
        fragmentRanges = ranges
        let isMovie = demuxer.container.isMovie
        let isFragmented = movie?.canContainFragments ?? false
        let hasEdits = movie?.tracks.contains { !$0.edits.isEmpty } ?? false
        let least = (starts + playing.compactMap { ranges[$0.index]?.start }).filter(\.isNumeric).min() ?? .zero
        origin = isMovie && !(isFragmented && !hasEdits) ? .zero : least

        let origin = origin
        let ends = playing.compactMap { stream -> CMTime? in
            let end = ranges[stream.index]?.end ?? Self.end(of: stream)
            return end.map { $0 - origin }.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil }
        }
        if isFragmented {
            // The header of such a movie was written before its samples were there.
            duration = ends.max() ?? .indefinite
            isCertain = fragments != nil
            return
        }
        let isKnown = !isMovie || movie == nil || movie?.header?.duration != nil
        // The header's counts what decoders of Opus leave out, which the streams' does not.
        let countsHidden = demuxer.container == .ogg && playing.contains { $0.codec == .opus }
        let known = movie?.header?.microseconds ?? demuxer.durationMicroseconds
        guard isKnown, !countsHidden || ends.isEmpty, let microseconds = known else {
            (duration, isCertain) = (ends.max() ?? .indefinite, true)
            return
        }
        let header = CMTime(value: microseconds, timescale: 1_000_000)
        let rounding = CMTime(value: 2, timescale: 1_000_000)
        // Some movie headers count what edit lists hide.
        if let shown = movie?.presentedEnd(demuxer.streams), header - shown > CMTime(value: 1, timescale: 1000) {
            (duration, isCertain) = (shown, true)
            return
        }
        // In a track's own timescale where they agree, so that no rounding to microseconds comes between.
        duration = ends.first { CMTimeAbsoluteValue($0 - header) <= rounding } ?? header
        // What the duration of these counts from where they do not start at zero, files do not agree about;
        // the last pictures of a program stream have no time for FFmpeg to go by.
        let countsFromUnknown = origin > .zero && demuxer.container.has(.hasDoubtfulLength)
        // Of a movie in a pipe only what stands in front is known: where it counts no samples, fragments follow.
        let goesOn = isMovie && movie == nil && playing.contains { $0.frameCount == nil }
        isCertain = !countsFromUnknown && demuxer.container != .mpegProgramStream && !goesOn
    }

    /// Where a stream lies on the asset's timeline.
    func range(of stream: StreamInfo) -> CMTimeRange {
        if let range = fragmentRanges[stream.index] {
            return CMTimeRange(start: range.start - origin, duration: range.duration)
        }
        let start = stream.startTicks.map { stream.timeBase.time(of: $0) - origin } ?? .zero
        return CMTimeRange(
            start: start, duration: stream.durationTicks.map { stream.timeBase.time(of: $0) } ?? (duration - start))
    }

    /// Whether the container says where a stream ends.
    func knowsEnd(of stream: StreamInfo) -> Bool {
        fragmentRanges[stream.index] != nil || stream.durationTicks != nil
    }

    fileprivate static func end(of stream: StreamInfo) -> CMTime? {
        guard let start = stream.startTicks, let duration = stream.durationTicks else { return nil }
        return stream.timeBase.time(of: start) + stream.timeBase.time(of: duration)
    }

    /// Where the fragments of each stream lie on the container's timeline.
    private static func fragmentRanges(
        _ streams: [StreamInfo], _ movie: MovieOutline?, _ fragments: MovieFragments?
    ) -> [Int: CMTimeRange] {
        guard let movie, let fragments else { return [:] }
        var ranges: [Int: CMTimeRange] = [:]
        for stream in streams {
            guard let header = movie.tracks.first(where: { Int($0.id) == stream.containerID }),
                let extent = fragments.extents[header.id], let timescale = Int32(exactly: header.timescale),
                timescale > 0, let shift = movie.shift(of: header)
            else { continue }
            let end = CMTime(value: extent.end, timescale: timescale) + shift
            var start = CMTime(value: extent.start, timescale: timescale) + shift
            // Samples in front of the fragments, and those that an edit list hides.
            if let first = stream.startTicks { start = max(start, stream.timeBase.time(of: first)) }
            if end > start { ranges[stream.index] = CMTimeRange(start: start, end: end) }
        }
        return ranges
    }
}

extension MovieHeader {
    /// The duration as FFmpeg has it up to version 6: from 7 on it goes by the tracks.
    fileprivate var microseconds: Int64? {
        guard let duration, duration > 0, timescale > 0 else { return nil }
        let (high, low) = duration.multipliedFullWidth(by: 1_000_000)
        let half = UInt64(timescale) / 2
        let (sum, carries) = low.addingReportingOverflow(half)
        let top = high + (carries ? 1 : 0)
        guard top < UInt64(timescale) else { return nil }
        return Int64(exactly: UInt64(timescale).dividingFullWidth((top, sum)).quotient)
    }
}

extension MovieOutline {
    /// Where the last track ends by its edit list, or without one by its samples; `nil` if there is no edit list, or if a
    /// track does not tell.
    fileprivate func presentedEnd(_ streams: [StreamInfo]) -> CMTime? {
        guard tracks.contains(where: { !$0.edits.isEmpty }), let scale = Int32(exactly: timescale), scale > 0 else {
            return nil
        }
        var last = CMTime.zero
        for track in tracks {
            var end: CMTime?
            if track.edits.isEmpty {
                end = streams.first { $0.containerID == Int(track.id) }.flatMap(ContainerTimeline.end)
            } else if track.edits.last?.duration != 0 {
                end = track.edits.reduce(.zero as CMTime?) { sum, edit in
                    guard let sum, let length = Int64(exactly: edit.duration) else { return nil }
                    return sum + CMTime(value: length, timescale: scale)
                }
            }
            guard let end, end.isNumeric else { return nil }
            last = max(last, end)
        }
        return last > .zero ? last : nil
    }

    /// What an edit list adds to the times of a track's samples, as far as its
    /// first edit that shows something; `nil` if that makes no sense.
    func shift(of track: MovieTrack) -> CMTime? {
        guard let movieScale = Int32(exactly: timescale), movieScale > 0,
            let mediaScale = Int32(exactly: track.timescale), mediaScale > 0
        else { return track.edits.isEmpty ? .zero : nil }
        var shift = CMTime.zero
        for edit in track.edits {
            guard edit.mediaTime < 0 else { return shift - CMTime(value: edit.mediaTime, timescale: mediaScale) }
            guard let length = Int64(exactly: edit.duration) else { return nil }
            shift = shift + CMTime(value: length, timescale: movieScale)
        }
        return shift
    }
}
