public import MediaCore

/// A storyboard as an HLS playlist of images.
///
/// The tags are those of the Image Media Playlist proposal, version 0.4, that
/// Roku, Jellyfin and Shaka Player follow. Apple's players know none of them and
/// skip them. `RESOLUTION` is that of one tile, as Roku and Jellyfin write it.
///
/// No player opens the playlist on its own: it is found by the line that
/// ``streamInformation(of:path:)`` gives, in the film's own multivariant playlist.
public enum HLSImagePlaylist {
    /// The file's usual name.
    public static let fileName = "images.m3u8"
    /// The usual name of the file with the line for the film's multivariant playlist.
    public static let lineFileName = "hls-image-stream.txt"

    /// The media playlist: a segment for each sheet.
    ///
    /// Each segment has an `EXT-X-TILES` of its own, since players look for it
    /// among a segment's tags only; its `DURATION` is one tile's, so that the
    /// last sheet, which lasts no longer than the film, is divided rightly.
    ///
    /// - Parameter sheetFolder: Where the sheets lie, as a path relative to the
    ///   playlist; empty if beside it.
    public static func text(of storyboard: Storyboard, sheetFolder: String = "") -> String {
        let durations = (0..<storyboard.sheetCount).map(storyboard.sheetNanoseconds)
        let target = ((durations.max() ?? 0) + 999_999_999) / 1_000_000_000
        let tiles =
            "#EXT-X-TILES:RESOLUTION=\(storyboard.tileWidth)x\(storyboard.tileHeight),"
            + "LAYOUT=\(storyboard.columns)x\(storyboard.rows),"
            + "DURATION=\(storyboard.interval.nanoseconds().decimalText(decimals: 9))"
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(target)", "#EXT-X-MEDIA-SEQUENCE:1",
            "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-IMAGES-ONLY",
        ]
        for (sheet, duration) in durations.enumerated() {
            lines += [
                "#EXTINF:\(duration.decimalText(decimals: 9)),", tiles,
                urlPath(storyboard.sheetName(sheet), in: sheetFolder),
            ]
        }
        return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    }

    /// The line for the film's multivariant playlist that names the playlist of images.
    ///
    /// - Parameter path: Where that playlist lies, as a path relative to the multivariant one.
    public static func streamInformation(of storyboard: Storyboard, path: String = fileName) -> String {
        "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=\(storyboard.bitsPerSecond),"
            + "RESOLUTION=\(storyboard.tileWidth)x\(storyboard.tileHeight),"
            + "CODECS=\"\(storyboard.format.rawValue)\",URI=\"\(urlPath(path, in: ""))\""
    }
}

/// A storyboard as thumbnails of MPEG-DASH, as the DASH Industry Forum's
/// interoperability points define them (6.2.6, tiles of thumbnails).
///
/// An adaptation set of pictures says how long a whole sheet lasts and how it is
/// divided; dash.js, Shaka Player and ExoPlayer find a time's tile by division.
/// The last sheet counts as long as the others: what is left over is never shown.
public enum DASHThumbnails {
    /// The file's usual name.
    public static let fileName = "storyboard.mpd"
    /// The usual name of the file with the adaptation set for the film's manifest.
    public static let adaptationSetFileName = "dash-adaptation-set.xml"

    /// A manifest that holds the pictures only.
    ///
    /// - Parameter sheetFolder: Where the sheets lie, as a path relative to the
    ///   manifest; empty if beside it.
    public static func manifest(of storyboard: Storyboard, sheetFolder: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
        mediaPresentationDuration="\(duration(storyboard.endNanoseconds))" minBufferTime="PT2S">
          <Period id="0" start="PT0S">
        \(adaptationSet(of: storyboard, sheetFolder: sheetFolder, indentation: 4))
          </Period>
        </MPD>

        """
    }

    /// The adaptation set alone, for a period of one's own manifest, without a
    /// line break at its end.
    ///
    /// It has no `id`, so that it cannot clash with others.
    ///
    /// - Parameters:
    ///   - sheetFolder: Where the sheets lie, as a path relative to the manifest;
    ///     empty if beside it.
    ///   - indentation: Spaces before each line.
    public static func adaptationSet(
        of storyboard: Storyboard, sheetFolder: String = "", indentation: Int = 0
    ) -> String {
        let (duration, timescale) = sheetDuration(of: storyboard)
        let name = urlPath("storyboard-", in: sheetFolder) + "$Number%03d$." + storyboard.format.filenameExtension
        let grid = "\(storyboard.columns)x\(storyboard.rows)"
        let lines = [
            #"<AdaptationSet contentType="image" mimeType="\#(storyboard.format.mimeType)">"#,
            #"  <SegmentTemplate media="\#(name)" timescale="\#(timescale)" duration="\#(duration)" startNumber="1"/>"#,
            #"  <Representation id="thumbnails-\#(storyboard.tileWidth)x\#(storyboard.tileHeight)" "#
                + #"bandwidth="\#(min(storyboard.bitsPerSecond, Int(UInt32.max)))" "#
                + #"width="\#(storyboard.sheetWidth)" height="\#(storyboard.sheetHeight)">"#,
            #"    <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="\#(grid)"/>"#,
            "  </Representation>",
            "</AdaptationSet>",
        ]
        return lines.map { String(repeating: " ", count: max(0, indentation)) + $0 }.joined(separator: "\n")
    }

    /// How long a whole sheet lasts, as a fraction of seconds whose parts fit the 32 bits of a manifest.
    ///
    /// Exact where such a fraction exists, as it does for every interval that
    /// people ask for; else the nearest microsecond, millisecond or second.
    static func sheetDuration(of storyboard: Storyboard) -> (duration: UInt32, timescale: UInt32) {
        let interval = storyboard.interval
        guard interval.isNumeric, interval.value > 0 else { return (1, 1) }
        let whole = Int128(interval.value) * Int128(storyboard.tilesPerSheet)
        let divisor = Int128(greatestCommonDivisor(whole.magnitude, UInt128(interval.timescale.magnitude)))
        if let duration = UInt32(exactly: whole / divisor), duration > 0 {
            return (duration, UInt32(Int128(interval.timescale) / divisor))
        }
        let nanoseconds = interval.nanoseconds(times: storyboard.tilesPerSheet)
        for timescale: Int128 in [1_000_000, 1000] {
            let tick = 1_000_000_000 / timescale
            if let duration = UInt32(exactly: (nanoseconds + tick / 2) / tick), duration > 0 {
                return (duration, UInt32(timescale))
            }
        }
        return (UInt32(clamping: max(1, nanoseconds / 1_000_000_000)), 1)
    }

    /// A length as ISO 8601 writes it: `PT1H2M3.5S`.
    static func duration(_ nanoseconds: Int128) -> String {
        let minutes = nanoseconds / 60_000_000_000
        let hours = minutes / 60
        return "PT" + (hours > 0 ? "\(hours)H" : "") + (minutes % 60 > 0 ? "\(minutes % 60)M" : "")
            + (nanoseconds % 60_000_000_000).decimalText(decimals: 9) + "S"
    }
}

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

/// A storyboard as a WebVTT track whose cues name parts of pictures.
///
/// This is what video.js, Plyr, JW Player, Shaka Player, Media Chrome and many
/// more read: each cue's text is the name of a sheet with a media fragment,
/// `storyboard-001.jpg#xywh=160,0,160,90`, relative to the track's own place.
public enum WebVTTIndex {
    /// The file's usual name.
    public static let fileName = "storyboard.vtt"

    /// The track.
    ///
    /// - Parameter sheetFolder: Where the sheets lie, as a path relative to the
    ///   track; empty if beside it.
    public static func text(of storyboard: Storyboard, sheetFolder: String = "") -> String {
        var text = "WEBVTT\n\nNOTE Pictures at regular times; each cue names a sheet and a part of it.\n"
        for (index, cue) in storyboard.cues.enumerated() {
            let place = storyboard.place(ofTile: cue.tile)
            let file = urlPath(storyboard.sheetName(place.sheet), in: sheetFolder)
            text += "\n\(index + 1)\n\(cue.start.clockText(hourDigits: 2)) --> \(cue.end.clockText(hourDigits: 2))\n"
            text += "\(file)#xywh=\(place.x),\(place.y),\(storyboard.tileWidth),\(storyboard.tileHeight)\n"
        }
        return text
    }
}
