import Foundation
import OpenAVFoundation
import TestSupport
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }

/// A folder of a test's own, removed with this object.
private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("clients-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Entries as ffprobe shows them, one a line.
private func probe(_ url: URL, _ entries: String) throws -> [String] {
    let words = ["-v", "error", "-show_entries", entries, "-of", "default=nw=1:nk=1", url.path]
    return try CommandRun.runBlocking("ffprobe", words).output.split(separator: "\n").map(String.init)
}

@Suite(.timeLimit(.minutes(5))) struct `Programs of clients` {
    @Test func `Client programs keep frames in an actor`() async throws {
        let cache = FrameCache(asset: AVURLAsset(url: fixture("movie.mov")), limit: 3)
        // Frames last 0.04 s; the film ends at 10 s.
        #expect(await cache.preload([seconds(0), seconds(1.03), seconds(99)]) == [seconds(99)])
        let frame = try await cache.frame(at: seconds(1.03))
        #expect(frame.time.seconds == 1 && (frame.image.width, frame.image.height) == (160, 120))
        #expect(await cache.hits == 1)
        for time in [4, 5, 6] { #expect(try await cache.frame(at: seconds(Double(time))).time.seconds == Double(time)) }
        #expect(await cache.count == 3)
    }

    @MainActor @Test func `Client programs show posters on the main actor`() async {
        let model = PosterModel()
        var count = 0
        model.onChange = { _ in count += 1 }
        model.show(fixture("movie.mp4"), at: 0.5)
        await model.wait()
        guard case .loaded(let image, let caption) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect((image.width, image.height) == (320, 240) && caption == "Counting bars, 10 s" && count == 2)
        model.show(fixture("text.mp4"), at: 0)
        await model.wait()
        guard case .failed(let text) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(text == "AVError -11828")
    }

    @Test func `Client programs export with progress in a stream`() async throws {
        let folder = try Folder()
        let service = ExportService(preset: AVAssetExportPreset640x480, fileType: .mp4)
        let asset = AVURLAsset(url: fixture("movie.mov"))
        let range = CMTimeRange(start: seconds(2), duration: seconds(3))
        var fractions: [Double] = []
        var file: (URL, Int)?
        for try await event in service.events(for: asset, range: range, to: folder.url.appendingPathComponent("a.mp4"))
        {
            switch event {
            case .progress(let fraction): fractions.append(fraction)
            case .finished(let url, let bytes): file = (url, bytes)
            }
        }
        #expect(fractions == fractions.sorted() && fractions.allSatisfy { (0...1).contains($0) })
        let (url, bytes) = try #require(file)
        #expect(try probe(url, "format=size") == ["\(bytes)"])
        let length = try #require(try probe(url, "format=duration").first.flatMap(Double.init))
        #expect(abs(length - 3) < 0.05)
        let unknown = ExportService(preset: "nothing", fileType: .mp4)
        await #expect(throws: ExportService.Failure.presetUnavailable("nothing")) {
            for try await _ in unknown.events(for: asset, to: url) {}
        }
    }

    @Test func `Client programs walk over chapters and cut them out`() async throws {
        let folder = try Folder()
        let asset = AVURLAsset(url: fixture("movie.mov"))
        let navigator = try await ChapterNavigator(asset: asset)
        // ffprobe: Opening from 0 s, Middle from 3 s, Ending from 7 s to 10 s.
        #expect(navigator.chapters.map(\.title) == ["Opening", "Middle", "Ending"])
        #expect(navigator.chapter(at: seconds(6.9))?.id == 1 && navigator.chapter(at: seconds(10)) == nil)
        #expect(navigator.previous(from: seconds(4)).seconds == 0 && navigator.previous(from: seconds(6)).seconds == 3)
        #expect(navigator.next(from: seconds(3))?.seconds == 7 && navigator.next(from: seconds(8)) == nil)
        let files = try await navigator.split(asset, into: folder.url)
        for (title, expected) in [("Opening", 3.0), ("Middle", 4), ("Ending", 3)] {
            let url = try #require(files[title])
            let length = try #require(try probe(url, "format=duration").first.flatMap(Double.init))
            #expect(abs(length - expected) < 0.05, "\(title)")
        }
    }

    @Test func `Client programs scan folders`() async throws {
        let folder = try Folder()
        let names = ["audio-only.flac", "movie.mp4", "rotate-90.mp4", "text.mp4"]
        for name in names + ["README.md"] {
            try FileManager.default.copyItem(at: fixture(name), to: folder.url.appendingPathComponent(name))
        }
        let scanner = MediaScanner()
        let urls = try scanner.candidates(in: folder.url)
        #expect(urls.map(\.lastPathComponent).sorted() == names)
        let files = await scanner.scan(urls)
        #expect(files.map(\.kind) == [.song, .film, .film, .unreadable] && files.map(\.name) == names)
        // ffprobe's durations.
        #expect(files.map(\.seconds) == [1, 10, 0.32, 0])
        #expect(files[1].codecs.count == 2 && files[1].codecs[0].contains("avc1"))
    }

    @Test func `Client programs load anything that has properties`() async throws {
        let asset = AVURLAsset(url: fixture("languages.mp4"))
        #expect(!asset.isLoaded(.duration) && asset.stateName(of: .duration) == "not yet")
        #expect(try await withTimeout(.seconds(100)) { try await asset.load(.duration) }.seconds == 3)
        #expect(asset.isLoaded(.duration) && asset.stateName(of: .duration) == "loaded")
        let tracks = await asset.value(of: .tracks, default: [])
        // ffprobe's languages.
        let languages = try await loadAll(tracks) { try await $0.load(.languageCode) }
        #expect(languages == [nil, "eng", "deu", "fra", "deu"] || languages == ["und", "eng", "deu", "fra", "deu"])
        #expect(try await loadAll(tracks) { try await $0.load(.timeRange) }.first?.duration.seconds == 3)
        let text = AVURLAsset(url: fixture("text.mp4"))
        #expect(await text.value(of: .duration, default: .indefinite).isIndefinite)
        #expect(text.stateName(of: .duration) == "failed -11828")
        await #expect(throws: TimedOut.self) {
            try await withTimeout(.milliseconds(20)) { try await Task.sleep(for: .seconds(100)) }
        }
    }

    @Test(arguments: [
        // ffprobe's sizes, ratios, rates and codecs.
        ("movie.mp4", ["10.00", "320 × 240 at 25.00", "H.264", "AAC 48000 Hz 2 channels"]),
        ("anamorphic.mp4", ["1.00", "360 × 288 at 25.00", "H.264", "524 × 288"]),
        ("bt709-tagged.mp4", ["1.00", "320 × 240 at 25.00", "H.264", "ITU_R_709_2"]),
        ("audio-only.flac", ["1.00", "FLAC 48000 Hz 2 channels"]),
    ])
    func `Client programs inspect formats`(_ name: String, _ expected: [String]) async throws {
        let lines = try await FormatInspector().lines(for: AVURLAsset(url: fixture(name)))
        #expect(lines.map(\.value) == expected)
    }

    @Test func `Client programs measure the brightness of frames`() async throws {
        let meter = BrightnessMeter(asset: AVURLAsset(url: fixture("movie.mp4")))
        let found = try await meter.measure(from: CMTime(value: 1, timescale: 1), seconds: 2)
        #expect(found.count == 50)
        #expect(found.first?.time == CMTime(value: 1, timescale: 1))
        #expect(found.allSatisfy { (16...235).contains($0.mean) })
    }

    @Test func `Client programs record drawings as a video`() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("drawn.mp4")
        let recorder = try DrawingRecorder(url: url, width: 64, height: 48, framesPerSecond: 10)
        let shades: [UInt8] = [0, 40, 80, 120, 160, 200, 240]
        try await recorder.record(shades)
        #expect(try probe(url, "stream=codec_name,width,height,nb_frames") == ["h264", "64", "48", "7"])
        let times = try probe(url, "frame=pts_time").compactMap { Double($0) }
        #expect(times == (0..<7).map { Double($0) / 10 })
        let means = try await BrightnessMeter(asset: AVURLAsset(url: url)).measure(from: .zero, seconds: 1).map(\.mean)
        for (mean, shade) in zip(means, shades) { #expect(abs(mean - (16 + Double(shade) * 219 / 255)) < 3) }
    }

    @Test func `Client programs transcode by samples`() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("small.mp4")
        try await SampleTranscoder(asset: AVURLAsset(url: fixture("movie.mp4"))).transcode(to: url, bitRate: 100_000)
        #expect(try probe(url, "stream=codec_name") == ["h264", "aac"])
        #expect(try probe(url, "stream=nb_frames").first == "250")
    }

    @Test func `Client programs show the loudness of audio`() async throws {
        let peaks = try await LoudnessReader(asset: AVURLAsset(url: fixture("movie.mp4"))).peaks(samplesPerPeak: 4800)
        #expect((99...101).contains(peaks.count))
        #expect(peaks.contains { $0 > 1000 })
    }

    @Test func `Client programs halve an audio file`() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("half.wav")
        let (frames, rate) = try halve(fixture("audio-only.flac"), to: url)
        let written = try probe(url, "stream=sample_rate,duration_ts")
        #expect(written == ["\(Int(rate))", "\(frames / 2)"])
    }

    @Test func `Client programs write and find the still of a live photo`() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("live.mov")
        let writer = LivePhotoWriter(source: AVURLAsset(url: fixture("movie.mov")), identifier: "ABC-123")
        try await writer.write(to: url, stillAt: CMTime(value: 5, timescale: 2))
        #expect(try await LivePhotoReader(film: AVURLAsset(url: url)).stillTime()?.seconds == 2.5)
        #expect(try probe(url, "stream=codec_tag_string").contains("mebx"))
        let items = try await AVURLAsset(url: url).load(.metadata)
        #expect(items.contains { $0.stringValue == "ABC-123" })
    }

    @Test func `Client programs transcode by providers and receivers`() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("small.mp4")
        let count = try await AwaitedTranscoder(source: AVURLAsset(url: fixture("movie.mov")))
            .transcode(to: url, width: 80, height: 60)
        #expect(count == 250)
        #expect(try probe(url, "stream=width,height,nb_frames") == ["80", "60", "250"])
    }
}
