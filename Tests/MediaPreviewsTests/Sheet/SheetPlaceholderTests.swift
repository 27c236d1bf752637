import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaImage
import MediaTestSupport
import Testing

@testable import MediaPreviews

@Suite struct `Placeholders on contact sheets` {
    @Test func `Placeholders on contact sheets state why there is no still`() async throws {
        let asset = AVURLAsset(url: Fixture("movie.mov").url)
        let film = try await SheetFilm(asset, name: "movie.mov")
        var settings = ContactSheet.Settings()
        settings.count = 4
        let moments = try await film.moments(.even, settings: settings)
        var drawing = try SheetDrawing(film, .even, moments, settings: settings)
        let generator = AVAssetImageGenerator(asset: asset)
        generator.maximumSize = CGSize(width: drawing.layout.box.width, height: drawing.layout.box.height)
        for await result in generator.stills(for: moments.map(\.time)) {
            let still = try result.get()
            guard still.index == 1 else {
                try drawing.add(still)
                continue
            }
            let error = AVError(.decodeFailed, reason: "the keyframe is missing")
            try drawing.add(StillFailure(index: 1, requestedTime: still.requestedTime, error: error))
        }
        let sheet = try drawing.finish()
        #expect(sheet.tiles.map { $0.gap != nil } == [false, true, false, false])
        let tile = sheet.tiles[1]
        #expect(tile.gap?.contains("the keyframe is missing") == true)
        #expect(!tile.actualTime.isValid)
        #expect(tile.label.hasPrefix("(") && tile.label.hasSuffix(")"))
        #expect(tile.width == sheet.tiles[0].width)
        #expect(tile.height == sheet.tiles[0].height)
        // A flat grey with words on it.
        let colors = Set(
            (0..<tile.width * tile.height).map { pixel in
                sheet.image.color(x: tile.x + pixel % tile.width, y: tile.y + pixel / tile.width)
            })
        #expect(colors.count > 5)
        #expect(
            sheet.image.color(x: tile.x, y: tile.y)
                == sheet.image.color(x: tile.x + tile.width - 1, y: tile.y + tile.height - 1))
    }
}
