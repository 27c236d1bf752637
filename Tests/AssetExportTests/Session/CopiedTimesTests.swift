import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

/// When copied samples are shown, and for how long.
@Suite("Times of copied samples", .timeLimit(.minutes(5)))
struct CopiedTimesTests {
    private static func copy(_ source: URL, to path: String) async throws -> ExportResult {
        try await CopiedPictureTests.copy(source, to: path) { $0.auditDepth = .full }
    }

    /// Pictures of the first track that another program decodes, and when the first one is shown.
    private static func decoded(_ path: String) async throws -> (count: Int, start: Double?) {
        let frames = try await Reading.probe(
            path, ["-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time"])
        let times = frames.compactMap { $0.first.flatMap(Double.init) }
        return (times.count, times.min())
    }

    /// A film of HEVC, entered at its second sync sample, which two pictures precede that need nothing from before.
    private static func enteredFilm(in folder: TemporaryFolder) async throws -> URL {
        let whole = folder.path("whole.ts")
        let options = "log-level=none:keyint=20:min-keyint=20:no-open-gop=1:radl=2:bframes=3:b-adapt=0"
        let arguments =
            "-v error -f lavfi -i testsrc=size=128x96:rate=25:duration=2 -f lavfi -i sine=440:d=2 -pix_fmt yuv420p "
            + "-c:v libx265 -x265-params \(options) -c:a aac"
        let made = try await CommandRun.run("ffmpeg", arguments.split(separator: " ").map(String.init) + [whole])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        let packets = try await Reading.probe(whole, ["-select_streams", "v:0", "-show_entries", "packet=pos,flags"])
        let entries = packets.filter { $0.count > 1 && $0[1].hasPrefix("K") }.compactMap { Int($0[0]) }
        try #require(entries.count > 1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        let url = URL(fileURLWithPath: folder.path("entered.ts"))
        // Three packets of tables come first.
        try (bytes.prefix(3 * 188) + bytes.dropFirst(entries[1])).write(to: url)
        return url
    }

    @Test(arguments: ["mp4", "mov"])
    func `Frames that precede the first sync sample are shown if they can be decoded`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let source = try await Self.enteredFilm(in: folder)
        let (path, expected) = (folder.path("new.\(ending)"), try await Self.decoded(source.path))
        let result = try await Self.copy(source, to: path)
        #expect(result.losses.filter { !$0.isForeseen } == [])
        let made = try await Self.decoded(path)
        #expect(expected.count == 32 && made.count == expected.count)
        // Both begin with the sound.
        let sound = try await Reading.probe(
            source.path, ["-select_streams", "a:0", "-show_entries", "stream=start_time"])
        let origin = try #require(sound.first?.first.flatMap(Double.init))
        #expect(abs(try #require(made.start) - (try #require(expected.start) - origin)) < 0.001)
    }

    @Test(
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"),
        arguments: [
            ("aspect/hdv-720p60.mov", "mp4"), ("interlaced/xdcam-hd-1080i50.mov", "mp4"),
            ("interlaced/Sony ILCE-7M3 (A7M3).mts", "mp4"), ("interlaced/Sony ILCE-7M3 (A7M3).mts", "mov"),
        ])
    func `Recordings of cameras that begin with a group of their own show all their frames`(
        _ name: String, _ ending: String
    ) async throws {
        let folder = try TemporaryFolder()
        let source = try #require(Fixture.corpus).appendingPathComponent(name)
        let path = folder.path("new.\(ending)")
        let result = try await Self.copy(source, to: path)
        #expect(result.losses.filter { !$0.isForeseen } == [])
        #expect(try await Self.decoded(path).count == Self.decoded(source.path).count)
    }

    /// Nothing in a transport stream tells when a picture ends.
    @Test(.enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"))
    func `A long last frame that a transport stream cannot hold is named as lost`() async throws {
        let folder = try TemporaryFolder()
        let source = try #require(Fixture.corpus).appendingPathComponent("vfr/cursed-vfr.mp4")
        let losses = try await Self.copy(source, to: folder.path("new.ts")).losses
        #expect(losses.filter { !$0.isForeseen } == [])
        #expect(losses.contains { $0.trait == .times && $0.item.contains("last picture") && $0.effect == .changed })
        let matroska = try await Self.copy(source, to: folder.path("new.mkv")).losses
        #expect(!matroska.contains { $0.trait == .times })
    }

    @Test(
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"),
        arguments: [
            ("audio-other/sample_opus.mp4", "m4a", 1.003), ("audio-other/example.opus", "mp4", 11.35471),
            ("itunes-meta/Apple  voice memo.m4a", "ts", 1.024), ("playlist/400x300_seg0_5s.ts", "m4a", 5.01551),
            ("corrupt/0-timescale.mp4", "mp4", 0.2),
        ])
    func `Copied audio and video keep their durations`(
        _ name: String, _ ending: String, _ seconds: Double
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("new.\(ending)")
        let result = try await Self.copy(try #require(Fixture.corpus).appendingPathComponent(name), to: path)
        #expect(result.losses.filter { !$0.isForeseen && $0.kind == .media } == [])
        let duration = try await AVURLAsset(url: URL(fileURLWithPath: path)).load(.duration)
        #expect(abs(duration.seconds - seconds) < 0.001)
        guard ending != "ts" else { return }
        let header = try await Reading.probe(path, ["-show_entries", "format=duration"])
        #expect(abs(try #require(header.first?.first.flatMap(Double.init)) - seconds) < 0.001)
    }

    /// A recording that was cut out of a longer one leaves out 65,535 samples first.
    @Test(
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"),
        arguments: [0.0, 0.7, 3.0])
    func `Audio is whole where decoders leave out more than a second first`(_ start: Double) async throws {
        let source = try #require(Fixture.corpus).appendingPathComponent("audio-other/example.opus")
        let folder = try TemporaryFolder()
        let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: source), presetName: "wav"))
        session.timeRange = CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 1000), duration: CMTime(value: 2, timescale: 1))
        let output = folder.path("new.wav")
        try await session.export(to: URL(fileURLWithPath: output), as: .wav)
        let whole = try await samples(source.path)
        let made = try await samples(output)
        try #require(made.count == 96000)
        let first = Int(start * 48000)
        let differences = zip(made, whole[first...]).map { abs(Int($0) - Int($1)) }
        #expect(differences.allSatisfy { $0 <= 8 }, "\(differences.max() ?? 0)")
    }

    private func samples(_ path: String) async throws -> [Int16] {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", "48000", "-"])
        return run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }
}
