import Foundation
import OpenAVFoundation
import Testing

private final class Watcher: ThumbnailStripDelegate, AssetKeyLoaderObserver, @unchecked Sendable {
    let finished = Box<[Error]>()
    let state = Box<AssetKeyLoader.State>()
    var indices: Set<Int> = []

    func strip(_ strip: ThumbnailStrip, didGenerate image: CGImage, at index: Int) { indices.insert(index) }
    func stripDidFinish(_ strip: ThumbnailStrip, failures: [Error]) { finished.set(failures) }

    func loader(_ loader: AssetKeyLoader, didChange state: AssetKeyLoader.State) {
        if case .loading = state { return }
        self.state.set(state)
    }
}

@Suite(.timeLimit(.minutes(5))) struct PictureProgramTests {
    // A picture every 2.5 s; of 25 a second each lasts 0.04 s from a multiple of it.
    @Test("A client's strip of thumbnails comes in order with its times") func stripsOfThumbnails() async throws {
        let strip = ThumbnailStrip(asset: AVAsset(url: fixture("movie.mov")))
        let watcher = Watcher()
        strip.delegate = watcher
        #expect(strip.thumbnailCount(forWidth: 320, height: 60) == 4)
        strip.generate(count: 4, height: 60)
        #expect(try await watcher.finished.wait().isEmpty && watcher.indices == [0, 1, 2, 3])
        #expect(strip.images.compactMap { $0?.width } == [80, 80, 80, 80])
        #expect(strip.actualTimes.map { $0.seconds } == [0, 2.48, 5, 7.48])
    }

    @Test(
        "A client's picker reports the size and orientation of a video",
        arguments: [
            // The sizes and angles of the fixtures' table, which are ffprobe's too.
            ("movie.mp4", 320.0, 240.0, VideoOrientation.landscapeRight, 0),
            ("rotate-90.mp4", 120, 160, .portrait, 90), ("rotate-180.mp4", 160, 120, .landscapeLeft, 180),
            ("rotate-270.mp4", 120, 160, .portraitUpsideDown, -90),
        ])
    func pickedVideos(name: String, width: Double, height: Double, orientation: VideoOrientation, angle: Int)
        async throws
    {
        let box = Box<(VideoPicker.PickedVideo?, [VideoPicker.Problem])>()
        VideoPicker().pick(fixture(name)) { box.set(($0, $1)) }
        let (video, problems) = try await box.wait()
        #expect(video?.size == CGSize(width: width, height: height) && problems.isEmpty)
        #expect(video?.orientation == orientation && video?.angle == angle)
        #expect(
            video?.fittingRect.size
                == CGSize(width: min(300, 300 * width / height), height: min(300, 300 * height / width)))
    }

    @Test("A client's picker refuses videos that exceed its limits") func refusedVideos() async throws {
        let picker = VideoPicker()
        picker.limits = VideoPicker.Limits(maximumDuration: 4, maximumBytes: 1000, minimumSide: 300)
        for (name, expected) in [
            ("movie.mp4", [.tooLong(by: 6), .tooBig(125_703), .tooSmall(CGSize(width: 320, height: 240))]),
            ("audio-only.m4a", [.noPicture]), ("text.mp4", [.notReadable]),
        ] as [(String, [VideoPicker.Problem])] {
            let box = Box<[VideoPicker.Problem]>()
            picker.pick(fixture(name)) { box.set($1) }
            #expect(try await box.wait() == expected, "\(name)")
        }
    }

    @Test("A client's loader reports its keys before playing") func keysBeforePlaying() async throws {
        for (name, expected) in [("movie.mp4", "10.0 s, 3"), ("text.mp4", "playable -11828")] {
            let loader = AssetKeyLoader(callbackQueue: DispatchQueue(label: "callbacks"))
            let watcher = Watcher()
            loader.addObserver(watcher)
            loader.open(fixture(name))
            switch try await watcher.state.wait() {
            case .ready(let duration, let count): #expect("\(duration) s, \(count)" == expected)
            case .failed(let key, let error): #expect("\(key) \(error?.code ?? 0)" == expected)
            default: Issue.record("\(name)")
            }
        }
    }

    @Test("A client's extensions of assets give size, rate and images") func extensionsOfClients() throws {
        let asset = AVURLAsset(url: fixture("movie.mp4"))
        #expect(asset.g_size == CGSize(width: 320, height: 240) && asset.g_frameRate == 25)
        #expect(abs(asset.g_fileSize * 1024 - 125_703) < 0.5 && !asset.g_isPortrait)
        #expect(AVAsset(url: fixture("rotate-90.mp4")).g_isPortrait)
        let image = try #require(asset.g_screenshot(at: 2, maxSize: 160))
        #expect((image.width, image.height) == (160, 120))
        #expect(asset.g_screenshot(at: -9) == nil && asset.g_silence(after: .zero) == nil)
        // Sound of 3.861 s beside pictures until 4 s, says ffprobe.
        let silence = try #require(AVAsset(url: fixture("edit-list-empty.mp4")).g_silence(after: .zero))
        #expect(abs(silence.duration.seconds - 0.139) < 0.001)
        // ffprobe's bit_rate is 44990.
        let track = try #require(asset.tracks(withMediaType: .video).first)
        #expect(track.g_summary == "avc1 320x240 25.00 fps 45 kbit/s" && track.g_correctTransform.a == 0.5)
        #expect(CMTime(seconds: 3725.4, preferredTimescale: 600).g_positionalTime == "1:02:05")
        #expect(CMTime.indefinite.g_positionalTime == "-:--" && asset.duration.g_positionalTime == "0:10")
        #expect(CMTimeMake(value: 1, timescale: 3).g_rounded(to: 100).value == 33)
        #expect(
            CMTimeRange(start: .zero, end: asset.duration).g_split(into: 4).map { $0.start.seconds } == [
                0, 2.5, 5, 7.5,
            ])
    }

    @Test("A client's printer of timecodes and its stepper agree with SMPTE") func timecodesAndSteps() throws {
        let film = CMTimeMake(value: 1, timescale: 25)
        let video = CMTimeMake(value: 1001, timescale: 30_000)
        #expect(CMTime(seconds: 3661.48, preferredTimescale: 600).timecode(frameDuration: film) == "01:01:01:12")
        // SMPTE 12M: frame 1799 is the last before the two dropped numbers, 17982 begins the tenth minute.
        #expect((video * 1799).timecode(frameDuration: video, dropFrame: true) == "00:00:59;29")
        #expect((video * 1800).timecode(frameDuration: video, dropFrame: true) == "00:01:00;02")
        #expect((video * 17_982).timecode(frameDuration: video, dropFrame: true) == "00:10:00;00")
        #expect(CMTime.invalid.timecode(frameDuration: film) == "--:--:--:--" && (film / 2).seconds == 0.02)
        let track = try #require(AVAsset(url: fixture("movie.mp4")).tracks(withMediaType: .video).first)
        let stepper = try #require(FrameStepper(track: track))
        #expect(stepper.frameCount == 250)
        #expect(
            stepper.step(by: 3).seconds == 0.12 && stepper.step(by: -9) == .zero
                && stepper.step(by: 999).seconds == 9.96)
        let mappings = stepper.mappings(speeds: [(2, 1), (4, 2), (99, 0.5)])
        #expect(mappings.map { $0.target.end.seconds } == [2, 4, 12])
        let time = CMTimeMake(value: 3, timescale: 1)
        #expect(FrameStepper.sourceTime(for: time, in: mappings)?.seconds == 4)
        #expect(FrameStepper.sourceTime(for: CMTimeMake(value: 13, timescale: 1), in: mappings) == nil)
    }

    @Test("A client's catalogue of assets finds its entries and evicts them") func catalogues() throws {
        let catalogue = MediaCatalogue()
        let asset = RemoteAsset(assetID: "a1", url: fixture("movie.mp4"))
        let other = AVURLAsset(url: fixture("languages.mp4"))
        #expect(
            catalogue.entry(for: asset).duration?.seconds == 10 && catalogue.entry(for: asset).trackIDs == [1, 2, 3])
        #expect(catalogue.entry(for: other).trackIDs == [1, 2, 3, 4, 5] && catalogue.misses == 2)
        #expect(catalogue.poster(for: asset)?.width == 320 && catalogue.asset(withID: "a1") === asset)
        #expect(catalogue.fileNames == ["movie.mp4", "languages.mp4"] && "\(asset)" == "<RemoteAsset a1>")
        catalogue.evict { $0.assetID == "a1" }
        #expect(catalogue.fileNames == ["languages.mp4"])
    }

    @Test("A client's alerts follow the codes of errors") func alerts() {
        let presenter = ErrorPresenter()
        func alert(_ name: String, _ seconds: Double = 0) -> Alert? {
            presenter.present { _ = try presenter.poster(of: fixture(name), at: seconds) }
        }
        #expect(alert("movie.mp4") == nil)
        #expect(alert("movie.mp4", 99)?.title == "There is no picture there.")
        #expect(alert("text.mp4") == Alert(title: "This is not a video.", canRetry: false, debug: "av -11828"))
        #expect(alert("truncated-no-moov.mp4")?.title == "The video is damaged.")
        #expect(presenter.present { throw AVError(.operationCancelled) } == nil)
        #expect(presenter.present { throw AVError(.diskFull) }?.canRetry == true)
        #expect(presenter.log.count == 4)
    }
}
