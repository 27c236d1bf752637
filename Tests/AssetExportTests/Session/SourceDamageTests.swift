import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

/// What exports notice of sources that are not what they seem.
@Suite("Sources that are cut off, joined or replaced", .timeLimit(.minutes(5)))
struct SourceDamageTests {
    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: Fixture(name).url) }

    private func write(_ data: Data, _ name: String, in folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }

    /// What was left was copied, and nothing said.
    @Test(arguments: [
        ("h264.ts", 0.8), ("theora.ogv", 0.5), ("theora.ogv", 0.97), ("wmv2.asf", 0.5), ("wmv2.asf", 0.97),
    ])
    func `A copy of a truncated source says so, or fails where that is strict`(_ name: String, part: Double)
        async throws
    {
        let folder = try TemporaryFolder()
        let whole = try bytes(name)
        let url = try write(whole.prefix(Int(Double(whole.count) * part)), "cut-\(name)", in: folder)
        await #expect(throws: AVError.self) {
            _ = try await CopiedPictureTests.copy(
                url, to: folder.path("new.mkv"), options: [AVURLAssetRefusesTornEndsKey: true])
        }
        let result = try await CopiedPictureTests.copy(url, to: folder.path("new.mkv"))
        #expect(result.warnings.contains { $0.contains("cut off") })
        #expect(result.losses.contains { $0.item == "the end of the source" })
        let intact = try await CopiedPictureTests.copy(Fixture(name).url, to: folder.path("whole.mkv"))
        #expect(intact.warnings.isEmpty)
    }

    /// Half of it was called damaged, or lasted for hours.
    @Test(arguments: [0, 3600, 80_000])
    func `Joined recordings become one media file, with a warning`(_ offset: Int) async throws {
        let folder = try TemporaryFolder()
        let late = folder.path("late.ts")
        try await Reading.ffmpeg(
            ["-i", Fixture("h264.ts").path, "-c", "copy", "-output_ts_offset", "\(offset)", late])
        let url = try write(
            bytes("h264.ts") + Data(contentsOf: URL(fileURLWithPath: late)), "joined.ts", in: folder)
        let result = try await CopiedPictureTests.copy(url, to: folder.path("new.mkv"))
        #expect(result.warnings.contains { $0.contains("recordings were joined") })
        let pictures = try await Reading.pictures(folder.path("new.mkv"))
        #expect(pictures.map(\.number) == Array(0..<100) + Array(0..<100))
        let steps = zip(pictures.dropFirst(), pictures).map { ($0.time - $1.time).seconds }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 0.2 })
    }

    /// Information was that of one file, frames those of another.
    @Test(arguments: [AVAssetExportPresetPassthrough, "m4a"])
    func `A file that is replaced between planning and reading is the one that was planned`(
        preset: String
    ) async throws {
        let folder = try TemporaryFolder()
        let url = try write(bytes("movie.mp4"), "source.mp4", in: folder)
        let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: url), presetName: preset))
        let type = preset == "m4a" ? AVFileType.m4a : .mp4
        _ = try await session.plan(for: type)
        try FileManager.default.removeItem(at: url)
        try bytes("audio-longer.mp4").write(to: url)
        let (made, whole) = (folder.url.appendingPathComponent("new"), folder.url.appendingPathComponent("whole"))
        try await session.export(to: made, as: type)
        let source = try #require(AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: preset))
        try await source.export(to: whole, as: type)
        #expect(try await AVURLAsset(url: made).load(.duration) == AVURLAsset(url: whole).load(.duration))
        #expect(try #require(session.result).byteCount == #require(source.result).byteCount)
    }

    @Test(arguments: [AVAssetExportPresetPassthrough, "m4a"])
    func `A file that is changed between planning and reading is an error`(preset: String) async throws {
        let folder = try TemporaryFolder()
        let url = try write(bytes("movie.mp4"), "source.mp4", in: folder)
        let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: url), presetName: preset))
        let type = preset == "m4a" ? AVFileType.m4a : .mp4
        _ = try await session.plan(for: type)
        let handle = try FileHandle(forUpdating: url)
        try handle.write(contentsOf: bytes("audio-longer.mp4"))
        await #expect(throws: AVError.self) {
            try await session.export(to: folder.url.appendingPathComponent("new"), as: type)
        }
        #expect(try folder.contents() == ["source.mp4"])
    }

    /// It was cut to the duration, and nothing said.
    @Test(arguments: ["mp4", "mkv"])
    func `A range beyond the end is reported, or an error where it has to be exact`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let range = CMTimeRange(start: seconds(2), end: seconds(100))
        let result = try await CopiedPictureTests.copy(
            Fixture("movie.mp4").url, to: folder.path("new.\(ending)")
        ) { $0.timeRange = range }
        #expect(result.warnings.contains { $0.contains("100 s") && $0.contains("10 s") })
        await #expect(throws: AVError.self) {
            _ = try await CopiedPictureTests.copy(Fixture("movie.mp4").url, to: folder.path("b.\(ending)")) {
                $0.timeRange = range
                $0.requiresExactTimeRange = true
            }
        }
        let whole = try await CopiedPictureTests.copy(
            Fixture("movie.mp4").url, to: folder.path("c.\(ending)")
        ) {
            $0.timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
            $0.requiresExactTimeRange = true
        }
        #expect(whole.warnings.isEmpty)
    }

    @Test func `An exact range of copied frames is an error where only a sync sample can begin`() async throws {
        let folder = try TemporaryFolder()
        let range = CMTimeRange(start: seconds(2.1), end: seconds(5))
        await #expect(throws: AVError.self) {
            _ = try await CopiedPictureTests.copy(Fixture("movie.mp4").url, to: folder.path("a.mkv")) {
                $0.timeRange = range
                $0.requiresExactTimeRange = true
            }
        }
        let result = try await CopiedPictureTests.copy(Fixture("movie.mp4").url, to: folder.path("a.mp4")) {
            $0.timeRange = range
            $0.requiresExactTimeRange = true
        }
        #expect(result.actualRange == range)
    }
}
