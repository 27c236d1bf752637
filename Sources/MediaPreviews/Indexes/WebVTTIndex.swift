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
            text += "\n\(index + 1)\n\(timestamp(cue.start)) --> \(timestamp(cue.end))\n"
            text += "\(file)#xywh=\(place.x),\(place.y),\(storyboard.tileWidth),\(storyboard.tileHeight)\n"
        }
        return text
    }

    /// `HH:MM:SS.mmm`, with as many digits of hours as it takes.
    static func timestamp(_ milliseconds: Int64) -> String {
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1000
        return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":" + digits(seconds % 60, 2) + "."
            + digits(milliseconds % 1000, 3)
    }
}
