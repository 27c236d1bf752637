public import MediaCore

/// How a storyboard is made; what does not fit the film fails with ``StoryboardSettingsError``.
public struct StoryboardSettings: Sendable, Hashable {
    /// The time from one tile to the next, above zero; `nil` for 10 s, and 0.5, 1, 2 or 5 s in films so
    /// short that a hundred tiles cover them.
    ///
    /// There are 100,000 tiles at most.
    public var interval: CMTime?
    /// The part of the film, on the asset's timeline, that tiles cover; `nil` for all of it, as BIF, Jellyfin, HLS and
    /// DASH need it.
    public var part: CMTimeRange?
    /// What cues count from; `nil` for what players of the film's container count from.
    public var timeline: PreviewTimeline?
    /// The widest that a tile may be, in pixels; 0 for no limit.
    ///
    /// 160 by default. Pictures are never enlarged.
    public var maximumTileWidth = 160
    /// The highest that a tile may be, in pixels; 0 for no limit; 160 by default.
    public var maximumTileHeight = 160
    /// Tiles in a row of a sheet, from 1 on; 10 by default.
    public var columns = 10
    /// Rows of tiles in a sheet, from 1 on; 10 by default.
    ///
    /// A sheet has 10⁸ pixels at most.
    public var rows = 10
    /// The most pixels in a row or column of a sheet, for which columns and rows are left out; 0 for no limit.
    public var maximumSheetSide = 0
    /// How sheets are encoded.
    public var format = PreviewImageFormat.jpeg
    /// The quality of sheets, from 1 to 100, without meaning for PNG; 80 by default.
    public var quality = 80
    /// Whether each tile shows the very frame at its time, even where a sync
    /// sample lies within half an interval.
    public var isExact = false
    /// Whether damaged pictures are taken, and intervals that have no picture
    /// at all filled with the one before, instead of failing.
    public var allowsDamagedPictures = false
    /// What is written besides the sheets, `storyboard.vtt` and `storyboard.json`: the page by default.
    public var extras: Set<StoryboardExtra> = [.page]

    /// Makes the usual settings.
    public init() {}
}
