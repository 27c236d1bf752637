internal import MediaCore

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
