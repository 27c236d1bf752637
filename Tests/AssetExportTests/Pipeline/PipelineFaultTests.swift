import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Synchronization
import Testing

@testable import AssetExport
@testable import MediaEngine

@Suite(.timeLimit(.minutes(10))) struct `Damage in the source` {
    private func reason(_ c: PipelineCase) throws -> String {
        let folder = try TemporaryFolder()
        do {
            _ = try c.run(to: folder.path("out"))
            return ""
        } catch let error as AVError {
            return error.reason
        }
    }

    @Test func `Damage in the source is an error that names the time`() throws {
        let reason = try reason(PipelineCase(Fixture("damaged.mp4")))
        // Frame 134 of 25 a second is broken, those up to 149 are built on it; a
        // decoder with threads tells a little late or early.
        let time = reason.split(separator: " ").compactMap { Double($0) }.first ?? .nan
        #expect(reason.hasPrefix("damaged at"))
        #expect((5...6).contains(time), "\(reason)")
    }

    @Test func `Damage in the source is counted if it is allowed`() throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("damaged.mp4"))
        c.allowsDamage = true
        let result = try c.run(to: folder.path("out.mp4"))
        #expect(result.tracks[0].damagedFrames > 0)
        #expect(result.tracks[0].frames == 250)
        #expect(result.earlyEnd == nil)
    }

    @Test(arguments: [(0, 5), (6.1, 9)])
    func `Damage in the source outside the range is ignored`(start: Double, end: Double) throws {
        #expect(try reason(PipelineCase(Fixture("damaged.mp4"), seconds(start)..<seconds(end))) == "")
    }

    @Test(arguments: [PipelineCase.Video.copy, .encode])
    func `Packets lost in transmission are damage in the source`(video: PipelineCase.Video) throws {
        var c = PipelineCase(Fixture("damaged.ts"))
        (c.video, c.sound) = (video, .none)
        #expect(try reason(c).hasSuffix("a packet is incomplete"))
    }

    @Test(arguments: [PipelineCase.Video.copy, .encode])
    func `A truncated source is damage in the source`(video: PipelineCase.Video) throws {
        let folder = try TemporaryFolder()
        for name in ["movie.mp4", "cues.mkv", "vp9.webm", "h264.flv", "h264.avi", "audio-only.mp3"] {
            // A movie's index comes first where it is made for the network.
            let path = folder.path(name)
            let source = name == "movie.mp4" ? Fixture("truncated.mp4") : Fixture(name)
            let whole = try Data(contentsOf: source.url)
            try (name == "movie.mp4" ? whole : whole.prefix(whole.count * 6 / 10)).write(to: URL(fileURLWithPath: path))
            var c = PipelineCase(path, to: "matroska")
            (c.video, c.refusesTornEnds) = (video, true)
            #expect(try reason(c) != "", "\(name)")
            (c.allowsDamage, c.refusesTornEnds) = (true, false)
            let result = try c.run(to: folder.path("out.mkv"))
            #expect(result.earlyEnd != nil || result.tracks.contains { $0.damagedFrames > 0 }, "\(name)")
            #expect(result.tracks.allSatisfy { $0.packets > 10 }, "\(name)")
        }
    }

    @Test(arguments: [
        "movie.mp4", "cues.mkv", "no-cues.mkv", "vp8.webm", "h264.flv", "h264.avi", "wmv2.asf", "audio-only.mp3",
        "audio-only.flac", "h264-cut.ts", "fragmented.mp4", "fragmented-sidx.mp4", "zero-frames.mp4", "theora.ogv",
    ])
    func `Damage in the source is not reported where there is none`(name: String) throws {
        #expect(try reason(PipelineCase(Fixture(name), to: "matroska")) == "")
    }

    @Test func `A source that changes while it is read is an error`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("source.mp4")
        try FileManager.default.copyItem(atPath: Fixture("movie.mp4").path, toPath: path)
        let pipeline = try PipelineCase(path).makePipeline()
        let sink = try FileSink(folder.path("out.mp4")) {
            let handle = FileHandle(forUpdatingAtPath: path)
            _ = try? handle?.seekToEnd()
            try? handle?.write(contentsOf: Data([0]))
        }
        #expect { try pipeline.run(into: sink) } throws: { error in
            (error as? AVError)?.reason == "the file changed while it was read"
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A pipeline that is stopped` {
    @Test(arguments: [0, 1, 1000, 60_000]) func `A pipeline fails with what its sink threw`(limit: Int) throws {
        let folder = try TemporaryFolder()
        let pipeline = try PipelineCase(Fixture("movie.mp4")).makePipeline()
        let sink = try FileSink(folder.path("out.mp4"), limit: limit)
        #expect(throws: FileSink.Full(limit: limit)) { try pipeline.run(into: sink) }
    }

    @Test(arguments: [PipelineCase.Video.copy, .encode])
    func `A pipeline that its owner cancels throws a CancellationError`(video: PipelineCase.Video) throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("movie.mp4"))
        c.video = video
        let pipeline = try c.makePipeline()
        let sink = try FileSink(folder.path("out.mp4")) { pipeline.cancel() }
        #expect(throws: CancellationError.self) { try pipeline.run(into: sink) }
        let another = try c.makePipeline()
        another.cancel()
        #expect(throws: CancellationError.self) { try another.run(into: FileSink(folder.path("out.mp4"))) }
    }

    @Test func `A pipeline stops soon at any moment, in the first pass as in the second`() throws {
        let folder = try TemporaryFolder()
        for delay in [0, 5, 20, 60, 120, 250] {
            var c = PipelineCase(Fixture("movie.mp4"))
            c.isTwoPass = true
            c.temporaryDirectory = folder.path
            c.adjust = {
                $0.options = ["preset": "slow"]
                $0.bitRate = 300_000
            }
            let pipeline = try c.makePipeline()
            let cancelled = Mutex(ContinuousClock.now)
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: Double(delay) / 1000)
                cancelled.withLock { $0 = .now }
                pipeline.cancel()
            }
            #expect(throws: CancellationError.self) { try pipeline.run(into: FileSink("/dev/null")) }
            #expect(cancelled.withLock { .now - $0 } < .seconds(5))
        }
        #expect(try folder.contents() == [])
    }

    @Test func `A pipeline names a stream that does not exist, and a container that cannot hold one`() throws {
        let asset = AssetSource(path: Fixture("movie.mp4").path, policy: SafetyPolicy(), prefersPreciseDuration: false)
        func run(stream: Int, format: String) throws {
            let track = PipelineJob.Track(stream: stream, treatment: .passthrough, traits: StreamTraits())
            let job = PipelineJob(tracks: [track], format: try ContainerFormat(Container(rawValue: format)))
            _ = try Pipeline(job, source: asset).run(into: FileSink("/dev/null"))
        }
        #expect(throws: AVError.self) { try run(stream: 17, format: "mp4") }
        #expect { try run(stream: 0, format: "webm") } throws: { error in
            (error as? AVError)?.reason == "webm cannot hold the codec h264"
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Two passes` {
    @Test(arguments: ["libx264", "libx265"])
    func `Two passes come near the bit rate and leave nothing behind`(encoder: String) throws {
        let folder = try TemporaryFolder()
        let temporary = folder.path("temporary")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
        var c = PipelineCase(Fixture("movie.mp4"), to: "mp4", seconds(2)..<seconds(8))
        c.sound = .none
        c.isTwoPass = true
        c.temporaryDirectory = temporary
        c.adjust = { settings in
            settings.name = encoder
            settings.options = ["preset": "ultrafast"]
            settings.bitRate = 80_000
        }
        let passes = Mutex<Set<Int>>([])
        let result = try c.makePipeline().run(into: FileSink(folder.path("out.mp4"))) { progress in
            passes.withLock { _ = $0.insert(progress.pass) }
        }
        #expect(result.tracks[0].frames == 150)
        let rate = Double(result.tracks[0].byteCount) * 8 / 6
        #expect((60_000...100_000).contains(rate), "\(rate)")
        #expect(passes.withLock { $0.isSubset(of: [1, 2]) })
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The progress of a pipeline` {
    @Test func `The progress of a pipeline rises to the end`() throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("movie.mp4"), to: "mp4", seconds(1)..<seconds(9))
        c.adjust = { $0.options = ["preset": "medium"] }
        let reports = Mutex<[PipelineProgress]>([])
        let result = try c.makePipeline().run(into: FileSink(folder.path("out.mp4"))) { progress in
            reports.withLock { $0.append(progress) }
        }
        let all = reports.withLock { $0 }
        for (earlier, later) in zip(all, all.dropFirst()) {
            #expect(earlier.time <= later.time && earlier.frames <= later.frames)
            #expect(earlier.byteCount <= later.byteCount)
        }
        #expect(all.allSatisfy { $0.time <= seconds(8.1) && $0.frames <= 200 && $0.pass == 1 })
        let size = try FileManager.default.attributesOfItem(atPath: folder.path("out.mp4"))[.size] as? Int
        #expect(result.byteCount == UInt64(size ?? 0))
    }
}
