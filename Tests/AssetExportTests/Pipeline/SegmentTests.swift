import FFmpegKit
import Foundation
import MediaCore
import MediaTestSupport
import Synchronization
import Testing

@testable import AssetExport
@testable import MediaEngine

@Suite struct `Segments of a film` {
    @Test(arguments: [
        (5.0, 40.0, 8), (5, 44.9, 8), (5, 45, 9), (5, 4, 1), (5, 0, 1), (0.5, 1.75, 3), (7, 6.9, 1),
    ])
    func `Segments are as long as was asked for, the last one less than twice that`(
        length: Double, duration: Double, count: Int
    ) throws {
        let segments = try #require(PictureSegments(length: seconds(length), duration: seconds(duration)))
        #expect(segments.count == count)
        #expect(segments.end(of: count - 1) == nil)
        for index in 0..<count {
            #expect(segments.start(of: index) == seconds(length * Double(index)))
            if index + 1 < count { #expect(segments.end(of: index) == segments.start(of: index + 1)) }
        }
    }

    @Test func `Segments need a finite length, and are limited in number`() {
        #expect(PictureSegments(length: .zero, duration: seconds(1)) == nil)
        #expect(PictureSegments(length: seconds(1), duration: .indefinite) == nil)
        #expect(PictureSegments(length: .positiveInfinity, duration: seconds(1)) == nil)
        #expect(PictureSegments(length: seconds(0.001), duration: seconds(1e6)) == nil)
    }

    /// 29.97 pictures a second: the 150th comes at 5.005 s.
    @Test func `Every tick lies in one segment`() throws {
        let segments = try #require(PictureSegments(length: seconds(5), duration: seconds(16)))
        let base = TimeBase(numerator: 1001, denominator: 30_000)
        let windows = (0..<3).map { SegmentWindow($0, of: segments, base) }
        for ticks in Int64(-3)...600 {
            #expect(windows.count { $0.contains(ticks) } == 1, "\(ticks)")
        }
        #expect(windows[1].start == 150)
        #expect(windows[2].start == 300)
        #expect(windows[2].contains(100_000))
    }
}

@Suite struct `The packets of segments` {
    /// Keeps what it gets, and lets a test see it.
    private final class Outlet: PacketOutlet {
        let events = Mutex<[String]>([])

        func send(_ packet: Packet, of segment: Int) { events.withLock { $0.append("\(segment)") } }
        func finish(_ segment: Int) { events.withLock { $0.append("\(segment).") } }
    }

    private let outlet = Outlet()
    private let cancellation = Cancellation()

    private func packet() throws -> Packet {
        let demuxer = try AssetPackets.demuxer(Fixture("movie.mp4"))
        return try #require(try demuxer.readPacket())
    }

    @Test func `Packets of segments come in order, those of the first one at once`() throws {
        let relay = SegmentRelay(first: 0, outlet: outlet, cancellation: cancellation)
        let packet = try packet()
        try relay.send(packet, of: 1)
        try relay.send(packet, of: 0)
        #expect(outlet.events.withLock { $0 } == ["0"])
        try relay.send(packet, of: 2)
        try relay.finish(2)
        try relay.send(packet, of: 1)
        try relay.send(packet, of: 0)
        try relay.finish(0)
        #expect(outlet.events.withLock { $0 } == ["0", "0", "0.", "1", "1"])
        try relay.send(packet, of: 1)
        try relay.finish(1)
        #expect(outlet.events.withLock { $0 } == ["0", "0", "0.", "1", "1", "1", "1.", "2", "2."])
    }

    @Test func `Packets of segments come in order whichever thread is the fastest`() throws {
        let relay = SegmentRelay(first: 0, outlet: outlet, cancellation: cancellation)
        let packet = try packet()
        DispatchQueue.concurrentPerform(iterations: 24) { segment in
            for _ in 0..<50 { try? relay.send(packet, of: segment) }
            try? relay.finish(segment)
        }
        let expected = (0..<24).flatMap { Array(repeating: "\($0)", count: 50) + ["\($0)."] }
        #expect(outlet.events.withLock { $0 } == expected)
    }

    @Test func `Packets of segments are refused when everything stops`() throws {
        let relay = SegmentRelay(first: 0, outlet: outlet, cancellation: cancellation)
        cancellation.cancel()
        #expect(throws: WorkStopped.self) { try relay.send(try packet(), of: 1) }
    }

    @Test func `Packets of segments have decode times that rise`() throws {
        let order = SegmentOrder()
        let packet = try packet()
        let told: [(Int64, Int64)] = [(0, -2), (1, -1), (2, 0), (3, -1), (5, 4)]
        let times = try told.map { shown, decoded in
            let placed = try order.placed(packet.retimed(presentation: shown, decode: decoded, duration: nil))
            return [placed.presentationTicks, placed.decodeTicks]
        }
        #expect(times == [[0, -2], [1, -1], [2, 0], [3, 1], [5, 4]])
    }
}

/// Packets for tests of what becomes of them.
private enum AssetPackets {
    static func demuxer(_ fixture: Fixture) throws -> Demuxer {
        try Demuxer.open(fixture.path, policy: SafetyPolicy(), interrupt: Interrupt())
    }
}

@Suite struct `The crew of a film's segments` {
    private func settings(_ name: String, width: Int = 1920, height: Int = 1080) -> EncoderSettings {
        let base = TimeBase(numerator: 1, denominator: 25)
        return EncoderSettings(
            name: name,
            media: .video(VideoSettings(width: width, height: height, pixelFormat: "yuv420p", timeBase: base)))
    }

    @Test func `Segments encoded at once are as many as cores, segments and memory allow`() {
        let small = settings("libx264", width: 320, height: 180)
        func count(_ settings: EncoderSettings, count: Int, processors: Int, memory: Int64) -> Int {
            SegmentCrew(settings, count: count, processors: processors, memory: memory).segments
        }
        #expect(count(small, count: 100, processors: 8, memory: 1 << 40) == 8)
        #expect(count(small, count: 3, processors: 8, memory: 1 << 40) == 3)
        #expect(count(settings("libx264"), count: 100, processors: 64, memory: 2 << 30) == 4)
        #expect(count(settings("libx264"), count: 100, processors: 64, memory: 0) == 1)
    }

    @Test func `Segments have a fixed number of threads where an encoder's output depends on it`() {
        for processors in [1, 2, 64] {
            #expect(SegmentCrew(settings("libx265"), count: 9, processors: processors, memory: 1 << 40).threads == 1)
        }
        let vp9 = settings("libvpx-vp9")
        #expect(SegmentCrew(vp9, count: 9, processors: 1, memory: 1 << 40).threads == 2)
        #expect(SegmentCrew(vp9, count: 4, processors: 16, memory: 1 << 40).threads == 4)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Pictures that are encoded in segments` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Where what is shown begins and ends inside groups, at odd times, and where groups are open.
    @Test(
        arguments: Tier.some(
            [
                "movie.mp4", "vfr.mp4", "hevc-open-gop.mp4", "h264-open-gop.mp4", "h264-intra-refresh.mp4",
                "edit-list-trim.mp4",
                "edit-list-empty.mp4", "h264.ts", "hevc-open-gop.ts", "cues.mkv", "no-cues.mkv", "h264.flv",
                "long-gop.mp4",
                "nonzero-start.mkv", "vp8.webm", "vp9.webm", "av1.webm", "fragmented.mp4", "mpeg2.ps", "mjpeg.avi",
                "mpeg4-b.avi", "theora.ogv",
            ], 5))
    func `Frames encoded in segments are those of one encoder, with the same times`(name: String) async throws {
        var whole = PipelineCase(Fixture(name))
        (whole.sound, whole.adjust) = (.none, { $0.options = ["preset": "veryfast"] })
        var divided = whole
        divided.segmentLength = seconds(0.7)
        let first = try whole.run(to: folder.path("whole.mp4"))
        let second = try divided.run(to: folder.path("divided.mp4"))
        #expect(second.tracks[0].frames == first.tracks[0].frames)
        #expect(second.tracks[0].droppedFrames == first.tracks[0].droppedFrames)
        #expect(second.tracks[0].repairedTimes == 0)
        #expect(try await shown("divided.mp4") == shown("whole.mp4"))
        let pictures = try await Reading.pictures(folder.path("divided.mp4"))
        #expect(try await pictures == Reading.pictures(folder.path("whole.mp4")))
        #expect(!pictures.contains { $0.number == nil })
        let decodeTimes = try await Reading.probe(folder.path("divided.mp4"), ["-show_entries", "packet=dts"])
            .compactMap { Int($0[0]) }
        #expect(zip(decodeTimes, decodeTimes.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// When each picture is shown and for how long, by ffprobe.
    private func shown(_ name: String) async throws -> [[String]] {
        try await Reading.probe(folder.path(name), ["-show_entries", "packet=pts,duration"])
            .sorted { (Int($0[0]) ?? 0) < (Int($1[0]) ?? 0) }
    }

    @Test(arguments: [(3.33, 7.1), (0.02, 2.5), (1, 9.99)])
    func `Frames of a range encoded in segments are those shown in it`(start: Double, end: Double) async throws {
        let range = seconds(start)..<seconds(end)
        var c = PipelineCase(Fixture("movie.mp4"), range)
        (c.sound, c.segmentLength) = (.none, seconds(0.5))
        let result = try c.run(to: folder.path("out.mp4"))
        let wanted = try expected(Fixture("movie.mp4"), range)
        let pictures = try await Reading.pictures(folder.path("out.mp4"))
        #expect(agree(pictures, wanted, within: CMTime(value: 1, timescale: 80_000)), "\(pictures) for \(wanted)")
        #expect(result.tracks[0].end == seconds(end - start))
    }

    @Test func `Segments begin with a sync sample each`() async throws {
        var c = PipelineCase(Fixture("movie.mp4"))
        (c.sound, c.segmentLength) = (.none, seconds(2))
        c.adjust = { settings in
            settings.options = ["preset": "veryfast", "sc_threshold": "0", "g": "1000"]
        }
        _ = try c.run(to: folder.path("out.mp4"))
        let packets = try await Reading.probe(folder.path("out.mp4"), ["-show_entries", "packet=pts_time,flags"])
        let syncs = packets.filter { $0[1].hasPrefix("K") }.compactMap { Double($0[0]) }
        #expect(syncs == Array(stride(from: 0, to: Double(syncs.count) * 2, by: 2)))
        #expect(syncs.count >= 4)
    }

    /// Not libx264, whose bytes depend on what memory held before (decision 0060).
    @Test(.enabled(if: Tier.isFull, Comment(rawValue: Tier.skipReason)), arguments: ["libx265", "libvpx-vp9"])
    func `Frames encoded in segments are the same bytes whatever the number of cores`(encoder: String) throws {
        defer { ProcessorShare.limit(to: ProcessInfo.processInfo.activeProcessorCount) }
        var c = PipelineCase(Fixture("movie.mp4"))
        c.segmentLength = seconds(1)
        c.format = encoder == "libx265" ? "mp4" : "matroska"
        c.adjust = {
            $0.name = encoder
            $0.options =
                encoder == "libx265" ? ["preset": "veryfast"] : ["deadline": "good", "cpu-used": "5", "row-mt": "1"]
        }
        let made = try [1, 3, 8].map { count in
            ProcessorShare.limit(to: count)
            _ = try c.run(to: folder.path("out.mp4"))
            return try Data(contentsOf: folder.url.appendingPathComponent("out.mp4"))
        }
        #expect(made[0] == made[1])
        #expect(made[0] == made[2])
    }

    @Test func `Frames encoded in segments are interleaved with audio in the order of time`() async throws {
        var c = PipelineCase(Fixture("movie.mp4"))
        c.segmentLength = seconds(1)
        let result = try c.run(to: folder.path("out.mp4"))
        #expect(result.tracks.count == 2)
        let packets = try await Reading.probe(
            folder.path("out.mp4"), ["-show_entries", "packet=stream_index,dts_time,pos"]
        ).compactMap { fields in
            Double(fields[1]).flatMap { time in Int(fields[2]).map { (time: time, position: $0, track: fields[0]) } }
        }.sorted { $0.position < $1.position }
        // The muxer's own limit: chunks of a track lie no further apart than a second of the other's.
        for (earlier, later) in zip(packets, packets.dropFirst()) where earlier.track != later.track {
            #expect(abs(earlier.time - later.time) < 1)
        }
    }

    @Test(arguments: [FrameRateLimit.oneOf(2), .oneOf(3), .atMost(Ratio(10, 1))])
    func `Frames encoded in segments are thinned out as one encoder's`(limit: FrameRateLimit) async throws {
        var whole = PipelineCase(Fixture("movie.mp4"))
        (whole.sound, whole.rateLimit) = (.none, limit)
        var divided = whole
        divided.segmentLength = seconds(1)
        _ = try whole.run(to: folder.path("whole.mp4"))
        _ = try divided.run(to: folder.path("divided.mp4"))
        let (one, several) = try await (
            Reading.pictures(folder.path("whole.mp4")), Reading.pictures(folder.path("divided.mp4"))
        )
        guard case .oneOf = limit else { return #expect(abs(one.count - several.count) <= 10) }
        #expect(one == several)
    }

    /// The second picture comes after many segments in which nothing begins.
    @Test func `Frames encoded in segments may be shown for longer than a segment`() async throws {
        let source = folder.path("slow.mp4")
        try await Reading.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x48:r=1/7", "-frames:v", "3", "-c:v", "libx264", "-preset", "ultrafast",
            source,
        ])
        var c = PipelineCase(source)
        c.segmentLength = seconds(1)
        let result = try c.run(to: folder.path("out.mp4"))
        #expect(result.tracks[0].frames == 3)
        #expect(result.tracks[0].end == seconds(21))
        #expect(try await shown("out.mp4").map { $0[0] } == ["0", "630000", "1260000"])
    }

    // MARK: What goes wrong

    @Test func `An encoding in segments fails with what the file failed with`() throws {
        var c = PipelineCase(Fixture("movie.mp4"))
        c.segmentLength = seconds(1)
        #expect(throws: FileSink.Full(limit: 20_000)) {
            try c.makePipeline().run(into: FileSink(folder.path("out.mp4"), limit: 20_000))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `An encoding in segments stops when it is cancelled`() throws {
        var c = PipelineCase(Fixture("movie.mp4"))
        c.segmentLength = seconds(1)
        let pipeline = try c.makePipeline()
        let sink = try FileSink(folder.path("out.mp4")) { pipeline.cancel() }
        #expect(throws: CancellationError.self) { try pipeline.run(into: sink) }
    }

    @Test func `An encoding in segments fails where the encoder cannot be opened`() throws {
        var c = PipelineCase(Fixture("movie.mp4"))
        c.segmentLength = seconds(1)
        c.adjust = { $0.options = ["preset": "no-such"] }
        #expect(throws: (any Error).self) { try c.run(to: folder.path("out.mp4")) }
    }
}
