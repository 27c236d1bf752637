public import MediaTime

/// How a storyboard is made.
public struct StoryboardSettings: Sendable, Hashable {
    /// The time from one tile to the next; `nil` for 10 s, and less in films so
    /// short that a hundred tiles cover them.
    public var interval: CMTime?
    /// The part of the film that tiles cover; `nil` for all of it.
    public var part: CMTimeRange?
    /// What cues count from; `nil` for what players of the film's container count from.
    public var timeline: PreviewTimeline?
    /// The widest that a tile may be; 0 for no limit.
    ///
    /// Pictures are never enlarged.
    public var maximumTileWidth = 160
    /// The highest that a tile may be; 0 for no limit.
    public var maximumTileHeight = 160
    /// Tiles in a row of a sheet.
    public var columns = 10
    /// Rows of tiles in a sheet.
    public var rows = 10
    /// The most pixels in a row or column of a sheet, for which columns and rows are left out; 0 for no limit.
    public var maximumSheetSide = 0
    /// How sheets are encoded.
    public var format = PreviewImageFormat.jpeg
    /// From 1 to 100.
    public var quality = 80
    /// Whether each tile shows the very frame at its time, even where a sync
    /// sample lies within half an interval.
    public var isExact = false
    /// Whether damaged pictures are taken, and intervals that have no picture
    /// at all filled with the one before, instead of failing.
    public var allowsDamagedPictures = false
    /// What is written besides the sheets, `storyboard.vtt` and `storyboard.json`.
    public var extras: Set<StoryboardExtra> = [.page]

    /// Makes the usual settings.
    public init() {}
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
