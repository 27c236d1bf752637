import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

/// What a range holds when coded samples stay as they are; times are ffprobe's of the fixtures.
@Suite("Ranges of passthrough", .timeLimit(.minutes(5)))
struct ExportRangeTests {
    private func export(
        _ name: String, _ start: CMTime, _ end: CMTime, to ending: String, in folder: TemporaryFolder
    ) async throws -> ExportResult {
        let session = try #require(
            AVAssetExportSession(asset: Fixture(name).asset, presetName: AVAssetExportPresetPassthrough))
        session.timeRange = CMTimeRange(start: start, end: end)
        try await session.export(
            to: folder.url.appendingPathComponent("new.\(ending)"),
            as: try #require(AVFileType(filenameExtension: ending)))
        return try #require(session.result)
    }

    /// The first packets of a Matroska file have no decode times: reading stopped at one that is shown later, and the
    /// trim began with the keyframe instead of the picture asked for.
    @Test func `A trim to MOV begins with the frame on screen, in the first GOP of Matroska too`() async throws {
        let folder = try TemporaryFolder()
        let milliseconds = { (value: Int64) in CMTime(value: value, timescale: 1000) }
        let result = try await export("no-cues.mkv", milliseconds(142), milliseconds(3621), to: "mov", in: folder)
        #expect(result.actualRange.start == milliseconds(141))
    }

    @Test func `A trim that only a sync sample can begin says where it begins`() async throws {
        let folder = try TemporaryFolder()
        let result = try await export(
            "movie.mp4", CMTime(value: 3, timescale: 2), CMTime(value: 3, timescale: 1), to: "mkv", in: folder)
        #expect(result.requestedRange.start == CMTime(value: 3, timescale: 2))
        #expect(result.actualRange.start == CMTime(value: 1, timescale: 1))
    }

    @Test func `Audio of a QuickTime movie gets the form of MP4, and back`() async throws {
        let folder = try TemporaryFolder()
        for (name, ending) in [("movie.mov", "mp4"), ("movie.mp4", "mov")] {
            let path = folder.path("new.\(ending)")
            let result = try await export(name, .zero, CMTime(value: 2, timescale: 1), to: ending, in: folder)
            #expect(result.losses.isEmpty)
            let probe = try await CommandRun.run(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "a", "-show_entries",
                    "stream=codec_name,profile,sample_rate,channels",
                    "-of", "csv=p=0", path,
                ])
            #expect(probe.output == "aac,LC,48000,2\n")
            #expect(probe.errorOutput.isEmpty)
            let decoding = try await CommandRun.run(
                "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-map", "0:a", "-f", "null", "-"])
            #expect(decoding.exitCode == 0 && decoding.errorOutput.isEmpty)
        }
    }

    /// A file was made that nothing can open.
    @Test func `A source without samples is an error and makes no file`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("silent.aiff")
        let made = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "anullsrc=r=8000:d=1", "-frames:a", "0", source])
        try #require(made.exitCode == 0)
        let session = try #require(
            AVAssetExportSession(asset: AVURLAsset(url: URL(fileURLWithPath: source)), presetName: "mp3"))
        await #expect(throws: (any Error).self) {
            try await session.export(to: folder.url.appendingPathComponent("new.mp3"), as: .mp3)
        }
        #expect(try folder.contents() == ["silent.aiff"])
    }

    /// The muxer that M4V files usually get refuses HEVC; the presets offered them all the same.
    @Test(
        arguments: Tier.some(
            [("low", "movie.mov"), ("hevc-high", "movie.mov"), ("prores-422", "movie.mov")]
                + [("webm-av1", "movie.mov"), ("opus", "movie.mov")], 2)
            + [("passthrough", "audio-only.mp3"), ("passthrough", "audio-only.flac"), ("passthrough", "vp9.webm")])
    func `Every kind of file that a preset offers can be made`(_ name: String, _ source: String) async throws {
        let folder = try TemporaryFolder()
        let asset = Fixture(source).asset
        let types = try #require(AVAssetExportSession(asset: asset, presetName: name)).supportedFileTypes
        let all = try #require(AVAssetExportSession(asset: asset, presetName: name)).preset.fileTypes
        #expect(!types.isEmpty)
        #expect(name != "passthrough" || types.count < all.count)
        for type in types where type != .hls {
            let session = try #require(AVAssetExportSession(asset: asset, presetName: name))
            session.timeRange = CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 5))
            let path = folder.path("\(name).\(type.preferredFilenameExtension)")
            try await session.export(to: URL(fileURLWithPath: path), as: type)
            let decoding = try await CommandRun.run(
                "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
            #expect(decoding.exitCode == 0 && decoding.errorOutput.isEmpty, "\(path): \(decoding.errorOutput)")
        }
    }
}
