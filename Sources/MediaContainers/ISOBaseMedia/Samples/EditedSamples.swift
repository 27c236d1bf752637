internal import MediaCore
internal import MediaIO

/// The samples of a video track in the order in which its edit list has them decoded.
///
/// Each edit begins with the last sample at or before its first one from which decoding is clean, whatever came before,
/// and ends with the last one that is needed. Samples that are needed and not shown in it are hidden. An edit that begins
/// within a sample shows the rest of it.
package struct EditedSamples: Sendable {
    package struct Sample: Sendable {
        /// Where its bytes lie in the file.
        package var position: UInt64
        package var size: Int
        /// On the movie's timeline, in the track's ticks; never less than that of the sample before.
        package var decode: Int64
        package var presentation: Int64
        package var duration: Int64
        package var isKey: Bool
        package var isShown: Bool
        /// Whether a decoder has to forget all that came before.
        package var beginsAnew: Bool
    }

    /// In decoding order.
    package private(set) var samples: [Sample] = []

    /// Whether the tables tell presentation times beside decode times.
    package let hasOffsets: Bool

    /// How long most samples last that are shown, in the track's ticks; what edits cut off included.
    package private(set) var usualDuration: Int64 = 0

    /// - Returns: `nil` for tracks whose edit list shows nothing but one piece of the media, perhaps behind an empty edit,
    ///   and for those whose samples cannot be read by their places alone.
    /// - Parameters:
    ///   - maximum: More samples than this, counted for each edit that needs them, are left to other readers.
    ///   - isStopped: Whether nobody waits for it any more.
    package init?(_ track: MovieTrack, in source: MovieSource, maximum: Int, isStopped: () -> Bool) {
        guard track.handler == "vide", track.edits.count > 1, track.entries.count == 1, !track.isProtected,
            track.edits.count <= maximum, !track.hasPalette, (try? source.checkReferences(of: track)) != nil,
            let tables = try? SampleTables(track, source.reader, maximum: maximum), !tables.isCut,
            tables.count > 0
        else { return nil }
        let clock = MovieClock(timescales: [source.timescale, track.timescale])
        guard let timeline = try? EditTimeline(track, tables, movieTimescale: source.timescale, clock: clock),
            timeline.segments.allSatisfy({ $0.media.map { $0.rate == 1 << 16 } ?? true }),
            timeline.segments.count * (tables.timing.lookupCost + 16) <= Self.maximumWork
        else { return nil }
        guard timeline.hasSeveralPieces else { return nil }
        hasOffsets = tables.timing.hasOffsets
        let places = tables.samples
        guard places.count == tables.count else { return nil }
        let entries = EntryPoints(tables, track, file: source.file)
        var lengths: [Int64: Int] = [:]
        let keys = tables.entryPoints.map(Set.init)
        for segment in timeline.pieces(timescale: track.timescale, clock: clock) {
            guard let media = segment.media else { continue }
            guard !isStopped() else { return nil }
            let start = clock.value(segment.span.lowerBound, per: track.timescale, .nearest)
            let length = clock.value(segment.span.upperBound, per: track.timescale, .nearest) - start
            let range = media.start..<(media.start + max(1, length))
            guard let found = tables.samples(shownIn: range, preroll: 0, entries: entries) else { continue }
            guard samples.count + found.needed.count <= maximum else { return nil }
            add(found.needed, shownIn: range, first: found.first, at: start, tables.timing, places, keys, &lengths)
        }
        usualDuration = lengths.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
        guard samples.contains(where: \.isShown) else { return nil }
    }

    /// Runs looked at for all edits of a list.
    private static let maximumWork = 20_000_000

    private mutating func add(
        _ needed: Range<Int>, shownIn media: Range<Int64>, first: Int, at start: Int64, _ timing: SampleTiming,
        _ places: [SampleTables.Sample], _ keys: Set<Int>?, _ lengths: inout [Int64: Int]
    ) {
        let beginning = timing.presentationTime(first)
        let shown = needed.filter {
            let time = timing.presentationTime($0)
            return time >= beginning && time < media.upperBound
        }
        let times = Set(shown.map { timing.presentationTime($0) }).sorted()
        let shift = start - media.lowerBound
        var decode = samples.last?.decode ?? .min
        var beginsAnew = !samples.isEmpty
        // Samples without data are places that nothing is shown in.
        for number in needed where places[number].size > 0 {
            let time = timing.presentationTime(number)
            let isShown = time >= beginning && time < media.upperBound
            let from = isShown ? max(time, media.lowerBound) : time
            decode = max(decode, min(timing.decodeTime(number), isShown ? from : media.lowerBound) + shift)
            let next = times.partitioningIndex { $0 > time }
            let natural = next < times.count ? times[next] : time + Int64(timing.duration(number))
            let end = isShown ? max(min(natural, media.upperBound), from + 1) : from
            if isShown { lengths[natural - time, default: 0] += 1 }
            samples.append(
                Sample(
                    position: places[number].position, size: Int(clamping: places[number].size), decode: decode,
                    presentation: from + shift, duration: end - from, isKey: keys?.contains(number) ?? true,
                    isShown: isShown, beginsAnew: beginsAnew))
            beginsAnew = false
        }
    }
}

extension EditTimeline {
    /// The edits that show something, those as one that go on where the one before ended.
    fileprivate func pieces(timescale: UInt32, clock: MovieClock) -> [Segment] {
        segments.reduce(into: []) { pieces, segment in
            guard let media = segment.media else { return }
            if let last = pieces.last, last.span.upperBound == segment.span.lowerBound,
                last.media?.mediaTime(
                    after: last.span.upperBound - last.span.lowerBound, per: timescale, clock: clock, .nearest)
                    == media.start
            {
                pieces[pieces.count - 1].span = last.span.lowerBound..<segment.span.upperBound
            } else {
                pieces.append(segment)
            }
        }
    }
}

extension MovieTrack {
    /// Whether colors of samples are told by a table, which libavformat hands on beside the first one.
    ///
    /// Source: QuickTime File Format, "Video sample description": depths to 8, and with 32 added for shades of gray.
    fileprivate var hasPalette: Bool {
        guard let content = entries.first?.content, content.count >= 76 else { return true }
        let depth = Int(content[74]) << 8 | Int(content[75])
        return depth <= 8 || (33...40).contains(depth)
    }
}
