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
        package var presentedRange: CMTimeRange
        package var sampleCount: Int
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
    package let presentedRange: CMTimeRange
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
    }

    /// From the first to the last moment that shows something.
    func presentedRange(clock: MovieClock, timescales: [UInt32]) -> CMTimeRange {
        CMTimeRange(
            start: clock.time(start, preferring: timescales), end: clock.time(end, preferring: timescales))
    }
}
