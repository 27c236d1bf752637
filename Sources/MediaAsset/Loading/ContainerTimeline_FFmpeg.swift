package import FFmpegKit
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
        let starts = playing.compactMap { stream in stream.presentedTicks.map { stream.timeBase.time(of: $0) } }
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
        // Matroska's counts from the first packet on, of which decoders may leave something out.
        let leadIn = isMovie ? .zero : playing.map(\.leadIn).min() ?? .zero
        let header = max(.zero, CMTime(value: microseconds, timescale: 1_000_000) - leadIn)
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
        let start = stream.presentedTicks.map { stream.timeBase.time(of: $0) - origin } ?? .zero
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
            if let first = stream.startTicks {
                // An edit list may hide the first fragments' samples; those that the movie itself lists precede them.
                let known = stream.timeBase.time(of: first)
                start = (stream.frameCount ?? 0) > 0 ? known : max(start, known)
            }
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

extension AssetSource {
    /// The length of a stream's tick.
    package func timeBase(ofStream index: Int) throws -> TimeBase {
        let demuxer = try checkOut()
        defer { checkIn(demuxer) }
        return demuxer.streams[index].timeBase
    }
}

extension AssetSource {
    /// More pictures than this are not read for a rate.
    private static let measuredPictures = 500

    /// Sets the rates of pictures from their times where the container neither counts them nor states a rate that can
    /// be true.
    func measureFrameRates(of description: inout AssetDescription, interrupt: Interrupt) throws {
        for (position, track) in description.tracks.enumerated() where track.sampleCount == nil {
            guard let video = track.video, video.lacksFrameRate else { continue }
            do {
                let spacing = try pictureSpacing(ofStream: track.streamIndex, interrupt: interrupt)
                if let spacing { description.tracks[position].video?.setFrameRate(spacing) }
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }

    private func pictureSpacing(ofStream index: Int, interrupt: Interrupt) throws -> FrameIntervals? {
        let demuxer = try open(interrupt: interrupt)
        demuxer.select(streams: [index])
        var pictures = demuxer.makeShownPictures(ofStream: index)
        var ticks: [Int64] = []
        while ticks.count < Self.measuredPictures, let packet = try demuxer.readUndamagedPacket() {
            guard packet.streamIndex == index, pictures.shows(packet) else { continue }
            if let time = packet.presentationTicks { ticks.append(time) }
        }
        return FrameIntervals(ticks: ticks, timeBase: demuxer.streams[index].timeBase)
    }
}

/// How the pictures at a stream's beginning follow one another.
struct FrameIntervals {
    /// How far they are apart on average.
    let mean: CMTime
    /// How near to each other the nearest two are; the mean where only the rounding to ticks makes a difference.
    let shortest: CMTime

    /// - Parameter ticks: Presentation times in any order.
    /// - Returns: `nil` if fewer than two differ.
    init?(ticks: [Int64], timeBase: TimeBase) {
        let times = Set(ticks).sorted()
        let gaps = zip(times.dropFirst(), times).map { $0.0.subtractingReportingOverflow($0.1) }
        guard let first = times.first, let last = times.last, let count = Int32(exactly: gaps.count),
            let least = gaps.map(\.partialValue).min(), !gaps.contains(where: \.overflow)
        else { return nil }
        let (span, overflow) = last.subtractingReportingOverflow(first)
        guard !overflow else { return nil }
        mean = CMTimeMultiplyByRatio(timeBase.time(of: span), multiplier: 1, divisor: count)
        guard mean.isNumeric, mean > .zero else { return nil }
        shortest = Int64(count) <= span && span / Int64(count) - least < 2 ? mean : timeBase.time(of: least)
    }
}

extension VideoDescription {
    /// Whether the container states no rate, or one that its shortest pictures leave no room for, such as its ticks.
    var lacksFrameRate: Bool { nominalFrameRate <= 0 || plausibleFrameRate != nominalFrameRate }

    /// Takes the rate from the pictures' times.
    ///
    /// A rate that the container has and that they confirm is the exact one: times are rounded to ticks.
    mutating func setFrameRate(_ spacing: FrameIntervals) {
        func isNear(_ time: CMTime) -> Bool {
            minFrameDuration.isNumeric && minFrameDuration > .zero
                && abs(minFrameDuration.seconds / time.seconds - 1) < 0.001
        }
        if !isNear(spacing.shortest) { minFrameDuration = spacing.shortest }
        nominalFrameRate = 1 / (isNear(spacing.mean) ? minFrameDuration : spacing.mean).seconds
    }
}

extension AssetSource {
    /// Packets of which presentation times are compared with decode times.
    private static let comparedPackets = 4096

    /// The streams of an MXF file that get decode times for presentation times although their pictures are shown in
    /// another order than they are decoded in: libavformat finds the order of MPEG-2 only.
    func streamsWithDecodeTimesOnly(of demuxer: Demuxer, interrupt: Interrupt) throws -> Set<Int> {
        guard demuxer.container == .mxf, demuxer.isSeekable else { return [] }
        let reordered = demuxer.streams.filter { $0.codec.has(.hasNALUnits) && ($0.video?.reorderDelay ?? 0) > 0 }
        var found = Set(reordered.map(\.index))
        guard !found.isEmpty else { return [] }
        let reader = try open(interrupt: interrupt)
        reader.select(streams: found)
        do {
            for _ in 0..<Self.comparedPackets {
                guard let packet = try reader.readUndamagedPacket() else { break }
                if packet.presentationTicks != packet.decodeTicks { found.remove(packet.streamIndex) }
            }
        } catch {
            throw publicError(for: error)
        }
        return found
    }
}

extension MovieTrack {
    /// Where the edits end in the track's timescale, as libavformat sums them up; `nil` without edits, and where they are
    /// longer than can be.
    fileprivate func soundEnds(movieTimescale: UInt32) -> SoundEnds.Track? {
        let greatest = Int128(1) << 60
        func ticks(_ duration: UInt64) -> Int128 {
            (Int128(duration) * Int128(timescale) * 2 + Int128(movieTimescale)) / (Int128(movieTimescale) * 2)
        }
        let tick = ticks(1) + 1
        var (end, known, media): (Int128, [Int64], Int64?) = (0, [], nil)
        for (index, edit) in edits.enumerated() {
            let isLast = index == edits.count - 1
            let (start, length) = (end, ticks(edit.duration))
            end += length
            guard end < greatest else { return nil }
            guard edit.mediaTime >= 0 else { continue }
            let rest = mediaDuration.map { Int128($0) - Int128(edit.mediaTime) }.flatMap { $0 > 0 ? $0 : nil }
            media = isLast ? rest.flatMap { Int64(exactly: start + $0) } : nil
            if length == 0 {
                if isLast { known.append(.max) }
            } else if isLast, let media, (Int128(media) - end).magnitude <= tick.magnitude {
                // Rows are told in the movie's ticks: the media end where the last one ends, to a tick.
                known.append(media)
            } else {
                known.append(Int64(end))
            }
        }
        return known.isEmpty ? nil : SoundEnds.Track(edits: known, media: media)
    }
}

extension MovieOutline {
    /// Where the edits of streams of sound end, on the timeline that libavformat makes of them.
    func soundEnds(of streams: [StreamInfo]) -> SoundEnds {
        let tracks = Dictionary(tracks.map { (Int($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        var ends: [Int: SoundEnds.Track] = [:]
        for stream in streams where stream.kind == .audio {
            guard let track = tracks[stream.containerID], timescale > 0, track.timescale > 0,
                track.edits.allSatisfy({ $0.rate == 1 << 16 || $0.mediaTime < 0 })
            else { continue }
            ends[stream.index] = track.soundEnds(movieTimescale: timescale)
        }
        return SoundEnds(ends)
    }

    /// The streams whose samples have no composition offsets although their pictures are decoded in another order
    /// than they are shown in: what a copy from AVI leaves, where presentation times are not stored.
    ///
    /// - Parameter fragments: `nil` if there are none, or they cannot be read.
    func unorderedStreams(of streams: [StreamInfo], fragments: MovieFragments?) -> Set<Int> {
        guard !canContainFragments || fragments != nil else { return [] }
        let tracks = Dictionary(tracks.map { (Int($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        return Set(
            streams.filter { stream in
                guard let video = stream.video, video.reorderDelay > 0, !stream.isAttachedPicture,
                    let track = tracks[stream.containerID]
                else { return false }
                return !track.tableBoxes.contains { $0.type == "ctts" }
                    && fragments?.reorderedTracks.contains(track.id) != true
            }.map(\.index))
    }
}
