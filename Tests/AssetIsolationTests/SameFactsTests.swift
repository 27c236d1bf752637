import Foundation
import MediaAsset
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// An asset whose file a worker reads tells what the same asset tells that reads it itself.
@Suite struct `What an isolated asset tells` {
    private static let fixtures: [Fixture] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Fixture.folder.path)) ?? []
        return names.sorted().filter {
            ($0 as NSString).pathExtension != "" && !$0.hasSuffix(".py") && $0 != "README.md"
        }
        .map(Fixture.init)
    }()

    @Test(.timeLimit(.minutes(2)), arguments: Tier.some(fixtures, 12))
    func `An isolated asset reports the same properties as any asset`(_ fixture: Fixture) async throws {
        let own = await AssetReport(fixture.asset)
        let isolated = await AssetReport(try fixture.asset.isolated())
        for (own, isolated) in zip(own.lines, isolated.lines) { #expect(own == isolated) }
        #expect(own.lines.count == isolated.lines.count)
        #expect(own.formats == isolated.formats)
    }

    /// Real films of other people, and damaged ones.
    @Test(
        .enabled(if: Tier.isFull, Comment(rawValue: Tier.skipReason)), .enabled(if: Fixture.corpus != nil),
        .timeLimit(.minutes(10)))
    func `An isolated asset reports the same properties for the corpus`() async throws {
        let corpus = try #require(Fixture.corpus)
        let files = try #require(FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { !["", "tsv", "md"].contains($0.pathExtension) }
        for file in files.sorted(by: { $0.path < $1.path }) {
            let own = await AssetReport(AVURLAsset(url: file))
            let isolated = await AssetReport(try AVURLAsset(url: file).isolated())
            #expect(own.lines == isolated.lines, "\(file.path)")
            #expect(own.formats == isolated.formats, "\(file.path)")
        }
    }

    @Test func `An isolated asset follows its options`() async throws {
        var limits = MediaLimits()
        limits.streams = 1
        for options in [
            [AVURLAssetLimitsKey: limits as Any], [AVURLAssetVideoTrackIDKey: Int32(7)],
            [AVURLAssetPreferPreciseDurationAndTimingKey: true],
        ] {
            let file = Fixture("languages.mkv").url
            let own = await AssetReport(AVURLAsset(url: file, options: options))
            let isolated = await AssetReport(try AVURLAsset(url: file).isolated(options))
            #expect(own.lines == isolated.lines)
        }
    }

    /// A pipe is opened by the program, and read by the worker.
    @Test(.timeLimit(.minutes(1)))
    func `An isolated asset can be read from a pipe`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let bytes = try Data(contentsOf: Fixture("cues.mkv").url)
        Thread.detachNewThread {
            guard let writer = FileHandle(forWritingAtPath: pipe) else { return }
            try? writer.write(contentsOf: bytes)
            try? writer.close()
        }
        let asset = try AVURLAsset(url: URL(fileURLWithPath: pipe)).isolated([AVURLAssetReadsPipesWholeKey: true])
        #expect(try await asset.load(.duration) == Fixture("cues.mkv").asset.load(.duration))
        let image = try await AVAssetImageGenerator(asset: asset).image(at: .zero).image
        #expect(image.width > 0)
    }

    @Test func `An isolated asset of a missing file fails as any asset does`() async throws {
        let none = AVURLAsset(url: URL(fileURLWithPath: "/nowhere/film.mp4"))
        await #expect(throws: AVError.self) { try await none.load(.duration) }
        #expect(await AssetReport(none).lines == AssetReport(try none.isolated()).lines)
    }

    @Test func `An isolated asset can be loaded by many tasks at once`() async throws {
        let asset = try Fixture("movie.mp4").asset.isolated()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await asset.load(.tracks, .metadata).0.count } }
            for try await count in group { #expect(count == 3) }
        }
    }

    /// What tells whether a storyboard is still that of its film.
    @Test func `An isolated asset knows the version of its file and notices a change`() async throws {
        let asset = try Fixture("movie.mp4").asset.isolated()
        #expect(asset.source.fileVersion != nil)
        #expect(asset.source.fileVersion == Fixture("movie.mp4").asset.source.fileVersion)
        let folder = try TemporaryFolder()
        let copy = URL(fileURLWithPath: folder.path("film.mp4"))
        try FileManager.default.copyItem(at: Fixture("movie.mp4").url, to: copy)
        let changing = try AVURLAsset(url: copy).isolated()
        _ = try await changing.load(.duration)
        try changing.source.checkUnchanged(whileMaking: "sheet.png")
        try FileHandle(forWritingTo: copy).truncate(atOffset: 1000)
        #expect(throws: FileWriteError.self) { try changing.source.checkUnchanged(whileMaking: "sheet.png") }
    }
}
