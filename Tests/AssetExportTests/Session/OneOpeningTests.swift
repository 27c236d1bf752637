import AssetExport
import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaIO
import MediaImage
import MediaTestSupport
import Testing

@Suite("Assets that are opened once", .timeLimit(.minutes(5)))
struct OneOpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func asset(_ name: String, _ broker: CountingBroker) throws -> AVURLAsset {
        let path = folder.path(name)
        try FileManager.default.copyItem(atPath: Fixture(name).path, toPath: path)
        return AVURLAsset(
            url: URL(fileURLWithPath: path), options: [AVURLAssetFileAccessKey: FileAccess(through: broker)])
    }

    /// All that is asked of an asset comes from one opening, in containers whose readers differ.
    @Test(arguments: ["movie.mp4", "fragmented.mp4", "cues.mkv", "h264.ts", "h264.avi", "theora.ogv", "audio-only.mp3"])
    func `Properties, metadata, stills and an export open a file once`(name: String) async throws {
        let broker = CountingBroker()
        let asset = try asset(name, broker)
        let (duration, metadata) = try await asset.load(.duration, .metadata)
        #expect(duration > .zero)
        _ = metadata
        if try await !asset.loadTracks(withMediaType: .video).isEmpty {
            let generator = AVAssetImageGenerator(asset: asset)
            for seconds in [0.5, 0.1] {
                _ = try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600))
            }
        }
        let session = AVAssetExportSession(asset: asset, preset: try ExportPresetCatalog.builtIn.preset("passthrough"))
        session.auditDepth = .full
        try await session.export(to: folder.url.appendingPathComponent("out.mkv"), as: .matroska)
        #expect(broker.opened == [asset.url.path: 1])
    }

    @Test func `An asset goes on after its file was removed`() async throws {
        let asset = try asset("movie.mp4", CountingBroker())
        _ = try await asset.load(.duration)
        try FileManager.default.removeItem(at: asset.url)
        let image = try await AVAssetImageGenerator(asset: asset).image(at: CMTime(value: 1, timescale: 1)).image
        #expect(image.width == 320)
        let session = AVAssetExportSession(asset: asset, preset: try ExportPresetCatalog.builtIn.preset("passthrough"))
        let url = folder.url.appendingPathComponent("out.mp4")
        try await session.export(to: url, as: .mp4)
        #expect(try await AVURLAsset(url: url).load(.duration) == CMTime(value: 10, timescale: 1))
    }

    /// What takes the name of a file is another file.
    @Test func `A composition is of the files that were put into it`() async throws {
        let asset = try asset("movie.mp4", CountingBroker())
        let composition = AVMutableComposition()
        let whole = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
        try await composition.insertTimeRange(whole, of: asset, at: .zero)
        try FileManager.default.removeItem(at: asset.url)
        let session = AVAssetExportSession(asset: composition, preset: try ExportPresetCatalog.builtIn.preset("low"))
        let url = folder.url.appendingPathComponent("out.mp4")
        try await session.export(to: url, as: .mp4)
        #expect(try await AVURLAsset(url: url).load(.duration) == whole.duration)
    }
}
