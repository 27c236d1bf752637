import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// The code of the article on contact sheets and storyboards.
@Suite struct `Code on previews` {
    let url = Fixture("movie.mp4").url
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `Documented code makes a contact sheet`() async throws {
        let output = URL(fileURLWithPath: folder.path("sheet.png"))
        // code: sheet
        var settings = ContactSheet.Settings()
        settings.columns = 5
        settings.rows = 2
        let sheet = try await ContactSheet.make(
            of: AVURLAsset(url: url), name: url.lastPathComponent, settings: settings)
        try sheet.image.pngData().write(to: output)
        for tile in sheet.tiles { print(tile.label, tile.actualTime.seconds) }
        // end of code
        #expect(sheet.tiles.count == 10)
    }

    @Test func `Documented code makes a storyboard`() async throws {
        let path = folder.path("storyboard")
        // code: storyboard
        var settings = StoryboardSettings()
        settings.interval = CMTime(value: 2, timescale: 1)
        settings.extras = [.page, .bif]
        let maker = StoryboardMaker(settings: settings)
        try await maker.makeStoryboard(of: AVURLAsset(url: url), at: path)
        // end of code
        #expect(FileManager.default.fileExists(atPath: path + "/storyboard.vtt"))
        #expect(FileManager.default.fileExists(atPath: path + "/storyboard.bif"))
        #expect(maker.isCurrent(at: path, for: AVURLAsset(url: url)))
    }

    @Test func `Documented code detects scenes`() async throws {
        // code: scenes
        let list = try await AVURLAsset(url: url).detectScenes()
        for scene in list.scenes { print(scene.timeRange.start.seconds, scene.firstFrame, scene.lastFrame) }
        // end of code
        #expect(list.frameCount == 250)
    }
}
