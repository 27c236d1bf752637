public import MediaCore

/// The pictures of a film at regular times, laid out on sprite sheets of one size.
///
/// There is one tile for each interval, from zero up to the duration, or over a
/// part of it, so that the tile for a time is found by division. Tiles fill a sheet row by row;
/// what is left over on the last sheet is black. Beyond AVFoundation.
public struct Storyboard: Sendable, Hashable {
    /// The picture of one interval.
    public struct Tile: Sendable, Hashable {
        /// Where the interval starts, on the asset's timeline.
        public let requestedTime: CMTime
        /// The frame's own presentation time.
        public let actualTime: CMTime
        /// Whether the frame is a sync sample.
        public let isSyncSample: Bool
        /// Whether the frame is the one shown at the requested time.
        public let isExact: Bool
        /// Why the picture is not to be trusted, `nil` if it is.
        public let damage: String?
        /// Why there is no picture for this interval, `nil` if there is one.
        ///
        /// The tile then shows the picture of the nearest interval that has one,
        /// before it if possible, and `actualTime` is that picture's.
        public let gap: String?

        /// Makes a tile.
        public init(
            requestedTime: CMTime, actualTime: CMTime, isSyncSample: Bool, isExact: Bool, damage: String? = nil,
            gap: String? = nil
        ) {
            self.requestedTime = requestedTime
            self.actualTime = actualTime
            self.isSyncSample = isSyncSample
            self.isExact = isExact
            self.damage = damage
            self.gap = gap
        }
    }

    /// Where a tile lies.
    public struct Place: Sendable, Hashable {
        /// The sheet, counted from 0.
        public let sheet: Int
        /// Pixels from the sheet's left edge.
        public let x: Int
        /// Pixels from the sheet's upper edge.
        public let y: Int
        /// Makes a place.
        public init(sheet: Int, x: Int, y: Int) { (self.sheet, self.x, self.y) = (sheet, x, y) }
    }

    /// A stretch of time during which one tile is shown.
    public struct Cue: Sendable, Hashable {
        /// The tile, counted from 0.
        public let tile: Int
        /// Milliseconds on the storyboard's timeline: the first at which the frame is shown.
        public let start: Int64
        /// Milliseconds on the storyboard's timeline: the first at which it is not shown any more.
        public let end: Int64
    }

    /// The name of the film's file, without its folder.
    public let sourceName: String
    /// How long the film lasts, on the asset's timeline from zero on.
    public let duration: CMTime
    /// The container's time of the asset's zero.
    public let origin: CMTime
    /// What cues count from.
    public let timeline: PreviewTimeline
    /// What the tiles cover, on the asset's timeline: the whole film, or a part of it.
    public let part: CMTimeRange
    /// The time from one tile to the next.
    public let interval: CMTime
    /// Pixels in a row of a tile.
    public let tileWidth: Int
    /// Rows of a tile.
    public let tileHeight: Int
    /// Tiles in a row of a sheet.
    public let columns: Int
    /// Rows of tiles in a sheet.
    public let rows: Int
    /// How sheets are encoded.
    public let format: PreviewImageFormat
    /// The tiles, ascending by time; at least one.
    public let tiles: [Tile]
    /// The sheets' sizes as files, in bytes, in their order.
    public let sheetByteCounts: [Int]

    /// Makes a storyboard of what is known of its pictures, unchecked.
    ///
    /// - Parameters:
    ///   - part: What the tiles cover, on the asset's timeline; the whole film if `nil`.
    ///   - columns: Tiles in a row of a sheet, from 1 on.
    ///   - rows: Rows of tiles in a sheet, from 1 on.
    public init(
        sourceName: String, duration: CMTime, origin: CMTime = .zero, timeline: PreviewTimeline = .asset,
        part: CMTimeRange? = nil, interval: CMTime, tileWidth: Int, tileHeight: Int, columns: Int, rows: Int,
        format: PreviewImageFormat, tiles: [Tile], sheetByteCounts: [Int]
    ) {
        self.sourceName = sourceName
        self.duration = duration
        self.origin = origin
        self.timeline = timeline
        self.part = part ?? CMTimeRange(start: .zero, duration: duration)
        self.interval = interval
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.columns = columns
        self.rows = rows
        self.format = format
        self.tiles = tiles
        self.sheetByteCounts = sheetByteCounts
    }

    /// Tiles on a full sheet.
    public var tilesPerSheet: Int { columns * rows }
    /// How many sheets there are.
    public var sheetCount: Int { (tiles.count + tilesPerSheet - 1) / tilesPerSheet }
    /// Pixels in a row of a sheet.
    public var sheetWidth: Int { columns * tileWidth }
    /// Rows of a sheet.
    public var sheetHeight: Int { rows * tileHeight }

    /// The file name of a sheet, counted from 0: `storyboard-001.jpg` and so on.
    public func sheetName(_ sheet: Int) -> String {
        "storyboard-\((sheet + 1).zeroPadded(to: 3)).\(format.filenameExtension)"
    }

    /// Where a tile lies.
    ///
    /// - Parameter index: The tile's number, counted from 0.
    public func place(ofTile index: Int) -> Place {
        let position = index % tilesPerSheet
        return Place(
            sheet: index / tilesPerSheet, x: position % columns * tileWidth, y: position / columns * tileHeight)
    }

    /// What the asset's zero is on the timeline of the cues.
    var zero: CMTime { timeline == .container ? origin : .zero }

    /// The time at which the part that is covered begins, in milliseconds of the cues.
    var startMilliseconds: Int64 { (zero + part.start).milliseconds }

    /// What is shown when: cues without gaps from zero, or the part's start, to the end.
    ///
    /// Each begins where its tile's frame does, rounded up to the millisecond so
    /// that the frame is on screen by then. The first one of a whole film begins
    /// at zero even where the film does not: players show its picture until then.
    /// Tiles that show the frame of the tile before share its cue.
    public var cues: [Cue] {
        let (zero, first) = (zero, part.start > .zero ? startMilliseconds : 0)
        var starts: [(tile: Int, start: Int64)] = []
        var shown: CMTime?
        for (index, tile) in tiles.enumerated() {
            let start = starts.isEmpty ? first : (zero + tile.actualTime).milliseconds
            if let last = starts.last, let shown, tile.actualTime <= shown || start <= last.start { continue }
            starts.append((index, start))
            shown = tile.actualTime
        }
        let last = starts.last?.start ?? 0
        let end = max((zero + part.end).milliseconds, last < .max ? last + 1 : last)
        let ends = starts.dropFirst().map(\.start) + [end]
        return zip(starts, ends).map { Cue(tile: $0.tile, start: $0.start, end: $1) }
    }
}

/// What a storyboard's pictures can be offered as besides WebVTT.
public enum StoryboardExtra: String, Sendable, Hashable, CaseIterable, Codable {
    /// `index.html`, a page to scrub through the film.
    case page
    /// The page with the film itself, played from where it lies.
    case player
    /// The page with the sheets in itself, to be passed on as one file.
    case embeddedPage
    /// `storyboard.bif`, the index of Roku and Plex.
    case bif
    /// Tiles as Jellyfin keeps them beside a film.
    case jellyfin
    /// `images.m3u8`, an HLS playlist of images.
    case hls
    /// `storyboard.mpd`, a DASH thumbnail set.
    case dash
}

/// The files of a storyboard's folder.
enum StoryboardFolder {
    static let page = "index.html"
}
