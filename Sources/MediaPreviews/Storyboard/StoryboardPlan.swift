internal import ImageGeneration
internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// What will be made of a film: decided before anything is decoded.
struct StoryboardPlan {
    /// More would be a mistake in the interval.
    static let maximumTileCount = 100_000
    /// Pixels of a sheet that programs can be expected to open.
    static let maximumSheetArea = 100_000_000

    let duration: CMTime
    let origin: CMTime
    let timeline: PreviewTimeline
    let part: CMTimeRange
    let interval: CMTime
    let tile: PixelSize
    let columns: Int
    let rows: Int
    let times: [CMTime]
    /// How far from its time a tile's frame may lie; zero for exact frames.
    let tolerance: CMTime

    /// - Throws: `AVError` for a film without pictures or without a duration;
    ///   ``StoryboardSettingsError`` for settings that do not fit it.
    init(_ settings: StoryboardSettings, for description: AssetDescription) throws {
        guard let video = description.videoTrack?.video else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        guard description.duration.isNumeric, description.duration > .zero else {
            throw AVError(.invalidSourceMedia, reason: "the file does not tell its duration")
        }
        (duration, origin) = (description.duration, description.origin)
        timeline = settings.timeline ?? .ofPlayers(container: description.container)
        part = try Self.part(settings, of: duration)
        interval = settings.interval ?? Self.usualInterval(for: part.duration)
        times = try Self.times(every: interval, in: part)
        tile = video.displaySize.fitting(
            PixelSize(width: settings.maximumTileWidth, height: settings.maximumTileHeight))
        // A single sheet ends with its tiles, but Jellyfin knows sets by the grid of its own settings.
        let keepsGrid = settings.extras.contains(.jellyfin)
        let side = settings.maximumSheetSide > 0 ? settings.maximumSheetSide : Int.max
        let limits = (max(1, side / max(1, tile.width)), max(1, side / max(1, tile.height)))
        columns = keepsGrid ? settings.columns : min(settings.columns, limits.0, times.count)
        rows = keepsGrid ? settings.rows : min(settings.rows, limits.1, (times.count + columns - 1) / columns)
        tolerance = settings.isExact ? .zero : Self.justBelowHalf(of: interval)
        try checkSheetSize(settings.format)
    }

    /// The storyboard that this is the plan of.
    func storyboard(
        of sourceName: String, format: PreviewImageFormat, tiles: [Storyboard.Tile] = [], sheetByteCounts: [Int] = []
    ) -> Storyboard {
        Storyboard(
            sourceName: sourceName, duration: duration, origin: origin, timeline: timeline, part: part,
            interval: interval, tileWidth: tile.width, tileHeight: tile.height, columns: columns, rows: rows,
            format: format, tiles: tiles, sheetByteCounts: sheetByteCounts)
    }

    /// The times with how far from them frames may lie.
    ///
    /// Where what is covered begins, its frame must have begun too; and no frame
    /// from behind the end of a part may stand in it.
    var batches: [(times: [CMTime], tolerance: CMTime)] {
        let endsExactly = times.last.map { part.end < duration && $0 + tolerance >= part.end } ?? false
        let inner = times.dropFirst().dropLast(endsExactly ? 1 : 0)
        let last = endsExactly ? times.dropFirst().suffix(1) : []
        return [(Array(times.prefix(1)), .zero), (Array(inner), tolerance), (Array(last), .zero)]
            .filter { !$0.times.isEmpty }
    }

    /// What is to be covered.
    private static func part(_ settings: StoryboardSettings, of duration: CMTime) throws -> CMTimeRange {
        let whole = CMTimeRange(start: .zero, duration: duration)
        guard let part = settings.part, part != whole else { return whole }
        guard settings.extras.isDisjoint(with: [.bif, .jellyfin, .hls, .dash]) else {
            throw StoryboardSettingsError(
                reason: "BIF, Jellyfin, HLS and DASH count pictures from the film's start, not from that of a part")
        }
        let common = whole.intersection(part)
        guard common.duration.isNumeric, common.duration > .zero else {
            throw StoryboardSettingsError(reason: "the part has no time in common with the film")
        }
        return common
    }

    /// The longest of a few round intervals with which a hundred tiles cover the film, up to 10 s.
    private static func usualInterval(for duration: CMTime) -> CMTime {
        let steps = [CMTime(value: 1, timescale: 2)] + [1, 2, 5].map { CMTime(value: $0, timescale: 1) }
        return steps.first { CMTimeMultiply($0, multiplier: 100) >= duration } ?? CMTime(value: 10, timescale: 1)
    }

    private static func times(every interval: CMTime, in part: CMTimeRange) throws -> [CMTime] {
        guard interval.isNumeric, interval > .zero else {
            throw StoryboardSettingsError(reason: "the interval must be above zero")
        }
        guard CMTimeMultiply(interval, multiplier: Int32(maximumTileCount)) >= part.duration else {
            throw StoryboardSettingsError(
                reason:
                    "\(interval.durationText()) s apart there are more than \(maximumTileCount) tiles; take a longer interval"
            )
        }
        var times: [CMTime] = []
        while true {
            let time = part.start + CMTimeMultiply(interval, multiplier: Int32(times.count))
            guard times.isEmpty || time < part.end else { return times }
            times.append(time)
        }
    }

    /// Less than half by the smallest of ticks, so that no frame lies within reach of two tiles.
    private static func justBelowHalf(of interval: CMTime) -> CMTime {
        let fine = CMTime(value: 1, timescale: 1_000_000)
        return CMTimeMaximum(CMTimeMultiplyByRatio(interval, multiplier: 1, divisor: 2) - fine, .zero)
    }

    private func checkSheetSize(_ format: PreviewImageFormat) throws {
        let (width, widthOverflow) = columns.multipliedReportingOverflow(by: tile.width)
        let (height, heightOverflow) = rows.multipliedReportingOverflow(by: tile.height)
        let (area, areaOverflow) = width.multipliedReportingOverflow(by: height)
        guard !widthOverflow, !heightOverflow, !areaOverflow, area <= Self.maximumSheetArea,
            max(width, height) <= format.maximumDimension
        else {
            throw StoryboardSettingsError(
                reason: "\(columns) x \(rows) tiles of \(tile.width)x\(tile.height) are too large for a sheet in "
                    + "\(format.rawValue); take fewer or smaller tiles")
        }
    }
}

/// Gives each interval a picture, also those that have none of their own.
struct GapFiller {
    private(set) var tiles: [Storyboard.Tile] = []
    private var last: TilePicture?
    /// Intervals before the first picture.
    private var early: [(time: CMTime, reason: String)] = []

    /// Intervals seen so far.
    var count: Int { tiles.count + early.count }

    /// The pictures to draw next.
    ///
    /// - Parameter isAccepting: Whether an interval without a picture is filled
    ///   with another's instead of failing.
    /// - Throws: Why there is no picture.
    mutating func pictures(
        from result: Stills<TilePicture>.Element, accepting isAccepting: Bool
    ) throws -> [TilePicture] {
        switch result {
        case .success(let picture):
            let waiting = early
            early = []
            for gap in waiting { tiles.append(Self.tile(picture.tile, standingInAt: gap.time, gap.reason)) }
            tiles.append(picture.tile)
            last = picture
            return Array(repeating: picture, count: waiting.count + 1)
        case .failure(let failure):
            guard isAccepting, let error = failure.error as? AVError, !(error.underlying is MediaLimitError) else {
                throw failure.error
            }
            guard let last else {
                early.append((failure.requestedTime, error.reason))
                return []
            }
            tiles.append(Self.tile(last.tile, standingInAt: failure.requestedTime, error.reason))
            return [last]
        }
    }

    /// All tiles.
    ///
    /// - Throws: Why there is no picture, if there is none at all.
    func finish() throws -> [Storyboard.Tile] {
        if let reason = early.first?.reason { throw AVError(.decodeFailed, reason: reason) }
        return tiles
    }

    private static func tile(
        _ other: Storyboard.Tile, standingInAt time: CMTime, _ reason: String
    ) -> Storyboard.Tile {
        Storyboard.Tile(
            requestedTime: time, actualTime: other.actualTime, isSyncSample: other.isSyncSample, isExact: false,
            damage: other.damage, gap: reason)
    }
}
