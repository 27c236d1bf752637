import FFmpegKit
import Foundation
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@testable import AssetExport

/// A film that is black but for a white picture at the beginning of each second,
/// with a click of a millisecond at the same time.
private struct FlashAndClick {
    let folder: TemporaryFolder
    var path: String { folder.path("source.mov") }

    init(sound: [String] = ["-c:a", "pcm_s16le"], filter: String = "anull", to name: String = "source.mov") async throws
    {
        folder = try TemporaryFolder()
        let pictures =
            "color=black:s=64x64:r=25:d=6,drawbox=c=white:t=fill:enable='lt(mod(t,1),0.039)'"
        let clicks = "aevalsrc='if(lt(mod(n,48000),48),0.8*sin(2*PI*n/24),0)':s=48000:d=6,\(filter)"
        try await Reading.ffmpeg(
            ["-f", "lavfi", "-i", pictures, "-f", "lavfi", "-i", clicks, "-c:v", "libx264", "-g", "50"] + sound
                + [folder.path(name)])
    }

    /// When each flash begins.
    static func flashes(_ path: String) async throws -> [Double] {
        let times = try await Reading.probe(
            path, ["-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time"]
        ).compactMap { Double($0[0]) }
        let luma = try await Reading.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-copyts", "-vf",
                "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-",
            ]
        ).standardOutput
        let isWhite = luma.map { $0 > 127 }
        return times.indices.filter { isWhite[$0] && ($0 == 0 || !isWhite[$0 - 1]) }.map { times[$0] }
    }

    /// When each click begins: its centre less half its length.
    static func clicks(_ samples: [Int16]) -> [Double] {
        let loudest = samples.map { abs(Int($0)) }.max() ?? 0
        var result: [Double] = []
        var position = 0
        while position < samples.count {
            guard abs(Int(samples[position])) * 2 > loudest else {
                position += 1
                continue
            }
            let window = max(0, position - 200)..<min(samples.count, position + 300)
            let energy = window.map { Double(samples[$0]) * Double(samples[$0]) }
            let centre = zip(window, energy).reduce(0) { $0 + Double($1.0) * $1.1 } / energy.reduce(0, +)
            result.append((centre - 23.5) / 48_000)
            position += 24_000
        }
        return result
    }

    /// How far the clicks are from the flashes at the first and the last of them.
    static func offsets(_ path: String) async throws -> (first: Double, last: Double, count: Int) {
        let flashes = try await flashes(path)
        let clicks = clicks(try await Reading.samples(path))
        guard let first = flashes.first, let last = flashes.last else { return (.nan, .nan, 0) }
        func offset(_ flash: Double) -> Double { clicks.map { $0 - flash }.min { abs($0) < abs($1) } ?? .nan }
        return (offset(first), offset(last), flashes.count)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Sound of a range` {
    @Test(arguments: [
        ("mp4", "aac"), ("mov", "pcm_s16le"), ("matroska", "libopus"), ("matroska", "flac"), ("mpegts", "aac"),
        ("mp4", "libmp3lame"), ("mp4", "libopus"),
    ])
    func `Audio of a range is in sync with the video at both ends`(format: String, encoder: String) async throws {
        let source = try await FlashAndClick()
        var c = PipelineCase(source.path, to: format, seconds(1.34)..<seconds(5.87))
        c.sound = .encode(encoder)
        let out = source.folder.path("out")
        _ = try c.run(to: out)
        let offsets = try await FlashAndClick.offsets(out)
        #expect(offsets.count == 4)
        #expect(abs(offsets.first) < 0.001 && abs(offsets.last) < 0.001, "\(offsets)")
    }

    @Test(arguments: [(0.34, 0.87), (0, 0.5), (0.01, 0.333_333), (0.7777, 1)])
    func `Audio of a range is cut to the sample`(start: Double, end: Double) async throws {
        let folder = try TemporaryFolder()
        let source = Fixture("audio-only.flac").path
        var c = PipelineCase(source, to: "wav", seconds(start)..<seconds(end))
        c.sound = .encode("pcm_s16le")
        let result = try c.run(to: folder.path("out.wav"))
        let all = try await Reading.samples(source, fillsStart: false)
        let wanted = all[Int((start * 48_000).rounded())..<Int((end * 48_000).rounded())]
        #expect(try await Reading.samples(folder.path("out.wav"), fillsStart: false) == Array(wanted))
        #expect(result.tracks[0].frames == wanted.count)
        #expect(result.tracks[0].filledSamples == 0 && result.tracks[0].overlappingSamples == 0)
    }

    @Test func `Audio of a range is as long as the range where it is resampled`() async throws {
        let folder = try TemporaryFolder()
        var c = PipelineCase(Fixture("movie.mp4"), to: "wav", seconds(1)..<seconds(3.5))
        (c.video, c.sound) = (.none, .encode("pcm_s16le"))
        c.adjust = { _ in }
        let result = try c.run(to: folder.path("out.wav"))
        #expect(result.tracks[0].frames == 120_000)
        #expect(result.tracks[0].end == seconds(2.5))
    }

    @Test func `Audio of a range is silent where the source has a gap, and in sync after it`() async throws {
        let source = try await FlashAndClick(
            sound: ["-c:a", "flac", "-f", "matroska"], filter: "aselect='not(between(t,2.5,3.5))'")
        let out = source.folder.path("out.mp4")
        let result = try PipelineCase(source.path).run(to: out)
        let offsets = try await FlashAndClick.offsets(out)
        #expect(abs(offsets.last) < 0.001, "\(offsets)")
        // The filter drops whole frames, and the container's times are thousandths.
        #expect(abs(result.tracks[1].filledSamples - 48_000) < 2500)
        let samples = try await Reading.samples(out)
        #expect(FlashAndClick.clicks(samples).count == 5)
        #expect(samples[125_000..<165_000].allSatisfy { abs(Int($0)) < 300 })
    }

    @Test(arguments: [("mp4", "aac"), ("wav", "pcm_s16le"), ("mp3", "libmp3lame"), ("ogg", "libopus")])
    func `Audio of a range starts late where it starts late in the source`(
        format: String, encoder: String
    ) async throws {
        let source = try await FlashAndClick()
        let late = source.folder.path("late.mov")
        try await Reading.ffmpeg([
            "-i", source.path, "-itsoffset", "0.3", "-i", source.path, "-map", "0:v", "-map", "1:a", "-c", "copy", late,
        ])
        var c = PipelineCase(late, to: format)
        (c.video, c.sound) = (.none, .encode(encoder))
        let out = source.folder.path("out." + format)
        _ = try c.run(to: out)
        // MP3 is read with the times of its packets, and these with the encoder's delay.
        let samples = try await Reading.samples(out, fillsStart: format == "mp4")
        let first = FlashAndClick.clicks(samples).first ?? .nan
        #expect(abs(first - 0.3) < 0.001, "\(first)")
    }

    @Test(arguments: ["mp4", "mov"])
    func `Copied audio of a range is cut by an edit list`(format: String) async throws {
        let source = try await FlashAndClick(sound: ["-c:a", "aac"])
        var c = PipelineCase(source.path, to: format, seconds(1.34)..<seconds(5.87))
        (c.video, c.sound) = (.copy, .copy)
        let out = source.folder.path("out")
        let result = try c.run(to: out)
        let offsets = try await FlashAndClick.offsets(out)
        #expect(abs(offsets.first) < 0.001 && abs(offsets.last) < 0.001, "\(offsets)")
        // The packet before the start is there for the decoder's sake.
        #expect((result.tracks[1].start ?? .zero) < seconds(-0.0213))
        #expect(result.range.end == seconds(5.87))
    }

    @Test func `Audio may outlast the video`() async throws {
        let folder = try TemporaryFolder()
        let result = try PipelineCase(Fixture("audio-longer.mp4")).run(to: folder.path("out.mp4"))
        #expect(result.tracks[0].end == seconds(2))
        #expect((result.tracks[1].end ?? .zero) >= seconds(4))
    }
}
