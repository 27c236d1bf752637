import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// The code of the articles on exports and on files of strangers.
@Suite struct `Code on exports` {
    let url = Fixture("movie.mp4").url
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func output(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

    @Test func `Documented code trims without loss`() async throws {
        let output = output("trim.mp4")
        // code: trim
        let asset = AVURLAsset(url: url)
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            return
        }
        session.timeRange = CMTimeRange(
            start: CMTime(value: 30, timescale: 25), end: CMTime(value: 100, timescale: 25))
        try await session.export(to: output, as: .mp4)
        // end of code
        let trim = AVAssetImageGenerator(asset: AVURLAsset(url: output))
        trim.requestedTimeToleranceBefore = .zero
        trim.requestedTimeToleranceAfter = .zero
        #expect(try await trim.image(at: .zero).image.frameNumber == 30)
        #expect(try await AVURLAsset(url: output).load(.duration) == CMTime(value: 70, timescale: 25))
    }

    @Test func `Documented code follows the progress of an export`() async throws {
        let output = output("low.mp4")
        let asset = AVURLAsset(url: url)
        // code: progress
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetLowQuality) else {
            return
        }
        async let export: Void = session.export(to: output, as: .mp4)
        for await state in session.states(updateInterval: 0.5) {
            if case .exporting(let progress) = state { print(progress.fractionCompleted) }
        }
        try await export
        // end of code
        #expect(FileManager.default.fileExists(atPath: output.path))
    }

    @Test func `Documented code lists the losses of an export`() async throws {
        let output = output("film.mkv")
        let asset = AVURLAsset(url: Fixture("movie.mov").url)
        // code: losses
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            return
        }
        let plan = try await session.plan(for: .matroska)
        for loss in plan.losses { print(loss.kind, loss.item, loss.reason) }
        try await session.export(to: output, as: .matroska)
        for loss in session.result?.losses ?? [] where !loss.isForeseen { print("not foreseen:", loss.item) }
        // end of code
        #expect(session.result != nil)
    }

    @Test func `Documented code exports for sharing without the location`() async throws {
        let output = output("shared.mov")
        let asset = AVURLAsset(url: Fixture("movie.mov").url)
        // code: sharing
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            return
        }
        session.metadataItemFilter = .forSharing()
        try await session.export(to: output, as: .mov)
        // end of code
        let items = try await AVURLAsset(url: output).load(.metadata)
        #expect(
            AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .quickTimeMetadataLocationISO6709).isEmpty)
        #expect(
            !AVMetadataItem.metadataItems(
                from: items, filteredByIdentifier: AVMetadataIdentifier(rawValue: "mdta/title")
            )
            .isEmpty)
    }

    @Test func `Documented code sets limits on an asset`() async throws {
        let upload = URL(fileURLWithPath: Fixture("movie.mp4").path)
        // code: limits
        var limits = MediaLimits()
        limits.pixels = 4096 * 4096
        limits.time = .seconds(5)
        let small = AVURLAsset(url: upload, options: [AVURLAssetLimitsKey: limits])
        // end of code
        #expect(try await small.load(.duration).seconds == 10)
        limits.pixels = 1000
        let tiny = AVURLAsset(url: upload, options: [AVURLAssetLimitsKey: limits])
        let error = await #expect(throws: AVError.self) { try await tiny.load(.duration) }
        #expect((error?.underlying as? MediaLimitError)?.limit == .pixels)
    }

    @Test func `Documented code loads an asset in a worker`() async throws {
        let upload = URL(fileURLWithPath: Fixture("movie.mp4").path)
        // code: isolation
        let isolated = AVURLAsset(url: upload, options: [AVURLAssetIsolationKey: AssetIsolation.worker])
        do {
            print(try await isolated.load(.duration, .metadata))
        } catch let error as AVError {
            // A crash of the worker, or none at all: `AssetIsolationError` says which.
            print(error.underlying is AssetIsolationError, error.localizedDescription)
        }
        // end of code
    }

    @Test func `Documented code catches the error of a file that is no media file`() async throws {
        let upload = URL(fileURLWithPath: folder.path("upload"))
        try Data("no film".utf8).write(to: upload)
        var code: AVError.Code?
        // code: errors
        do {
            print(try await AVURLAsset(url: upload).load(.duration))
        } catch let error as AVError where error.underlying is MediaLimitError {
            print("it asks for too much:", error.reason)
        } catch let error as AVError {
            print(error.code, error.localizedDescription)
            code = error.code
        }
        // end of code
        #expect(code == .fileFormatNotRecognized)
    }
}
