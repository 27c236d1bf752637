import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaTestSupport
import SampleBuffers
import Testing

/// Noise after a grey beginning: encoders cannot know what is to come.
@Suite("A limit on the file's length", .serialized, .timeLimit(.minutes(15)))
struct LengthLimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source() async throws -> URL {
        let path = folder.path("source.mkv")
        try await Reading.ffmpeg([
            "-f", "lavfi", "-i", "color=gray:s=160x120:r=25:d=1", "-f", "lavfi", "-i",
            "testsrc2=s=160x120:r=25:d=1,noise=alls=100:allf=t+u:all_seed=7", "-f", "lavfi", "-i",
            "anoisesrc=d=2:r=48000:seed=3", "-filter_complex", "[0][1]concat=n=2[v]", "-map", "[v]", "-map", "2",
            "-c:v", "ffv1", "-c:a", "pcm_s16le", path,
        ])
        return URL(fileURLWithPath: path)
    }

    @Test(arguments: Tier.some(["high", "mp3", "opus", "m4a", "hevc-high", "webm-vp9", "webm-av1"], 2))
    func `A limit on the file's length is kept by every encoder, or there is no file`(_ preset: String) async throws {
        let source = try await source()
        var made = 0
        for limit: Int64 in [30_000, 60_000, 120_000, 240_000] {
            let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: source), presetName: preset))
            session.fileLengthLimit = limit
            let type = try #require(session.supportedFileTypes.first)
            let url = folder.url.appendingPathComponent("\(limit).\(type.preferredFilenameExtension)")
            do {
                try await session.export(to: url, as: type)
            } catch {
                #expect((error as? AVError)?.code == .maximumFileSizeReached, "\(error)")
                #expect(!FileManager.default.fileExists(atPath: url.path))
                continue
            }
            made += 1
            let size = try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int64)
            #expect(size <= limit)
            #expect(session.progress == 1)
        }
        #expect(made > 0)
    }

    /// Samples that stay as they are were only estimated in containers without an index.
    @Test func `A limit on the file's length is an error for copied samples`() async throws {
        let session = try #require(
            AVAssetExportSession(asset: AVURLAsset(url: try await source()), presetName: "passthrough"))
        session.fileLengthLimit = 10_000
        let url = folder.url.appendingPathComponent("copy.mkv")
        let error = await #expect(throws: AVError.self) { try await session.export(to: url, as: .matroska) }
        #expect(error?.code == .maximumFileSizeReached)
        #expect(try folder.contents() == ["source.mkv"])
    }
}
