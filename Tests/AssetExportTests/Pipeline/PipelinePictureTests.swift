import FFmpegKit
import Foundation
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@testable import AssetExport

@Suite(.timeLimit(.minutes(10))) struct `Pictures of an encoded range` {
    /// Ranges that begin and end on pictures, between them, and at entry points.
    @Test(
        arguments: Tier.some(
            [
                ("movie.mp4", 3.33, 7.1), ("movie.mp4", 4.0, 4.05), ("movie.mp4", 0, 1), ("vfr.mp4", 2.7, 9.5),
                ("hevc-open-gop.mp4", 2.05, 3.9), ("h264-open-gop.mp4", 2.05, 3.9),
                ("h264-intra-refresh.mp4", 2.5, 3.5),
                ("edit-list-trim.mp4", 1.3, 3), ("edit-list-empty.mp4", 1.7, 2.2), ("h264.ts", 1.11, 3),
                ("hevc-open-gop.ts", 2.7, 3.7), ("h264-open-gop.ts", 1, 3.1), ("cues.mkv", 0.821, 2.5),
                ("no-cues.mkv", 2.1, 3.9), ("h264.flv", 1.6, 3), ("long-gop.mp4", 5, 6),
                ("nonzero-start.mkv", 2.8, 3.2),
                ("vp8.webm", 1.9, 3), ("vp9.webm", 1.67, 2.4), ("av1.webm", 2.4, 3), ("fragmented.mp4", 1.5, 3),
                ("mpeg2.ps", 1.2, 2.2), ("mjpeg.avi", 0.3, 0.9), ("mpeg4-b.avi", 1.4, 2), ("theora.ogv", 1.4, 2),
            ], 8))
    func `Encoded frames of a range are those shown in it, at their own times`(
        name: String, start: Double, end: Double
    ) async throws {
        let folder = try TemporaryFolder()
        let range = seconds(start)..<seconds(end)
        var c = PipelineCase(Fixture(name), range)
        c.sound = .none
        let result = try c.run(to: folder.path("out.mp4"))
        let pictures = try await Reading.pictures(folder.path("out.mp4"))
        let wanted = try expected(Fixture(name), range)
        #expect(!wanted.isEmpty)
        #expect(agree(pictures, wanted, within: CMTime(value: 1, timescale: 80_000)), "\(pictures) for \(wanted)")
        #expect(result.tracks[0].frames == wanted.count)
        #expect(result.tracks[0].start == .zero)
    }

    @Test(arguments: ["mp4", "mov", "matroska", "mpegts", "webm"])
    func `Encoded frames of a range last to its end in every container`(format: String) async throws {
        let folder = try TemporaryFolder()
        let range = seconds(3.33)..<seconds(7.1)
        var c = PipelineCase(Fixture("movie.mp4"), to: format, range)
        c.sound = .none
        let result = try c.run(to: folder.path("out"))
        #expect(result.tracks[0].end == seconds(3.77))
        #expect(result.range.duration == seconds(3.77))
        let pictures = try await Reading.pictures(folder.path("out"))
        let wanted = try expected(Fixture("movie.mp4"), range)
        // Some containers count from a zero of their own, most in thousandths.
        let zero = pictures.first?.time ?? .zero
        let shifted = pictures.map { ShownPicture(time: $0.time - zero, number: $0.number) }
        #expect(agree(shifted, wanted, within: CMTime(value: 1, timescale: 1000)), "\(shifted)")
        if ["mp4", "mov"].contains(format) {
            let duration = try await Reading.probe(folder.path("out"), ["-show_entries", "format=duration"])
            #expect(duration == [["3.770000"]])
        }
    }

    @Test func `Encoded frames of a range are every second one where the rate is halved`() async throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("movie.mp4"), seconds(1)..<seconds(3))
        (c.sound, c.rateLimit) = (.none, .oneOf(2))
        _ = try c.run(to: folder.path("out.mp4"))
        #expect(try await Reading.pictures(folder.path("out.mp4")).map(\.number) == (25..<75).filter { $0 % 2 == 1 })
    }

    @Test func `Encoded frames without a range are all of them`() async throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("vfr.mp4"))
        c.sound = .none
        let result = try c.run(to: folder.path("out.mp4"))
        let wanted = try Sidecar.load(Fixture("vfr.mp4")).shownFrames
        let pictures = try await Reading.pictures(folder.path("out.mp4"))
        #expect(pictures.map(\.number) == wanted.map(\.number))
        #expect(result.tracks[0].droppedFrames == 0)
    }

    @Test func `B-frames of a range keep their decoding order`() async throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("movie.mp4"), seconds(1)..<seconds(3))
        c.sound = .none
        c.adjust = { $0.options = ["preset": "fast"] }
        let result = try c.run(to: folder.path("out.mp4"))
        #expect(result.tracks[0].repairedTimes == 0)
        let times = try await Reading.probe(
            folder.path("out.mp4"), ["-select_streams", "v", "-show_entries", "packet=pts"])
        #expect(times != times.sorted { (Int($0[0]) ?? 0) < (Int($1[0]) ?? 0) })
        #expect(try await Reading.pictures(folder.path("out.mp4")).map(\.number) == Array(25..<75))
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Samples that stay as they are` {
    @Test(arguments: [
        ("movie.mp4", 3.36, 7.11), ("vfr.mp4", 2.7, 9.5), ("hevc-open-gop.mp4", 2.05, 3.9),
        ("h264-open-gop.mp4", 2.05, 3.9), ("edit-list-trim.mp4", 1.3, 3), ("h264.ts", 1.11, 3),
        ("hevc-open-gop.ts", 2.7, 3.7), ("cues.mkv", 0.821, 2.5), ("h264.flv", 1.6, 3), ("vp9.webm", 1.67, 2.4),
        ("nonzero-start.mkv", 2.8, 3.2), ("fragmented.mp4", 1.5, 3), ("long-gop.mp4", 5, 6),
    ])
    func `Copied samples of a range are cut exactly by an edit list`(
        name: String, start: Double, end: Double
    ) async throws {
        let folder = try TemporaryFolder()
        let range = seconds(start)..<seconds(end)
        var c = PipelineCase(Fixture(name), range)
        (c.video, c.sound) = (.copy, .none)
        let result = try c.run(to: folder.path("out.mp4"))
        // Nothing is shown by halves: the start is the time of the picture shown there.
        let sidecar = try Sidecar.load(Fixture(name))
        let first = sidecar.shownFrames.frame(shownAt: range.lowerBound)
        #expect(result.range.start == first.time + sidecar.origin)
        let wanted = try expected(Fixture(name), first.time..<range.upperBound)
        let pictures = try await Reading.pictures(folder.path("out.mp4"))
        #expect(agree(pictures, wanted, within: CMTime(value: 1, timescale: 1000)), "\(pictures) for \(wanted)")
    }

    @Test(arguments: [
        ("movie.mp4", 3.36, 7.11), ("hevc-open-gop.mp4", 2.05, 3.9), ("h264.ts", 1.11, 3), ("cues.mkv", 1.3, 2.5),
        ("hevc-open-gop.ts", 2.7, 3.7),
    ])
    func `Copied samples begin at a sync sample where there is no edit list`(
        name: String, start: Double, end: Double
    ) async throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture(name), to: "matroska", seconds(start)..<seconds(end))
        (c.video, c.sound) = (.copy, .none)
        let result = try c.run(to: folder.path("out.mkv"))
        let sidecar = try Sidecar.load(Fixture(name))
        let actual = result.range.start - sidecar.origin
        #expect(actual <= seconds(start))
        let keys = (sidecar.frames ?? []).filter(\.key).compactMap { frame in
            frame.pts.flatMap { CMTime(ticks: $0, timeBase: frame.timeBase) }.map { $0 - sidecar.origin }
        }
        #expect(keys.filter { $0 <= seconds(start) }.max() == actual)
        let pictures = try await Reading.pictures(folder.path("out.mkv"))
        let wanted = try expected(Fixture(name), actual..<seconds(end))
        #expect(pictures.prefix(wanted.count).map(\.number) == wanted.map(\.number))
        // What the last pictures are built on cannot be hidden here.
        #expect(pictures.count - wanted.count <= 4)
    }

    @Test func `Copied subtitles keep what they show within the range`() async throws {
        let folder = try TemporaryFolder()
        // From 0.521 to 1.521 s and from 1.621 to 2.521 s, on a timeline whose zero is 0.
        let fixture = Fixture("languages.mkv")
        let source = try await Reading.probe(
            fixture.path, ["-select_streams", "s", "-show_entries", "packet=pts_time,duration_time"])
        #expect(source == [["0.521000", "1.000000"], ["1.621000", "0.900000"]])
        var c = PipelineCase(fixture, seconds(1)..<seconds(2))
        c.subtitles = "mov_text"
        _ = try c.run(to: folder.path("out.mp4"))
        let packets = try await Reading.probe(
            folder.path("out.mp4"), ["-select_streams", "s", "-show_entries", "packet=pts_time,duration_time,size"])
        // Those of two bytes are what stands between two texts.
        #expect(
            packets.filter { $0[2] != "2" }.map { Array($0[..<2]) } == [
                ["0.000000", "0.521000"], ["0.621000", "0.379000"],
            ])
    }

    @Test func `Encoded tracks start with the copied video beside them`() async throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("movie.mp4"), to: "matroska", seconds(3.36)..<seconds(5))
        c.video = .copy
        let result = try c.run(to: folder.path("out.mkv"))
        #expect(result.range.start == seconds(3))
        #expect(result.tracks[1].frames == 96_000)
    }
}
