import Foundation
import OpenAVFoundation
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

@Suite struct `Code written for AVFoundation` {
    @Test func `Client code inspects media files`() async throws {
        let film = try await FilmInspector().summary(of: fixture("languages.mp4"))
        #expect(
            film
                == FilmSummary(
                    seconds: 3, size: CGSize(width: 320, height: 240), frameRate: 25, isPortrait: false,
                    languages: ["eng", "deu", "fra"]))
        let portrait = try await FilmInspector().summary(of: fixture("rotate-90.mp4"))
        #expect(portrait.isPortrait && portrait.size == CGSize(width: 120, height: 160))
    }

    @Test func `Client code notices that there is no video`() async throws {
        await #expect(throws: FilmInspector.Problem.noVideo) {
            try await FilmInspector().summary(of: fixture("audio-only.m4a"))
        }
    }

    @Test func `Client code reads songs and chapters`() async throws {
        let info = try await SongInspector().info(of: fixture("movie.mp4"))
        #expect(info.title == "Counting bars" && info.artist == "Fixture Band")
        let asset = AVURLAsset(url: fixture("movie.mp4"))
        #expect(try await SongInspector().chapters(of: asset).map(\.title) == ["Opening", "Middle", "Ending"])
        #expect(SongInspector().legacyTitle(of: asset) == "Counting bars")
        let items = ItemMaker().items(title: "A", artwork: Data([1]), location: "+1+2/")
        #expect(items.map(\.identifier) == [.commonIdentifierTitle, .commonIdentifierArtwork])
    }

    /// The type beside the picture, 13 for JPEG and 14 for PNG, is where the format's description has it.
    @Test func `Client code replaces covers`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let png = try Data(contentsOf: fixture("animated.png"))
        let changed = folder.appendingPathComponent("changed.m4a")
        try await CoverChanger().replaceCover(of: fixture("audio-only.m4a"), with: png, to: changed)
        let bytes = try Data(contentsOf: changed)
        let cover = try #require(bytes.range(of: Data("covr".utf8)))
        #expect(bytes[cover.upperBound + 4..<cover.upperBound + 12] == Data("data".utf8) + [0, 0, 0, 14])
        let items = try await AVURLAsset(url: changed).load(.metadata)
        #expect(CoverChanger().keys(of: items).contains("covr"))
    }

    @Test func `Client code joins media files`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let composer = FilmComposer()
        let (second, film) = (CMTime(value: 1, timescale: 1), AVURLAsset(url: fixture("movie.mov")))
        try await composer.append(film, from: .zero, for: second)
        try await composer.append(film, from: CMTime(value: 5, timescale: 1), for: second)
        composer.cut(CMTimeRange(start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 4)))
        composer.halveSpeed(of: CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 2)))
        try await composer.addMusic(AVURLAsset(url: fixture("audio-only.m4a")))
        #expect(composer.clips == [0...1, 1...1.25, 1.25...2.25])
        #expect(try await composer.poster().width == 320)
        let url = folder.appendingPathComponent("film.mp4")
        try await composer.export(to: url)
        let duration = try await AVURLAsset(url: url).load(.duration).seconds
        #expect(abs(duration - 2.25) < 0.05)
    }

    @Test func `Client code puts one video into the corner of another`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let films = PictureInPicture()
        try await films.build(
            main: AVURLAsset(url: fixture("movie.mov")), inset: AVURLAsset(url: fixture("long-gop.mp4")))
        try await films.check()
        #expect(films.complaints.isEmpty)
        #expect(try await films.poster().width == 320)
        let url = folder.appendingPathComponent("film.mp4")
        try await films.export(to: url)
        let made = try await AVURLAsset(url: url).load(.duration, .tracks)
        #expect(abs(made.0.seconds - 1) < 0.03 && made.1.count == 2)
        films.videoComposition.renderSize = .zero
        await #expect(throws: PictureInPicture.Problem.self) { try await films.check() }
        #expect(films.complaints == ["renderSize"])
        let own = try await PictureInPicture.properties(of: AVURLAsset(url: fixture("movie.mov")))
        #expect(own.size == CGSize(width: 320, height: 240) && own.layers == 1)
        #expect(own.frameDuration == CMTime(value: 1, timescale: 25))
    }

    @Test func `Client code composes frames in its own way`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let film = AVURLAsset(url: fixture("movie.mov"))
        let composition = try await NegativeFilm.composition(of: film)
        let second = CMTime(value: 1, timescale: 1)
        let generator = AVAssetImageGenerator(asset: film)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let plain = try await generator.image(at: second).image
        generator.videoComposition = composition
        #expect(generator.customVideoCompositor is NegativeCompositor)
        let negative = try await generator.image(at: second).image
        #expect(zip(plain.pixels, negative.pixels).allSatisfy { Int($0) + Int($1) == 255 })
        let session = try #require(AVAssetExportSession(asset: film, presetName: AVAssetExportPreset640x480))
        session.videoComposition = composition
        session.timeRange = CMTimeRange(start: second, duration: second)
        let url = folder.appendingPathComponent("film.mp4")
        try await session.export(to: url, as: .mp4)
        let made = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        let first = try await made.image(at: .zero).image
        let difference = zip(negative.pixels, first.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(difference / negative.pixels.count < 6)
    }

    @Test func `Client code makes thumbnails`() async throws {
        let asset = AVURLAsset(url: fixture("movie.mov"))
        let thumbnails = try await ThumbnailMaker(asset: asset).thumbnails(count: 4, height: 60)
        #expect(thumbnails.map(\.time.seconds) == [0, 2.48, 5, 7.48])
        #expect(thumbnails.allSatisfy { $0.image.width == 80 && $0.image.height == 60 })
    }

    @Test func `Client code learns why there is no image`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: fixture("movie.mov")))
        do {
            _ = try await generator.image(at: CMTime(seconds: -9, preferredTimescale: 600))
            Issue.record("an image before the beginning")
        } catch let error as AVError {
            #expect(error.code == .noImageAtTime)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [("movie.mov", AVKeyValueStatus.loaded), ("text.mp4", .failed)])
    func `Client code loads by keys`(_ name: String, _ expected: AVKeyValueStatus) async throws {
        let loader = LegacyLoader(url: fixture(name))
        let (status, error) = await withCheckedContinuation { continuation in
            loader.prepare { continuation.resume(returning: ($0, $1)) }
        }
        #expect(status == expected)
        #expect((error == nil) == (expected == .loaded))
    }

    @Test func `Client code walks over segments and ranges`() async throws {
        let track = try #require(
            try await AVURLAsset(url: fixture("edit-list-empty.mp4")).loadTracks(withMediaType: .video).first)
        let gaps = try await SegmentList().gaps(of: track)
        #expect(gaps == [CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 1))])
        let range = CMTimeRangeMake(
            start: CMTimeMake(value: 1, timescale: 1), duration: CMTimeMake(value: 5, timescale: 2))
        #expect(SegmentList().pieces(of: range, seconds: 1).map(\.duration.seconds) == [1, 1, 0.5])
    }
}
