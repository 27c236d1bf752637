internal import Foundation
package import MediaAsset
internal import MediaContainers
public import MediaCore
internal import MediaIO
package import MediaMetadata
internal import MetadataFormats

/// What a new file holds of a track and does not show.
///
/// A trim that keeps coded samples has to keep those that others are decoded
/// from, and hides them by an edit list: whoever looks for them finds them.
///
/// Beyond AVFoundation.
public struct HiddenMaterial: Hashable, Sendable {
    /// What is hidden at one end.
    public struct Part: Hashable, Sendable {
        /// How many pictures, or packets of sound.
        public var count: Int
        /// How long they would be shown, all together.
        public var duration: CMTime

        /// Makes a part.
        public init(count: Int, duration: CMTime) { (self.count, self.duration) = (count, duration) }

        /// Nothing.
        public static let none = Part(count: 0, duration: .zero)
    }

    /// The track's number in the new file.
    public var trackID: Int32
    /// Whether it is a track of sound; otherwise it is one of pictures.
    public var isSound: Bool
    /// What is hidden before the first moment shown.
    public var start: Part
    /// What is hidden after the last moment shown, or between two that are.
    public var end: Part

    /// Makes a description.
    public init(trackID: Int32, isSound: Bool, start: Part, end: Part) {
        (self.trackID, self.isSound, self.start, self.end) = (trackID, isSound, start, end)
    }
}

extension HiddenMaterial {
    /// In words, for people: `12 pictures (0.48 s) before the start`; empty if nothing is hidden.
    public var text: String {
        func part(_ part: Part, _ place: String) -> String? {
            guard part.count > 0 else { return nil }
            let unit = isSound ? "packets of sound" : part.count == 1 ? "picture" : "pictures"
            return "\(part.count) \(unit) (\(part.duration.durationText()) s) \(place)"
        }
        return [part(start, "before the start"), part(end, "after the end")].compactMap { $0 }.joined(separator: ", ")
    }

    /// Fails if a file that is to be shared would hide something.
    static func refuse(_ hidden: [HiddenMaterial]) throws {
        guard let first = hidden.first else { return }
        throw AVError(
            .operationNotSupportedForAsset,
            reason: "to be shared, the file must not keep what is cut out, and coded samples as they are would keep "
                + "\(first.text); presets that encode anew, such as high or hevc-high, leave it out, and so may a "
                + "range that begins at a sync sample")
    }

    /// What a movie hides; of sound only what is more than its codec needs.
    ///
    /// - Returns: Nothing for what is no movie, or one in fragments.
    static func of(_ file: RandomAccessFile) -> [HiddenMaterial] {
        guard let movie = try? MovieSource(file: file) else { return [] }
        let chapters = Set(movie.tracks.flatMap(\.references).filter { $0.type == "chap" }.flatMap(\.tracks))
        return movie.tracks.compactMap { track in
            guard ["vide", "soun"].contains(track.handler), !chapters.contains(track.id), !track.edits.isEmpty,
                let tables = try? SampleTables(track, movie.reader), tables.count > 0
            else { return nil }
            return hidden(track, tables, movie)
        }
    }

    private static func hidden(
        _ track: MovieTrack, _ tables: SampleTables, _ movie: MovieSource
    ) -> HiddenMaterial? {
        let clock = MovieClock(timescales: [movie.timescale, track.timescale])
        guard
            let timeline = try? EditTimeline(
                track, tables, movieTimescale: movie.timescale, clock: clock)
        else { return nil }
        let shown = timeline.segments.compactMap { segment -> Range<Int64>? in
            guard let media = segment.media else { return nil }
            // Readers round an edit's length to the nearest tick.
            let end = media.mediaTime(
                after: segment.span.upperBound - segment.span.lowerBound, per: track.timescale, clock: clock, .nearest)
            return media.start..<max(media.start + 1, end)
        }
        guard let first = shown.map(\.lowerBound).min() else { return nil }
        let isSound = track.handler == "soun"
        return isSound
            ? sound(track, tables, shown, first, SoundPreroll(track, tables, movie.reader).count)
            : pictures(track, tables, shown, first, Int64(track.timescale / max(1, movie.timescale)))
    }

    /// With more edits than this the pictures are not counted.
    private static let maximumEdits = 64

    private static func pictures(
        _ track: MovieTrack, _ tables: SampleTables, _ shown: [Range<Int64>], _ first: Int64, _ movieTick: Int64
    ) -> HiddenMaterial? {
        let timing = tables.timing
        guard shown.count < maximumEdits else { return nil }
        var (start, end) = (Count(), Count())
        /// Counts a picture if it is hidden; whether it is.
        func count(_ sample: Int) -> Bool {
            let time = timing.presentationTime(sample)
            let length = Int64(timing.duration(sample))
            let span = time..<max(time + 1, time + length)
            // What is shorter than an edit list can tell is lost to its rounding.
            if length < movieTick || shown.contains(where: { $0.overlaps(span) }) { return false }
            if span.upperBound <= first { start.add(length) } else { end.add(length) }
            return true
        }
        // One edit hides pictures at both ends alone; nowhere are more than these out of order.
        let patience = shown.count == 1 ? 64 : .max
        var (front, run) = (0, 0)
        while front < timing.count, run < patience {
            run = count(front) ? 0 : run + 1
            front += 1
        }
        var back = timing.count
        run = 0
        while back > front, run < patience {
            back -= 1
            run = count(back) ? 0 : run + 1
        }
        return material(track, isSound: false, start, end)
    }

    /// More packets than this before the first are no encoder's delay: of AAC there are up to three.
    private static let encoderDelay = 3

    private static func sound(
        _ track: MovieTrack, _ tables: SampleTables, _ shown: [Range<Int64>], _ first: Int64, _ preroll: Int
    ) -> HiddenMaterial? {
        let timing = tables.timing
        let last = shown.map(\.upperBound).max() ?? 0
        // Samples of PCM are many and all alike: their times tell how many there are.
        let packet = max(1, Int64(timing.duration(0)) * Int64(tables.sizes.samplesPerPacket))
        var (start, end) = (Count(), Count())
        let before = min(first, timing.end) / packet
        if before > Int64(preroll + encoderDelay) {
            let more = before - Int64(preroll)
            start = Count(count: Int(clamping: more), ticks: more * packet)
        }
        let after = max(0, timing.end - last) / packet
        if after > 1 { end = Count(count: Int(clamping: after), ticks: after * packet) }
        return material(track, isSound: true, start, end)
    }

    private struct Count {
        var count = 0
        var ticks: Int64 = 0

        mutating func add(_ length: Int64) {
            count += 1
            ticks += length
        }
    }

    private static func material(
        _ track: MovieTrack, isSound: Bool, _ start: Count, _ end: Count
    ) -> HiddenMaterial? {
        guard start.count > 0 || end.count > 0 else { return nil }
        func part(_ count: Count) -> Part {
            Part(
                count: count.count,
                duration: CMTime(value: count.ticks, timescale: CMTimeScale(clamping: track.timescale)))
        }
        return HiddenMaterial(
            trackID: Int32(truncatingIfNeeded: track.id), isSound: isSound, start: part(start), end: part(end))
    }
}

extension AVAsset {
    /// What a file to be shared does not get of the asset, and what the asset holds and does not show.
    ///
    /// All of the file is read for that.
    package func loadPrivateDetails() async throws -> (details: [PrivateDetail], hidden: [HiddenMaterial]) {
        let source = source
        return try await BlockingWork.run {
            do {
                let details = try PrivateDetails(of: source, looksThroughSamples: true).details
                return (details, source.file.map { HiddenMaterial.of($0) } ?? [])
            } catch {
                throw exportError(for: error)
            }
        }
    }
}

extension MetadataFile {
    /// Leaves out of the file all that tells about people, places, devices and moments.
    ///
    /// Beyond items it overwrites tracks, boxes, messages among coded pictures, names and dates that are not known to be
    /// harmless; coded pictures and sound stay byte for byte.
    ///
    /// - Returns: What goes.
    /// - Throws: `MetadataError` if the file cannot be looked through, or hides pictures or sound that others are not
    ///   to see.
    package mutating func makeShareable() throws -> [PrivateDetail] {
        if let hidden = HiddenMaterial.of(contents).first {
            throw MetadataError(
                .unsupported,
                "the file holds \(hidden.text) that its edit list hides; 'avtool export --share-safe' leaves them out, "
                    + "with a preset that encodes anew if they are needed")
        }
        let top = BoxReader(file: contents)
        let holdsItems = top.boxes(in: 0..<contents.byteCount).contains { box in
            box.type == "meta" && top.boxes(in: box.content.dropping(4)).contains { $0.type == "iinf" }
        }
        guard !holdsItems else {
            throw MetadataError(.unsupported, "pictures of HEIF and AVIF cannot be looked through")
        }
        let found = try FileScrub(contents)
        try found.checkIsWhole()
        let details = found.details(with: metadata)
        metadata.entries = MetadataSharing.shareable(metadata.entries)
        for index in metadata.tracks.indices {
            metadata.tracks[index].entries = MetadataSharing.shareable(metadata.tracks[index].entries)
        }
        let lists = metadata.chapterLists.map(\.forSharing)
        if lists != metadata.chapterLists { metadata.chapterLists = lists }
        finishing = { rewrite, file in
            let current = RandomAccessFile(rewrite, of: file)
            let scrub = try FileScrub(current)
            return scrub.overlay.isEmpty ? rewrite : scrub.rewrite(of: current).composed(after: rewrite)
        }
        return details
    }
}
