import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Synchronization
import Testing

/// How a film is coded.
struct SceneCoding: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let options: [String]

    init(_ description: String, _ name: String, _ options: String) {
        testDescription = description
        self.name = name
        self.options = options.split(separator: " ").map(String.init)
    }

    static let all = [
        SceneCoding("H.264 with B-frames", "a.mp4", "-c:v libx264 -preset ultrafast -bf 3 -pix_fmt yuv420p"),
        SceneCoding(
            "H.264, one GOP, cuts within it", "a.mkv",
            "-c:v libx264 -preset ultrafast -bf 3 -g 999 -sc_threshold 0 -pix_fmt yuv420p"),
        SceneCoding(
            "H.264, open GOPs, a pyramid of B-frames", "a.mp4",
            "-c:v libx264 -preset veryfast -bf 5 -x264-params b-pyramid=normal:open-gop=1:keyint=24 -pix_fmt yuv420p"),
        SceneCoding("H.264, transport stream", "a.ts", "-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p"),
        SceneCoding(
            "HEVC of 10 bits", "a.mp4",
            "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le"),
        SceneCoding("MPEG-4 with B-frames in AVI", "a.avi", "-c:v mpeg4 -bf 2 -q:v 3"),
        SceneCoding("VP9", "a.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 1M"),
        SceneCoding("ProRes with alpha", "a.mov", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le"),
        SceneCoding("RGB", "a.mkv", "-c:v ffv1 -pix_fmt bgr0"),
        SceneCoding("packed 4:2:2", "a.nut", "-c:v rawvideo -pix_fmt uyvy422"),
        SceneCoding("GIF", "a.gif", "-c:v gif"),
        SceneCoding("interlaced MPEG-2", "a.mpg", "-c:v mpeg2video -flags +ildct+ilme -bf 2 -q:v 3"),
    ]
}

@Suite(.timeLimit(.minutes(5))) struct `Scenes` {
    private static let shots: [SceneFilm.Shot] = [
        .testCard(41), .color("orange", 33), .fractal(52), .bars(27), .color("navy", 30),
    ]

    @Test(arguments: Tier.some(SceneCoding.all, 4))
    func `Scenes begin exactly where the shots were joined`(_ coding: SceneCoding) async throws {
        let film = try await SceneFilm(Self.shots, name: coding.name, options: coding.options)
        for method in SceneDetectionSettings.Method.allCases {
            let list = try await film.asset.detectScenes(SceneDetectionSettings(method: method))
            #expect(list.scenes.map(\.firstFrame) == [0, 41, 74, 126, 153], "\(method)")
            #expect(list.scenes.map(\.lastFrame) == [40, 73, 125, 152, 182], "\(method)")
            #expect(list.frameCount == 183)
            #expect(list.damagedFrameCount == 0)
            #expect(list.truncation == nil)
            for scene in list.scenes.dropFirst() {
                // MKV, NUT and GIF count in milliseconds or hundredths.
                let exact = Double(scene.firstFrame) / 25
                #expect(abs(scene.timeRange.start.seconds - exact) < 0.0051, "\(method)")
                #expect(scene.opening == .cut)
                #expect(scene.score > 12)
            }
            for (scene, next) in zip(list.scenes, list.scenes.dropFirst()) {
                #expect(scene.timeRange.end == next.timeRange.start)
            }
        }
    }

    @Test func `Scenes have exact times where frames last unequally long`() async throws {
        // 30 frames of 40 ms, then 30 frames of 120 ms but for the last one, which versions of ffmpeg let last for 40 ms
        // or for a tick.
        let film = try await SceneFilm(
            [.testCard(30), .bars(30)],
            filter: "settb=1/600,setpts='if(lt(N\\,30)\\,N*24\\,720+(N-30)*72)'",
            options: ["-fps_mode", "vfr", "-c:v", "libx264", "-preset", "ultrafast", "-video_track_timescale", "600"])
        let scenes = try await film.asset.detectScenes().scenes
        #expect(scenes.map(\.firstFrame) == [0, 30])
        #expect(scenes.last?.timeRange.start == CMTime(value: 720, timescale: 600))
        #expect(scenes.last?.timeRange.start.timescale == 600)
        let probe = ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", film.asset.url.path]
        let end = try #require(Int64(try await CommandRun.run("ffprobe", probe).output.filter(\.isNumber)))
        #expect(end > 720 + 29 * 72)
        #expect(scenes.last?.middle == CMTime(value: 720 + end, timescale: 1200))
    }

    @Test func `Frames that an edit list hides do not count in scenes`() async throws {
        let film = try await SceneFilm([.bars(20), .testCard(60), .color("orange", 30)]).startingAt("1.2")
        // The first join lies in the 30 frames that are hidden; the second one is frame 80 of the whole.
        let list = try await film.asset.detectScenes()
        #expect(list.frameCount == 80)
        #expect(list.scenes.map(\.firstFrame) == [0, 50])
        #expect(list.scenes.last?.timeRange.start == CMTime(value: 2, timescale: 1))
    }

    @Test func `A flash does not end a scene`() async throws {
        for enabled in ["eq(n\\,40)", "between(n\\,40\\,43)"] {
            let film = try await SceneFilm(
                [.testCard(100)], filter: "drawbox=t=fill:c=white:enable='\(enabled)'")
            for method in SceneDetectionSettings.Method.allCases {
                let list = try await film.asset.detectScenes(SceneDetectionSettings(method: method))
                #expect(list.scenes.map(\.firstFrame) == [0], "\(method)")
            }
        }
    }

    @Test func `A shot shorter than the least length belongs to the one before`() async throws {
        let film = try await SceneFilm([.testCard(40), .color("orange", 10), .bars(40)])
        #expect(try await film.asset.detectScenes().scenes.map(\.firstFrame) == [0, 40])
        let short = SceneDetectionSettings(minimumLength: CMTime(value: 1, timescale: 25))
        #expect(try await film.asset.detectScenes(short).scenes.map(\.firstFrame) == [0, 40, 50])
    }

    @Test func `A fade through black ends a scene within the black`() async throws {
        let film = try await SceneFilm([
            .testCard(75, filter: "hue=s=0.2,fade=out:14:60"), .color("black", 20),
            .fractal(75, filter: "hue=s=0.2,fade=in:0:60"),
        ])
        let scenes = try await film.asset.detectScenes().scenes
        try #require(scenes.count == 2)
        #expect((75..<95).contains(scenes[1].firstFrame))
        #expect(scenes[1].opening == .fade)
    }

    @Test func `A slow dissolve, a video that begins in black and one without cuts are one scene`() async throws {
        let dissolve = try await SceneFilm(
            [.testCard(150)],
            filter: "split[a][b];[b]hue=h=180[c];[a][c]blend=all_expr='A*(1-min(N/149,1))+B*min(N/149,1)'")
        #expect(try await dissolve.asset.detectScenes().scenes.count == 1)
        let fromBlack = try await SceneFilm([.color("black", 20), .testCard(90, filter: "hue=s=0.2,fade=in:0:75")])
        #expect(try await fromBlack.asset.detectScenes().scenes.count == 1)
        let scenes = try await Fixture("movie.mp4").asset.detectScenes().scenes
        try #require(scenes.count == 1)
        #expect(scenes[0].timeRange == CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 1)))
        #expect((scenes[0].firstFrame, scenes[0].lastFrame) == (0, 249))
        #expect((scenes[0].score, scenes[0].opening) == (0, .start))
    }

    @Test func `Damage ends no scene, and is reported`() async throws {
        let film = try await SceneFilm(
            [.testCard(200)],
            options: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"])
        try film.damage(at: 0.3, count: 3000)
        for method in SceneDetectionSettings.Method.allCases {
            let list = try await film.asset.detectScenes(SceneDetectionSettings(method: method))
            #expect(list.damagedFrameCount > 0)
            #expect(list.scenes.count == 1, "\(method)")
        }
    }

    @Test(arguments: Tier.some(Fixture.video, 16))
    func `Every frame that is shown is counted in a scene`(_ fixture: Fixture) async throws {
        let list = try await fixture.asset.detectScenes()
        #expect(list.frameCount == (try Sidecar.load(fixture).frames?.count))
        #expect(list.scenes.last?.lastFrame == list.frameCount - 1)
        let first = try #require(try Sidecar.load(fixture).frames).count
        #expect(first > 0)
    }

    @Test func `One frame is one scene`() async throws {
        let list = try await Fixture("one-frame.mp4").asset.detectScenes()
        #expect(list.scenes.map(\.lastFrame) == [0])
        #expect(list.scenes.allSatisfy { $0.timeRange.duration > .zero })
    }

    @Test func `Scenes of a file without video are an error`() async {
        await #expect(throws: AVError.self) { try await Fixture("audio-only.m4a").asset.detectScenes() }
    }

    @Test func `Scene detection stops soon when its task is cancelled`() async throws {
        let film = try await SceneFilm([.testCard(3000)])
        let asset = film.asset
        let reached = Mutex(0.0)
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await asset.detectScenes { fraction in
                reached.withLock { $0 = max($0, fraction) }
                continuation.yield()
            }
        }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(reached.withLock { $0 } < 0.9)
    }
}
