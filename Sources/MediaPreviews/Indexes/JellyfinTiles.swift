public import MediaCore

/// A storyboard as tiles that Jellyfin finds beside a film.
///
/// From 10.10 on Jellyfin keeps them there if a library is set to save trickplay
/// images with media, and takes over a set that it did not make: it looks for the
/// folder that its own settings name, `<film>.trickplay/<width> - <columns>x<rows>`,
/// and believes that what lies in it was made with these settings, the interval
/// too. A time's tile is the interval's number; sheets are numbered from 0.
///
/// It takes the height of a tile from the tallest sheet's by dividing by the rows,
/// so that each sheet must have all of its rows, and counts every file in the
/// folder as a sheet, so that nothing else may lie there.
public enum JellyfinTiles {
    /// The width of tiles that Jellyfin's own settings have, in pixels.
    public static let width = 320
    /// The time from one tile to the next that Jellyfin's own settings have.
    public static let interval = CMTime(value: 10, timescale: 1)

    /// The least interval that Jellyfin uses, in milliseconds.
    static let minimumMilliseconds: Int64 = 1000

    /// Why Jellyfin cannot use a storyboard whatever its settings are, in one
    /// line; `nil` if it can.
    public static func reasonAgainst(_ storyboard: Storyboard) -> String? {
        let milliseconds = storyboard.interval.convertScale(1000, method: .roundTowardZero)
        if storyboard.format != .jpeg { return "Jellyfin takes JPEG only" }
        if storyboard.tileWidth % 2 != 0 { return "Jellyfin takes tiles of even width only" }
        if !milliseconds.isNumeric || milliseconds != storyboard.interval {
            return "Jellyfin takes intervals of whole milliseconds only"
        }
        if milliseconds.value < minimumMilliseconds { return "Jellyfin takes intervals of a second and more only" }
        if storyboard.duration.isNumeric, storyboard.duration < storyboard.interval {
            return "Jellyfin has no tiles for films that are shorter than one interval"
        }
        let name = storyboard.sourceName
        if name.isEmpty || name.utf8.contains(0) || name.utf8.contains(UInt8(ascii: "/")) {
            return "the film's name cannot be a part of a folder's name"
        }
        if folderName(ofFilm: name).utf8.count > 255 { return "the film's name is too long for a folder beside it" }
        return nil
    }

    /// What has to be set in Jellyfin, in one line; `nil` if its own settings fit:
    /// a picture every 10 s, 320 pixels wide, 10 × 10 on a sheet.
    public static func settingsNeeded(for storyboard: Storyboard) -> String? {
        let milliseconds = storyboard.interval.milliseconds
        if storyboard.interval == interval, storyboard.tileWidth == width, storyboard.columns == 10,
            storyboard.rows == 10
        {
            return nil
        }
        return "in Jellyfin's trickplay settings, set the interval to \(milliseconds) ms, the width to "
            + "\(storyboard.tileWidth), the tile width to \(storyboard.columns) and the tile height to "
            + "\(storyboard.rows)"
    }

    /// The folder of the sheets, relative to the film's own: `film.trickplay/320 - 10x10`.
    ///
    /// `nil` if there is a ``reasonAgainst(_:)`` the storyboard.
    public static func folder(for storyboard: Storyboard) -> String? {
        guard reasonAgainst(storyboard) == nil else { return nil }
        return folderName(ofFilm: storyboard.sourceName)
            + "/\(storyboard.tileWidth) - \(storyboard.columns)x\(storyboard.rows)"
    }

    /// The name of a sheet in the folder, counted from 0.
    public static func sheetName(_ sheet: Int) -> String { "\(sheet).jpg" }

    /// A film's name without what follows its last full stop, as Jellyfin takes it.
    private static func folderName(ofFilm name: String) -> String {
        let scalars = name.unicodeScalars
        let end = scalars.lastIndex(of: ".") ?? scalars.endIndex
        return String(scalars[..<end]) + ".trickplay"
    }
}
