package import MediaCore
package import MediaIO

/// Cuts a movie to a range by editing its sample tables, every coded sample staying as it is.
///
/// The movie keeps all that its boxes say, whether this code knows it or not:
/// every track, timed metadata, timecode, vendors' boxes. Edit lists make the
/// cut exact: samples that are only needed to decode others are kept and not
/// shown.
///
/// Fragmented movies have no such tables and are refused.
package struct MovieTrim: Sendable {
    /// What a movie has of a track.
    package struct TrackInfo: Hashable, Sendable {
        package var id: UInt32
        /// `vide`, `soun`, `text` and so on.
        package var handler: FourCC
        package var timescale: UInt32
        /// Whether the track's header does not tell its timescale, and its length does.
        package var isTimescaleImplied = false
        package var isEnabled: Bool
        /// When the track shows something, on the movie's timeline.
        var presentedRange: CMTimeRange
        var sampleCount: Int
        /// How other tracks refer to this one: `chap`, `tmcd` and so on.
        package var referencedAs: Set<FourCC>
        /// Why the track cannot be cut, `nil` if it can.
        package var problem: String?
    }

    /// The tracks in the order of the file.
    package let tracks: [TrackInfo]
    /// The kind of file.
    package let brand: MovieBrand
    /// From zero to the end of the longest track.
    let presentedRange: CMTimeRange
    let source: MovieSource

    /// Reads a movie's boxes and tables.
    ///
    /// - Throws: `MovieError` if there is no movie, or one that this cannot cut.
    package init(file: RandomAccessFile) throws {
        let source = try MovieSource(file: file)
        self.source = source
        brand = source.movieFile.majorBrand.map(MovieBrand.init(major:)) ?? .quickTime
        var end = CMTime.zero
        tracks = source.tracks.map { track in
            let info = Self.info(track, source)
            if info.presentedRange.isValid { end = max(end, info.presentedRange.end) }
            return info
        }
        presentedRange = CMTimeRange(start: .zero, end: end)
    }

    private static func info(_ track: MovieTrack, _ source: MovieSource) -> TrackInfo {
        var info = TrackInfo(
            id: track.id, handler: track.handler, timescale: track.timescale, isEnabled: track.isEnabled,
            presentedRange: .zero, sampleCount: 0, referencedAs: [])
        info.isTimescaleImplied = track.isTimescaleImplied
        for other in source.tracks {
            for reference in other.references where reference.tracks.contains(track.id) {
                info.referencedAs.insert(reference.type)
            }
        }
        do throws(MovieError) {
            let tables = try SampleTables(track, source.reader)
            info.sampleCount = tables.count
            let clock = MovieClock(timescales: [source.timescale, track.timescale])
            let timeline = try EditTimeline(track, tables, movieTimescale: source.timescale, clock: clock)
            info.presentedRange = timeline.presentedRange(
                clock: clock, timescales: [source.timescale, track.timescale])
        } catch {
            info.problem = error.reason
        }
        return info
    }

    /// The tracks that a kind of file cannot hold, with the reasons.
    package func reasonsNotToHold(in brand: MovieBrand) -> [UInt32: String] {
        var reasons: [UInt32: String] = [:]
        for track in source.tracks { reasons[track.id] = brand.reasonNotToHold(track, of: self.brand) }
        return reasons
    }

    /// Works out a cut.
    ///
    /// - Parameters:
    ///   - range: What to keep of the movie's timeline; `nil` for all.
    ///   - ids: The tracks to keep; `nil` for all.
    /// - Throws: `MovieError` if a kept track is damaged or cannot be cut,
    ///   or if the range is empty.
    package func plan(
        range: CMTimeRange? = nil, keeping ids: Set<UInt32>? = nil, options: MovieTrimOptions = MovieTrimOptions()
    ) throws -> MovieTrimPlan {
        var planner = try MovieTrimPlanner(self, range: range, keeping: ids, options: options)
        return try planner.plan()
    }
}

extension EditTimeline {
    /// The timeline of a track.
    package init(
        _ track: MovieTrack, _ tables: SampleTables, movieTimescale: UInt32, clock: MovieClock
    ) throws(MovieError) {
        let timing = tables.timing
        let shownEnd = timing.hasOffsets ? timing.presentationBounds(of: 0..<timing.count).upperBound : 0
        try self.init(
            edits: track.edits, mediaEnd: max(timing.end, shownEnd), timescale: track.timescale,
            movieTimescale: movieTimescale, clock: clock)
        if track.handler == "vide", hasSeveralPieces { round(to: track.timescale, clock) }
    }

    /// Whether it shows more than one piece of the media, or something comes after that.
    ///
    /// Such a track is read by this list (`EditedSamples`), others as libavformat reads them.
    var hasSeveralPieces: Bool {
        segments.count { $0.media != nil } > 1 || segments.contains { $0.media != nil } && segments.last?.media == nil
    }

    /// From the first to the last moment that shows something.
    func presentedRange(clock: MovieClock, timescales: [UInt32]) -> CMTimeRange {
        CMTimeRange(
            start: clock.time(start, preferring: timescales), end: clock.time(end, preferring: timescales))
    }
}

/// How a movie is trimmed.
package struct MovieTrimOptions: Hashable, Sendable {
    /// Whether tracks that hold chapters' titles or pictures are left out, to be written anew.
    package var dropsChapterTracks = false
    /// Tracks that players are to show although the source says that they are not to.
    package var enabledTracks: Set<UInt32> = []
    /// The kind of file to make; `nil` for the source's own.
    package var targetBrand: MovieBrand?
    /// Whether samples that the edit lists hide and nothing shown needs are left out, even if nothing is cut.
    package var dropsHidden = false
    /// Whether nothing but the tracks is taken into another movie.
    var isForTracks = false
    /// The movie's timescale; `nil` for one that holds the edits exactly.
    var movieTimescale: UInt32?
    /// The tracks' new numbers, those of tracks included that are left out here and may be referred to all the same;
    /// empty for the old ones.
    var trackIDs: [UInt32: UInt32] = [:]

    /// Options with their usual values.
    package init() {}
}

/// A movie cut to a range: its new tables, ready to be written.
package struct MovieTrimPlan: Sendable {
    /// What is kept of one track.
    package struct Track: Hashable, Sendable {
        package var id: UInt32
        var handler: FourCC
        /// Samples that are kept, hidden ones included.
        var sampleCount: Int
        /// Samples before the cut.
        var sourceSampleCount: Int
        /// Bytes of the kept samples.
        var byteCount: UInt64
        /// When the track shows something, on the new movie's timeline.
        var presentedRange: CMTimeRange
    }

    /// What was asked for, on the source's timeline; the whole movie if nothing was.
    var requestedRange: CMTimeRange
    /// What the new movie shows of the source's timeline.
    package var actualRange: CMTimeRange
    /// How much later the source's edit list puts its pictures than the timeline of the ranges here does.
    ///
    /// It is zero but for movies whose edit list begins while a picture is on
    /// screen: the ranges count from the first picture that begins then. Sound
    /// and all else are cut in step with the pictures.
    var pictureShift: CMTime
    package var tracks: [Track]
    /// What is left out though nobody asked for that.
    package var losses: [MovieLoss]
    let assembly: MovieAssembly

    /// Bytes of the new file.
    package var byteCount: UInt64 { assembly.byteCount }

    /// The new file, made of parts of the source.
    package func rewrite() -> FileRewrite { assembly.rewrite() }
}

/// Has a muxed movie show the pictures that follow a track's first one in decoding order and precede it in presentation.
///
/// libavformat's edit lists begin with the first sample's picture, and an empty edit takes the place of what is shown
/// before it.
package struct MovieLead {
    private let movie: MovieSource
    /// How much earlier tracks are shown than their first sample, by their number.
    private let leads: [UInt32: CMTime]

    /// The movie with edit lists that begin earlier.
    ///
    /// - Parameter media: A movie whose movie box comes last.
    package static func rewrite(_ media: RandomAccessFile, leads: [UInt32: CMTime]) throws(MovieError) -> FileRewrite {
        let same = FileRewrite(segments: [.source(0..<media.byteCount)])
        let movie = try MovieSource(file: media)
        guard let box = movie.movieFile.boxes.last, box.type == "moov", box.range.upperBound == media.byteCount else {
            return same
        }
        let bytes = MovieLead(movie: movie, leads: leads).movieBox
        return FileRewrite(segments: [.source(0..<box.start), .bytes(bytes)])
    }

    private init(movie: MovieSource, leads: [UInt32: CMTime]) { (self.movie, self.leads) = (movie, leads) }

    private var movieBox: [UInt8] {
        [UInt8].box(
            "moov",
            movie.movieBoxes.flatMap { box in
                guard let track = movie.tracks.first(where: { $0.box == box }), let edits = edits(of: track) else {
                    return bytes(box)
                }
                let children = track.children.flatMap { $0.type == "edts" ? EditList(edits).box : bytes($0) }
                return .box("trak", children)
            })
    }

    private func bytes(_ box: Box) -> [UInt8] { movie.reader.wholeBytes(of: box) }

    /// The track's edits, of which the first one that shows something begins earlier, and the empty one ends as much
    /// earlier; `nil` if they stay as they are.
    private func edits(of track: MovieTrack) -> [EditList.Segment]? {
        guard let lead = leads[track.id], let movieScale = Int32(exactly: movie.timescale),
            let mediaScale = Int32(exactly: track.timescale), mediaScale > 0, track.edits.count == 2
        else { return nil }
        let (empty, shown) = (track.edits[0], track.edits[1])
        let length = CMTimeConvertScale(lead, timescale: movieScale, method: .roundHalfAwayFromZero).value
        let ticks = CMTimeConvertScale(lead, timescale: mediaScale, method: .roundHalfAwayFromZero).value
        guard empty.mediaTime < 0, shown.mediaTime >= ticks, length > 0, empty.duration >= UInt64(length) else {
            return nil
        }
        let (duration, overflow) = shown.duration.addingReportingOverflow(UInt64(length))
        guard !overflow else { return nil }
        var edits = [EditList.Segment(duration: duration, mediaTime: shown.mediaTime - ticks, rate: shown.rate)]
        let rest = empty.duration - UInt64(length)
        if rest > 0 { edits.insert(EditList.Segment(duration: rest, mediaTime: -1, rate: empty.rate), at: 0) }
        return edits
    }
}
