import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaIO
import MediaImage
import MediaPreviews
import MediaTestSupport
import Testing

@Suite struct `Storyboards of films` {
    private func settings(every interval: CMTime? = nil, isExact: Bool = false) -> StoryboardSettings {
        var settings = StoryboardSettings()
        settings.interval = interval
        settings.isExact = isExact
        settings.format = .png
        settings.maximumTileWidth = 320
        settings.maximumTileHeight = 0
        settings.columns = 4
        settings.rows = 3
        return settings
    }

    /// What making a storyboard failed with.
    private func failure(
        _ settings: StoryboardSettings, _ film: String, at path: String, replaces: Bool = false
    ) async throws -> any Error {
        do {
            try await StoryboardMaker(settings: settings).makeStoryboard(of: asset(film), at: path, replaces: replaces)
        } catch {
            return error
        }
        return try #require(nil as (any Error)?, "the storyboard was made")
    }

    private func asset(_ fixture: String) -> AVURLAsset { AVURLAsset(url: Fixture(fixture).url) }

    /// Films whose pictures carry the frame number, upright and in square pixels.
    static let films = [
        "movie.mov", "movie.mp4", "edit-list-empty.mp4", "edit-list-trim.mp4", "h264-open-gop.mp4", "h264-open-gop.ts",
        "hevc-open-gop.mp4",
        "h264-intra-refresh.mp4", "long-gop.mp4", "vfr.mp4", "cues.mkv", "no-cues.mkv", "nonzero-start.mkv", "h264.ts",
        "vp9.webm", "vp8.webm", "av1.webm", "fragmented.mp4", "one-frame.mp4", "audio-longer.mp4",
    ]

    @Test(arguments: Tier.some(films, 5), [false, true])
    func `Storyboards show the very frames that their cues name`(_ film: String, _ isExact: Bool) async throws {
        let folder = try TemporaryFolder()
        let interval = CMTime(value: 7, timescale: 10)
        let board = try await StoryboardMaker(settings: settings(every: interval, isExact: isExact))
            .makeStoryboard(of: asset(film), at: folder.path("set"))
        let frames = try Sidecar.load(Fixture(film)).shownFrames
        let images = try await board.tileImages(in: folder.path("set"))
        for (tile, image) in zip(board.tiles, images) {
            let frame = frames.frame(shownAt: tile.actualTime)
            #expect(image.frameNumber == frame.number, "\(film) at \(tile.requestedTime.seconds)")
            let asked = frames.frame(shownAt: tile.requestedTime)
            if isExact { #expect(image.frameNumber == asked.number) }
            let half = CMTimeMultiplyByRatio(interval, multiplier: 1, divisor: 2)
            let distance = CMTimeAbsoluteValue(tile.actualTime - tile.requestedTime)
            #expect(image.frameNumber == asked.number || (tile.isSyncSample && distance < half))
        }
        #expect(images.first?.frameNumber == frames.first?.number)
        // The same as players find it: by what the files say alone.
        let cues = try ReadCue.read(String(contentsOfFile: folder.path("set/storyboard.vtt"), encoding: .utf8))
        let zero = board.timeline == .container ? board.origin : .zero
        for cue in cues {
            let image = try await cue.image(in: folder.path("set"))
            let start = CMTimeMaximum(cue.start - zero, .zero)
            #expect(image.frameNumber == frames.frame(shownAt: start).number, "\(film) cue \(cue.start.seconds)")
        }
        #expect(cues.first?.start == .zero)
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end == $1.start })
        let duration = try await asset(film).load(.duration)
        #expect(board.tiles.count == Int((duration.seconds / interval.seconds).rounded(.up)))
        #expect(try abs(#require(cues.last).end.seconds - (zero + duration).seconds) <= 0.001)
    }

    @Test func `Storyboards take sync samples within half an interval and exact frames elsewhere`() async throws {
        let folder = try TemporaryFolder()
        let board = try await StoryboardMaker(settings: settings(every: CMTime(value: 7, timescale: 10)))
            .makeStoryboard(of: asset("movie.mov"), at: folder.path("set"))
        // Sync samples lie at whole seconds; 0.7, 1.4, 2.1 are 0.3, 0.4 and 0.1 s from the nearest.
        let actual = board.tiles.prefix(4).map(\.actualTime.seconds)
        #expect(actual.elementsEqual([0, 1, 1.4, 2]))
        #expect(board.tiles.prefix(4).map(\.isSyncSample) == [true, true, false, true])
    }

    @Test func `Storyboards and sheets show compositions`() async throws {
        let folder = try TemporaryFolder()
        let composition = AVMutableComposition()
        var expected: [Int] = []
        for (film, start) in [("movie.mov", 100), ("long-gop.mp4", 20)] {
            let range = CMTimeRange(
                start: CMTime(value: CMTimeValue(start), timescale: 25), duration: CMTime(value: 2, timescale: 1))
            try await composition.insertTimeRange(range, of: asset(film), at: .invalid)
            expected += [start, start + 25]
        }
        var settings = settings(every: CMTime(value: 1, timescale: 1))
        settings.isExact = true
        let board = try await StoryboardMaker(settings: settings)
            .makeStoryboard(of: composition, at: folder.path("set"))
        #expect(board.tiles.map(\.actualTime.seconds) == [0, 1, 2, 3])
        let cues = try ReadCue.read(String(contentsOfFile: folder.path("set/storyboard.vtt"), encoding: .utf8))
        for (cue, number) in zip(cues, expected) {
            #expect(try await cue.image(in: folder.path("set")).frameNumber == number)
        }
        var look = ContactSheet.Settings()
        (look.columns, look.rows) = (2, 2)
        let sheet = try await ContactSheet.make(of: composition, name: "a film", settings: look)
        let numbers = try sheet.tiles.map { try sheet.picture($0).frameNumber }
        #expect(numbers.count == 4 && numbers.allSatisfy { $0 != nil })
        #expect(numbers[0].map { (100..<150).contains($0) } == true)
        #expect(numbers[3].map { (20..<70).contains($0) } == true)
    }

    @Test func `Storyboards have sheets of one size and tiles for the whole video`() async throws {
        let folder = try TemporaryFolder()
        let board = try await StoryboardMaker(settings: settings(every: CMTime(value: 2, timescale: 5)))
            .makeStoryboard(of: asset("movie.mov"), at: folder.path("set"))
        #expect(board.tiles.count == 25)
        #expect(board.sheetCount == 3)
        #expect(board.sheetByteCounts.count == 3)
        for (sheet, bytes) in board.sheetByteCounts.enumerated() {
            let path = folder.path("set/\(board.sheetName(sheet))")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == bytes)
        }
        #expect(try await board.tileImages(in: folder.path("set")).count == 25)
    }

    @Test(arguments: [
        ("rotate-90.mp4", 120, 160), ("anamorphic.mp4", 160, 88), ("odd-161x121.webm", 160, 120),
        ("1x1.mp4", 1, 1), ("10bit.mp4", 160, 120),
    ])
    func `Storyboards have tiles of the upright shape, never enlarged`(
        _ film: String, _ width: Int, _ height: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let board = try await StoryboardMaker(settings: StoryboardSettings())
            .makeStoryboard(of: asset(film), at: folder.path("set"))
        #expect(board.tileWidth == width)
        #expect(board.tileHeight == height)
    }

    @Test(arguments: ["audio-only.m4a", "truncated-no-moov.mp4", "empty.mp4", "zero-frames.mp4", "missing.mp4"])
    func `Storyboards of files without video fail and leave nothing`(_ film: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await failure(StoryboardSettings(), film, at: folder.path("set"))
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Storyboards of damaged files fail unless damage is allowed`() async throws {
        let folder = try TemporaryFolder()
        var settings = settings(every: CMTime(value: 1, timescale: 5), isExact: true)
        let failure = try await failure(settings, "truncated.mp4", at: folder.path("set"))
        #expect((failure as? AVError)?.code == .decodeFailed)
        #expect(try folder.contents().isEmpty)
        settings.allowsDamagedPictures = true
        let board = try await StoryboardMaker(settings: settings)
            .makeStoryboard(of: asset("truncated.mp4"), at: folder.path("set"))
        // The file holds whole pictures up to 5.64 s.
        let images = try await board.tileImages(in: folder.path("set"))
        #expect(board.tiles.firstIndex { $0.damage != nil } == 29)
        #expect(board.tiles[29...].allSatisfy { $0.damage != nil })
        #expect(images[29...].allSatisfy { $0.frameNumber == 141 })
        // The picture before stays on screen until the film ends.
        #expect(board.cues.last?.end == board.duration.convertScale(1000, method: .roundTowardPositiveInfinity).value)
    }

    @Test func `Storyboards that are cancelled leave nothing`() async throws {
        let folder = try TemporaryFolder()
        let task = Task {
            try await StoryboardMaker(settings: settings(every: CMTime(value: 1, timescale: 100), isExact: true))
                .makeStoryboard(of: asset("movie.mov"), at: folder.path("set")) { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Storyboards of a file that changes meanwhile fail and leave nothing`() async throws {
        let folder = try TemporaryFolder()
        let film = folder.path("film.mov")
        try FileManager.default.copyItem(atPath: Fixture("movie.mov").path, toPath: film)
        do {
            try await StoryboardMaker(settings: settings(every: CMTime(value: 1, timescale: 1)))
                .makeStoryboard(of: AVURLAsset(url: URL(fileURLWithPath: film)), at: folder.path("set")) { _ in
                    try? FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: film)
                }
            Issue.record("the storyboard was made")
        } catch {
            #expect((error as? FileWriteError)?.reason == "the source was changed meanwhile")
        }
        #expect(try folder.contents() == ["film.mov"])
    }

    @Test func `Storyboards replace nothing but storyboards`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: false)
        let page = folder.path("set/index.html")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: page))
        for replaces in [false, true] {
            let failure = try await failure(
                StoryboardSettings(), "movie.mov", at: folder.path("set"), replaces: replaces)
            #expect((failure as? FileWriteError)?.kind == (replaces ? .cannotCreate : .exists))
        }
        #expect(try String(contentsOfFile: page, encoding: .utf8) == "mine")
        #expect(try folder.contents() == ["set"])
    }

    @Test(arguments: [
        (CMTime(value: 1, timescale: 1_000_000), 10), (CMTime.zero, 10), (CMTime(value: 1, timescale: 100), 600),
    ])
    func `Storyboards refuse settings that ask for too much`(_ interval: CMTime, _ columns: Int) async throws {
        let folder = try TemporaryFolder()
        var settings = settings(every: interval)
        settings.columns = columns
        settings.rows = 1000
        #expect(try await failure(settings, "movie.mov", at: folder.path("set")) is StoryboardSettingsError)
        #expect(try folder.contents().isEmpty)
    }
}
