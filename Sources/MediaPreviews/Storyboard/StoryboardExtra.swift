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
