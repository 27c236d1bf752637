import MediaCore
import MediaPreviews
import Testing

@Suite("Jellyfin's tiles") struct JellyfinTilesTests {
    private func board(
        _ name: String = "Film (2001).mkv", interval: CMTime = CMTime(value: 10, timescale: 1), width: Int = 320,
        format: PreviewImageFormat = .jpeg, duration: CMTime = CMTime(value: 6000, timescale: 1)
    ) -> Storyboard {
        .sample(
            name: name, duration: duration, interval: interval, tileWidth: width, tileHeight: 180, columns: 10,
            rows: 10, format: format, tileCount: 600)
    }

    @Test func `Tiles for Jellyfin lie where its default settings look for them`() {
        #expect(JellyfinTiles.folder(for: board()) == "Film (2001).trickplay/320 - 10x10")
        #expect(JellyfinTiles.sheetName(0) == "0.jpg")
        #expect(JellyfinTiles.settingsNeeded(for: board()) == nil)
    }

    @Test func `Settings that Jellyfin needs for other tiles are named`() {
        #expect(
            JellyfinTiles.settingsNeeded(for: .twoSheets())
                == "in Jellyfin's trickplay settings, set the interval to 10000 ms, the width to 160, the tile width "
                + "to 3 and the tile height to 2")
    }

    @Test(arguments: [
        ("film.mp4", "film"), ("a.b.mkv", "a.b"), ("none", "none"), (".hidden", ""), ("..", "."), ("é.\u{301}x", "é"),
        ("<b>\n.mp4", "<b>\n"),
    ])
    func `The folder for Jellyfin has the media file's name without its extension`(name: String, stem: String) {
        #expect(JellyfinTiles.folder(for: board(name)) == stem + ".trickplay/320 - 10x10")
    }

    @Test(arguments: ["", "../film.mp4", "/etc/passwd", "a\0b.mp4", String(repeating: "é", count: 124) + ".mp4"])
    func `A name for Jellyfin that leads elsewhere is refused`(name: String) {
        #expect(JellyfinTiles.folder(for: board(name)) == nil)
        #expect(JellyfinTiles.reasonAgainst(board(name))?.contains("the film's name") == true)
    }

    @Test func `Storyboards that Jellyfin cannot read are refused with a reason`() {
        let reasons = [
            board(format: .webp), board(width: 321), board(interval: CMTime(value: 250_250, timescale: 30000)),
            board(interval: CMTime(value: 1, timescale: 2)), board(interval: .invalid),
            board(duration: CMTime(value: 9, timescale: 1)),
        ].map(JellyfinTiles.reasonAgainst)
        #expect(
            reasons == [
                "Jellyfin takes JPEG only", "Jellyfin takes tiles of even width only",
                "Jellyfin takes intervals of whole milliseconds only",
                "Jellyfin takes intervals of a second and more only",
                "Jellyfin takes intervals of whole milliseconds only",
                "Jellyfin has no tiles for films that are shorter than one interval",
            ])
    }
}
