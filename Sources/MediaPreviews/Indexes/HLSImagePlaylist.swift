internal import MediaCore

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
