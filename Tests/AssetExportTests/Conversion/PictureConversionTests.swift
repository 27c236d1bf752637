import FFmpegKit
import Foundation
import MediaAsset
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import MediaEngine

/// A file made by a preset, and what FFmpeg sees in it.
struct MadeFile {
    let path: String
    let conversions: [TrackConversion]
    private let folder: TemporaryFolder

    init(
        _ source: String, by preset: ExportPreset, as fileType: AVFileType, frames: Int = 8,
        in folder: TemporaryFolder, amend: @escaping (inout SourceTrack) -> Void = { _ in }
    ) async throws {
        self.folder = folder
        path = folder.path("new-\(UUID().uuidString).\(fileType.preferredFilenameExtension)")
        conversions = try await LinearConversion(
            preset: preset, source: source, fileType: fileType, amend: amend, frames: frames
        ).run(to: path)
    }

    var video: ConvertedVideo {
        get throws {
            try #require(
                conversions.lazy.compactMap { if case .video(let video) = $0.summary { video } else { nil } }.first)
        }
    }

    /// A field of the first video stream, as ffprobe tells it.
    func probe(_ fields: String...) async throws -> [String: String] {
        let run = try await CommandRun.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=\(fields.joined(separator: ","))",
                "-of", "default=nw=1", path,
            ])
        return Dictionary(
            run.output.split(separator: "\n").map {
                let parts = $0.split(separator: "=", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The pixels of one frame as they are stored, of some format.
    func pixels(_ format: String = "rgb24", frame: Int = 0, decoder: String? = nil) async throws -> [UInt8] {
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-noautorotate"] + (decoder.map { ["-c:v", $0] } ?? [])
                + [
                    "-i", path, "-vf", "select=eq(n\\,\(frame))", "-frames:v", "1", "-pix_fmt", format, "-f",
                    "rawvideo", "-",
                ])
        try #require(run.exitCode == 0 && !run.standardOutput.isEmpty, "\(run.errorOutput)")
        return [UInt8](run.standardOutput)
    }

    /// The colour of a pixel, at a place given in hundredths of the picture.
    func color(_ x: Int, _ y: Int) async throws -> PatternColor? {
        let video = try video
        let pixels = try await pixels()
        let start = (video.height * y / 100 * video.width + video.width * x / 100) * 3
        return PatternColor(near: pixels[start..<(start + 3)].map { Int($0) })
    }
}

/// A preset that comes with the library.
func builtIn(_ name: String, _ change: (inout ExportPreset.VideoEncoding) -> Void = { _ in }) throws -> ExportPreset {
    var preset = try ExportPresetCatalog.builtIn.preset(name)
    if var video = preset.videoEncoding {
        change(&video)
        preset.videoEncoding = video
    }
    return preset
}

@Suite(.serialized) struct `Pictures encoded anew` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(
        _ fixture: String, _ preset: ExportPreset, _ fileType: AVFileType? = nil, frames: Int = 8
    ) async throws -> MadeFile {
        try await MadeFile(
            fixture.hasPrefix("/") ? fixture : Fixture(fixture).path, by: preset,
            as: fileType ?? preset.fileTypes[0], frames: frames, in: folder)
    }

    /// A file made by ffmpeg.
    private func source(_ name: String, _ arguments: [String], input: Data? = nil) async throws -> String {
        let path = folder.path(name)
        let run = try await CommandRun.run("ffmpeg", ["-v", "error", "-y"] + arguments + [path], input: input)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return path
    }

    @Test(
        arguments: Tier.some(
            [
                ("low", "h264", "avc1", "yuv420p"), ("high", "h264", "avc1", "yuv420p"),
                ("1920x1080", "h264", "avc1", "yuv420p"), ("hevc-1920x1080", "hevc", "hvc1", "yuv420p"),
                ("hevc-high", "hevc", "hvc1", "yuv420p"), ("prores-422", "prores", "apcn", "yuv422p10le"),
                ("prores-4444", "prores", "ap4h", "yuv444p10le"), ("webm-vp9", "vp9", "[0][0][0][0]", "yuv420p"),
                ("webm-av1", "av1", "[0][0][0][0]", "yuv420p"), ("gif", "gif", "[0][0][0][0]", "bgra"),
            ], 3))
    func `Encoded frames have the codec and format of the preset, and decode without errors`(
        _ name: String, _ codec: String, _ tag: String, _ format: String
    ) async throws {
        let made = try await make("movie.mp4", try builtIn(name))
        let facts = try await made.probe("codec_name", "codec_tag_string", "pix_fmt", "width", "height")
        #expect(facts["codec_name"] == codec)
        #expect(facts["codec_tag_string"] == tag)
        #expect(facts["pix_fmt"] == format || name == "prores-4444" && facts["pix_fmt"] == "yuv444p12le")
        #expect(facts["width"] == "320" && facts["height"] == "240")
        let played = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-xerror", "-nostdin", "-i", made.path, "-f", "null", "-"])
        #expect(played.exitCode == 0 && played.errorOutput.isEmpty, "\(played.errorOutput)")
        #expect(try await made.color(5, 30) == .red)
    }

    /// The README of the fixtures says where the red square is seen.
    @Test(arguments: [
        ("matrix-identity.mp4", 10, 35), ("rotate-90.mp4", 65, 10), ("rotate-180.mp4", 90, 65),
        ("rotate-270.mp4", 35, 90), ("flip-h.mp4", 90, 35), ("flip-v.mp4", 10, 65), ("transpose.mp4", 35, 10),
        ("transverse.mp4", 65, 90),
    ])
    func `Encoded frames are turned where the container cannot hold a matrix`(
        _ file: String, _ x: Int, _ y: Int
    ) async throws {
        for name in ["webm-vp9", "webm-av1", "gif"] {
            let made = try await make(file, try builtIn(name))
            #expect(try await made.color(x, y) == .red, "\(name)")
            #expect(try made.video.changes.contains(.turned) == (file != "matrix-identity.mp4"))
            #expect(made.conversions[0].traits.displayMatrix == nil)
        }
    }

    @Test func `Encoded frames keep their matrix in a movie, which fits the new size`() async throws {
        let preset = try builtIn("low") { $0.maximumSize = .init(width: 80, height: 80) }
        let made = try await make("rotate-90.mp4", preset)
        #expect(try (made.video.width, made.video.height) == (80, 60))
        let demuxer = try Demuxer.open(made.path, policy: SafetyPolicy(), interrupt: Interrupt())
        let one: Int32 = 65536
        #expect(demuxer.streams[0].video?.displayMatrix == [0, one, 0, -one, 0, 0, 60 * one, 0, 1 << 30])
    }

    @Test func `Encoded frames fit the box as displayed where pixels are turned`() async throws {
        let preset = try builtIn("webm-vp9") { $0.maximumSize = .init(width: 100, height: 80) }
        let made = try await make("rotate-90.mp4", preset)
        #expect(try (made.video.width, made.video.height) == (60, 80))
    }

    @Test func `Encoded frames are cropped to the clean aperture`() async throws {
        let made = try await make("clean-aperture.mov", try builtIn("high"))
        #expect(try (made.video.width, made.video.height) == (304, 228))
        #expect(try made.video.changes == [.cropped])
    }

    @Test func `Encoded frames keep pixels that are not square, unless they are scaled`() async throws {
        let same = try await make("anamorphic.mp4", try builtIn("high")).probe("width", "sample_aspect_ratio")
        #expect(same == ["width": "360", "sample_aspect_ratio": "16:11"])
        let small = try await make(
            "anamorphic.mp4", try builtIn("low") { $0.maximumSize = .init(width: 200, height: 200) }
        )
        .probe("width", "height", "sample_aspect_ratio")
        // 360x288 at 16:11 is 20:11 as shown.
        #expect(small == ["width": "200", "height": "110", "sample_aspect_ratio": "1:1"])
    }

    @Test func `Encoded frames become progressive, or keep both fields`() async throws {
        for file in ["interlaced-tff.mp4", "interlaced.ts"] {
            let progressive = try await make(file, try builtIn("high"), frames: 12)
            #expect(try progressive.video.changes == [.deinterlaced])
            #expect(try await progressive.probe("field_order")["field_order"] == "progressive")
            let fields = try await make(file, try builtIn("prores-422"), frames: 12)
            #expect(try await fields.probe("field_order")["field_order"] == "tt")
            #expect(try combed(fields.path) > 8)
            #expect(try combed(progressive.path) == 0)
        }
    }

    /// How many pictures of a file show lines of two fields.
    private func combed(_ path: String) throws -> Int {
        let demuxer = try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
        let decoder = try demuxer.makeDecoder(stream: 0)
        var (count, number) = (0, Int64(0))
        while true {
            switch try decoder.receive().output {
            case .frame(let frame): count += frame.isCombed ? 1 : 0
            case .end: return count
            case .needsPacket:
                number += 1
                let packet = try demuxer.readPacket()
                if packet.map({ $0.streamIndex == 0 }) ?? true { _ = try decoder.send(packet, number: number) }
            }
        }
    }

    @Test func `Encoded frames keep transparency, or have black behind it`() async throws {
        for file in ["alpha-png.mov", "alpha-prores.mov", "alpha-vp9.webm"] {
            let vp9 = try await make(file, try builtIn("webm-vp9"))
            let alpha = try await vp9.pixels("rgba", decoder: "libvpx-vp9")
            let prores = try await make(file, try builtIn("prores-4444")).pixels("rgba")
            let flat = try await make(file, try builtIn("high"))
            let plain = try await flat.pixels()
            // Clear on the left to opaque on the right, in the lower half but for the squares.
            func at(_ x: Int, _ y: Int, _ pixels: [UInt8], _ size: Int, _ part: Int) -> Int {
                Int(pixels[(y * 160 + x) * size + part])
            }
            for (x, expected) in [(4, 0), (45, 68), (85, 136), (115, 187)] {
                #expect(abs(at(x, 70, alpha, 4, 3) - expected) < 10, "\(file) \(x)")
                #expect(abs(at(x, 70, prores, 4, 3) - expected) < 10, "\(file) \(x)")
                #expect(at(x, 70, plain, 3, 1) <= expected + 16, "\(file) \(x)")
            }
            #expect(try await flat.color(5, 40) == .red)
            #expect(try flat.video.changes.contains(.flattened))
        }
    }

    @Test func `Encoded frames have video range and the matrix of the source`() async throws {
        let luma = try await make("full-range.mp4", try builtIn("high")).pixels("yuv420p")
        // Bars of white and black, at the top left.
        let (white, black) = (Int(luma[20 * 320 + 10]), Int(luma[20 * 320 + 30]))
        #expect(abs(white - 235) < 3 && abs(black - 16) < 3)
        for (file, matrix) in [("bt601-tagged.mp4", "smpte170m"), ("bt709-tagged.mp4", "bt709")] {
            let made = try await make(file, try builtIn("high"))
            #expect(try await made.probe("color_space", "color_range") == ["color_space": matrix, "color_range": "tv"])
            let pixels = try await made.pixels()
            let red = pixels[(70 * 320 + 15) * 3..<(70 * 320 + 15) * 3 + 3].map { Int($0) }
            #expect(zip(red, [255, 0, 0]).allSatisfy { abs($0 - $1) < 14 }, "\(red)")
        }
    }

    @Test func `Encoded frames made of RGB are tagged with the matrix that they were made with`() async throws {
        let made = try await make("alpha-png.mov", try builtIn("high"))
        #expect(try await made.probe("color_space")["color_space"] == "bt709")
        let pixels = try await made.pixels()
        let red = pixels[(35 * 160 + 8) * 3..<(35 * 160 + 8) * 3 + 3].map { Int($0) }
        #expect(zip(red, [255, 0, 0]).allSatisfy { abs($0 - $1) < 14 }, "\(red)")
    }

    @Test func `Encoded frames without tags get them when made small enough to be misread`() async throws {
        let hd = try await source(
            "hd.mkv", ["-f", "lavfi", "-i", "testsrc=s=1280x720:r=25:d=0.2", "-pix_fmt", "yuv420p", "-c:v", "ffv1"])
        let tags = ["color_space", "color_primaries", "color_transfer"]
        let small = try await make(hd, try builtIn("low")).probe(tags[0], tags[1], tags[2])
        #expect(small == Dictionary(uniqueKeysWithValues: tags.map { ($0, "bt709") }))
        let same = try await make(hd, try builtIn("high")).probe(tags[0])
        #expect(same == ["color_space": "unknown"])
    }

    @Test func `Encoded frames keep ten bits where the preset has them`() async throws {
        let hevc = try await make("10bit.mp4", try builtIn("hevc-high"))
        #expect(try await hevc.probe("pix_fmt")["pix_fmt"] == "yuv420p10le")
        let h264 = try await make("10bit.mp4", try builtIn("high"))
        #expect(try await h264.probe("pix_fmt")["pix_fmt"] == "yuv420p")
        #expect(try h264.video.changes == [.depthReduced])
        #expect(try await make("h264-444.mp4", try builtIn("high")).video.changes == [.chromaReduced])
    }

    @Test func `Encoded frames come at a lower rate, each at its own time`() async throws {
        let made = try await make("movie.mp4", try builtIn("gif") { $0.maximumFrameRate = 10 }, frames: 30)
        let run = try await CommandRun.run(
            "ffprobe", ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", made.path])
        let times = run.output.split(separator: "\n").compactMap { Double($0) }
        // 25 frames a second, one of three.
        let expected = (0..<10).map { Double($0 * 12) / 100 }
        #expect(times == expected)
    }

    @Test
    func `Encoded frames of an odd size lose a row and a column where chroma has no place for them`() async throws {
        for (name, size) in [("high", (160, 120)), ("webm-vp9", (161, 121)), ("gif", (161, 121))] {
            let made = try await make("odd-161x121.webm", try builtIn(name))
            #expect(try (made.video.width, made.video.height) == size)
        }
    }

    @Test func `Encoded frames that change their size are fitted into the first size`() async throws {
        let (small, large) = (folder.path("a.ts"), folder.path("b.ts"))
        for (path, size, start) in [(small, "160x120", "0"), (large, "320x120", "0.4")] {
            _ = try await source(
                URL(fileURLWithPath: path).lastPathComponent,
                [
                    "-f", "lavfi", "-i", "color=white:s=\(size):r=25:d=0.4", "-c:v", "libx264", "-g", "5",
                    "-output_ts_offset", start,
                    "-f", "mpegts",
                ])
        }
        let both = folder.path("both.ts")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: small)) + Data(contentsOf: URL(fileURLWithPath: large))
        try bytes.write(to: URL(fileURLWithPath: both))
        let made = try await make(both, try builtIn("high"), frames: 20)
        #expect(try (made.video.width, made.video.height) == (160, 120))
        let last = try await made.pixels("yuv420p", frame: 15)
        // 320x120 becomes 160x60, with black above and below.
        #expect(last[10 * 160 + 80] < 20 && last[110 * 160 + 80] < 20)
        #expect(last[60 * 160 + 4] > 230 && last[60 * 160 + 155] > 230)
    }

    /// x265 tells decode times from memory that was never written to when there are fewer pictures than it reorders.
    @Test(arguments: [1, 2, 3, 5])
    func `Encoded frames have decode times however few they are`(_ frames: Int) async throws {
        for _ in 0..<3 {
            let made = try await make("bt709-tagged.mp4", try builtIn("hevc-high"), frames: frames)
            let run = try await CommandRun.run(
                "ffprobe", ["-v", "error", "-show_entries", "packet=pts_time,dts_time", "-of", "csv=p=0", made.path])
            let times = run.output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
            #expect(times.count == frames)
            for pair in times { #expect(pair.count == 2 && pair[1] <= pair[0] && pair[1] > -0.5, "\(pair)") }
        }
    }
}
