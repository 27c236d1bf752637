import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

/// A real file whose copy lost something, or was said to.
private struct RealCopy: CustomTestStringConvertible, Sendable {
    let path: String
    let ending: String
    /// What the container cannot hold, and says so.
    var told: Set<ExportLoss.Trait> = []
    var testDescription: String { "\(path) to \(ending)" }

    static let all = [
        RealCopy(path: "alpha/animation.mov", ending: "mkv"), RealCopy(path: "alpha/png.mov", ending: "mkv"),
        RealCopy(path: "corrupt/test_case_1351094.mp4", ending: "mkv"),
        RealCopy(path: "stills/exif-orientation-6-ru.jpg", ending: "mkv"),
        RealCopy(path: "stills/pixel-motion-photo-shortened.jpg", ending: "mkv"),
        RealCopy(path: "interlaced/dv-dvchd-ntsc-interlaced.mov", ending: "mkv"),
        RealCopy(path: "interlaced/dv-dvchd-ntsc-interlaced.mov", ending: "avi", told: [.fieldOrder]),
        RealCopy(path: "multi-track/sample_empty_track.mp4", ending: "ts"),
        RealCopy(path: "quicktime-meta/sample_sef_slow_motion.mp4", ending: "ts"),
        RealCopy(path: "odd/water_180_mvhevc_5frames.mov", ending: "ts"),
        RealCopy(path: "corrupt/zero-length-mdat.m4a", ending: "ts"),
        RealCopy(path: "interlaced/Sony ILCE-7M3 (A7M3).mts", ending: "ts"),
    ]
}

/// What copied samples look and sound like in another container.
///
/// Expected values come from ffprobe, ffmpeg's checksums of decoded pictures and mkvmerge.
@Suite("Shapes of copied tracks", .timeLimit(.minutes(5)))
struct CopiedShapeTests {
    private func make(_ arguments: String, _ path: String) async throws {
        let made = try await CommandRun.run(
            "ffmpeg", ["-v", "error"] + arguments.split(separator: " ").map(String.init) + [path])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
    }

    private func copy(_ source: String, to path: String) async throws -> ExportResult {
        try await CopiedPictureTests.copy(URL(fileURLWithPath: source), to: path) { $0.auditDepth = .full }
    }

    private func pictures(_ path: String) async throws -> [String] {
        let run = try await CommandRun.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
        #expect(run.errorOutput == "")
        return run.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map(String.init)
        }
    }

    @Test(
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"), arguments: RealCopy.all)
    private func `Copies of the corpus lose nothing that the plan does not tell`(_ c: RealCopy) async throws {
        let corpus = try #require(Fixture.corpus)
        let folder = try TemporaryFolder()
        let result = try await copy(corpus.appendingPathComponent(c.path).path, to: folder.path("new.\(c.ending)"))
        // The encoder's own name is another matter.
        #expect(result.losses.filter { !$0.isForeseen && $0.kind != .metadata } == [])
        #expect(c.told.isSubset(of: Set(result.losses.compactMap(\.trait))))
    }

    /// Nobody could decode them: the depth was missing, and with it alpha and palettes.
    @Test(arguments: [
        "qtrle -pix_fmt argb", "qtrle -pix_fmt rgb24", "qtrle -pix_fmt rgb555be", "qtrle -pix_fmt gray",
        "smc -pix_fmt pal8", "cinepak", "svq1", "tiff", "hap",
    ])
    func `Frames that Matroska holds as QuickTime does are the same`(_ codec: String) async throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("source.mov"), folder.path("new.mkv"))
        try await make("-f lavfi -i testsrc=s=128x96:d=0.4:r=10 -c:v \(codec)", source)
        #expect(try await copy(source, to: path).losses == [])
        #expect(try await pictures(path) == pictures(source))
    }

    /// Turns by anything but quarters were lost without a word.
    @Test func `Copied video may be turned by any angle`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("source.mp4")
        try await make("-i \(Fixture("movie.mp4").path) -t 1 -map 0:v -c copy", source)
        try turnTracks(of: URL(fileURLWithPath: source), by: 352.5)
        #expect(try await copy(source, to: folder.path("new.mkv")).losses.filter { $0.trait != nil } == [])
        let entries = ["-show_entries", "stream_side_data=rotation"]
        let (made, expected) = (
            try await Reading.probe(folder.path("new.mkv"), entries), try await Reading.probe(source, entries)
        )
        #expect(made == expected)
        let losses = try await copy(source, to: folder.path("new.ts")).losses
        #expect(losses.contains { $0.trait == .orientation && $0.isForeseen })
    }

    /// The size as shown was rounded where FFmpeg tells nothing but its ratio.
    @Test(.enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"))
    func `A cropped copy keeps the shape of its pixels`() async throws {
        let folder = try TemporaryFolder()
        let source = try #require(Fixture.corpus).appendingPathComponent("interlaced/dv-dvchd-ntsc-interlaced.mov")
        _ = try await copy(source.path, to: folder.path("new.mkv"))
        // 704 of 720 columns by 480 rows in pixels of 10:11 are 4:3.
        let facts = try await Reading.run("mkvmerge", ["-J", folder.path("new.mkv")]).output
        #expect(facts.contains(#""display_dimensions": "4x3""#))
        #expect(facts.contains(#""display_unit": 3"#))
    }

    /// Players of transport streams showed what the coded pictures say, which the movie overrules.
    @Test(arguments: ["libx264", "libx265 -x265-params log-level=none"])
    func `A transport stream keeps the shape of pixels of a movie`(_ encoder: String) async throws {
        let folder = try TemporaryFolder()
        let (coded, source) = (folder.path("coded.mp4"), folder.path("source.mp4"))
        try await make("-f lavfi -i testsrc=s=160x120:d=0.4,setsar=27/64 -c:v \(encoder)", coded)
        try await make("-i \(coded) -c copy -aspect 4:3", source)
        let entries = ["-select_streams", "v:0", "-show_entries", "stream=sample_aspect_ratio"]
        #expect(try await Reading.probe(source, entries).first == ["1:1"])
        let result = try await copy(source, to: folder.path("new.ts"))
        #expect(result.losses.filter { !$0.isForeseen && $0.kind != .metadata } == [])
        #expect(try await Reading.probe(folder.path("new.ts"), entries).first == ["1:1"])
        #expect(try await pictures(folder.path("new.ts")) == pictures(source))
    }

    /// Both views lay in the stream, and readers counted each as a picture.
    @Test(.enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"))
    func `Layers of a frame stay together on the way through a transport stream`() async throws {
        let folder = try TemporaryFolder()
        let source = try #require(Fixture.corpus).appendingPathComponent("odd/water_180_mvhevc_5frames.mov").path
        _ = try await copy(source, to: folder.path("new.ts"))
        _ = try await copy(folder.path("new.ts"), to: folder.path("back.mp4"))
        #expect(try await pictures(folder.path("back.mp4")) == pictures(source))
        let sizes = ["-select_streams", "v:0", "-count_packets", "-show_entries", "stream=nb_read_packets"]
        #expect(try await Reading.probe(folder.path("back.mp4"), sizes) == Reading.probe(source, sizes))
    }

    /// Readers took a stream of four packets for anything but what it is.
    @Test func `A short transport stream can be recognised`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("source.m4a")
        try await make("-f lavfi -i anullsrc=r=8000 -t 0.2 -c:a aac", source)
        _ = try await copy(source, to: folder.path("new.ts"))
        let format = ["-show_entries", "format=format_name:stream=sample_rate,channels"]
        let facts = try await Reading.probe(folder.path("new.ts"), format)
        #expect(facts.contains(["8000", "2"]))
        #expect(facts.contains(["mpegts"]))
    }

    /// The frames said 1024 samples, and players played faster than they should.
    @Test func `Audio that ADTS cannot describe is refused`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("source.m4a")
        try await make("-f lavfi -i anullsrc=r=44100 -t 0.5 -c:a aac", source)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
        // Low complexity, 44.1 kHz, two channels: the next bit stands for frames of 960 samples.
        let configuration = try #require(bytes.range(of: Data([0x12, 0x10])))
        bytes[configuration.upperBound - 1] = 0x14
        try bytes.write(to: URL(fileURLWithPath: source))
        let error = await #expect(throws: AVError.self) { try await copy(source, to: folder.path("new.ts")) }
        #expect(error?.code == .operationNotSupportedForAsset)
        #expect(error?.reason.contains("960") == true)
    }

    /// All but the first segment were lost, and nothing told that what was left are subtitles.
    @Test(
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"),
        arguments: ["ts", "mkv"])
    func `Bitmap subtitles stay whole`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let source = try #require(Fixture.corpus).appendingPathComponent("interlaced/Sony ILCE-7M3 (A7M3).mts").path
        _ = try await copy(source, to: folder.path("new.\(ending)"))
        let entries = ["-select_streams", "s:0", "-show_entries", "stream=codec_name:packet=size"]
        func facts(_ path: String) async throws -> (codecs: Set<String>, bytes: Int) {
            let fields = try await Reading.probe(path, entries).compactMap(\.first)
            return (Set(fields.filter { Int($0) == nil }), fields.compactMap { Int($0) }.reduce(0, +))
        }
        let (made, expected) = (try await facts(folder.path("new.\(ending)")), try await facts(source))
        #expect(made.codecs.contains("hdmv_pgs_subtitle"))
        #expect(made.bytes == expected.bytes)
    }
}
