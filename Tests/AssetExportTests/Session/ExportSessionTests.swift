import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Synchronization
import Testing

/// Expected values are AVFoundation's documented behaviour and what ffprobe says of the files.
@Suite("Export sessions", .timeLimit(.minutes(5)))
struct ExportSessionTests {
    private static let range = CMTimeRange(
        start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 3, timescale: 1))

    private func session(_ preset: String, _ name: String = "movie.mp4") throws -> AVAssetExportSession {
        try #require(AVAssetExportSession(asset: Fixture(name).asset, presetName: preset))
    }

    @Test func `An unknown preset name makes no session`() {
        #expect(AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: "AVAssetExportPresetNone") == nil)
    }

    @Test func `Default values of an export session are AVFoundation's`() throws {
        let session = try session(AVAssetExportPreset1280x720)
        #expect(session.presetName == "AVAssetExportPreset1280x720")
        #expect(session.status == .unknown)
        #expect(session.progress == 0)
        #expect(session.error == nil)
        #expect(session.metadata == nil)
        #expect(session.metadataItemFilter == nil)
        #expect(session.outputURL == nil)
        #expect(session.outputFileType == nil)
        #expect(!session.shouldOptimizeForNetworkUse)
        #expect(session.fileLengthLimit == 0)
        #expect(session.timeRange.start == .zero)
        #expect(session.timeRange.duration == .positiveInfinity)
        #expect(!session.canPerformMultiplePassesOverSourceMediaData)
        #expect(session.directoryForTemporaryFiles == nil)
        #expect(session.audioTrackGroupHandling == [])
        #expect(session.allowsParallelizedExport)
    }

    @Test func `A range of a movie is exported, and the session says so`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetPassthrough)
        session.timeRange = Self.range
        let url = folder.url.appendingPathComponent("cut.mp4")
        try await session.export(to: url, as: .mp4)
        #expect(session.status == .completed)
        #expect(session.progress == 1)
        #expect(session.error == nil)
        #expect(session.result?.actualRange == Self.range)
        #expect(try folder.contents() == ["cut.mp4"])
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(session.result.map { Int($0.byteCount) } == attributes[.size] as? Int)
        let probe = try await CommandRun.run(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", url.path])
        #expect(probe.output.trimmingCharacters(in: .whitespacesAndNewlines) == "3.000000")
    }

    @Test func `An export session can be used only once`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetPassthrough)
        try await session.export(to: folder.url.appendingPathComponent("one.mp4"), as: .mp4)
        let error = await #expect(throws: AVError.self) {
            try await session.export(to: folder.url.appendingPathComponent("two.mp4"), as: .mp4)
        }
        #expect(error?.code == .operationNotAllowed)
        #expect(try folder.contents() == ["one.mp4"])
        #expect(session.status == .completed)
    }

    @Test func `A destination that exists is an error, and the file there stays`() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("taken.mp4")
        try Data("mine".utf8).write(to: url)
        let session = try session(AVAssetExportPresetPassthrough)
        let error = await #expect(throws: AVError.self) { try await session.export(to: url, as: .mp4) }
        #expect(error?.code == .fileAlreadyExists)
        #expect(error?.errorCode == -11823)
        #expect(session.status == .failed)
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
        let replacing = try self.session(AVAssetExportPresetPassthrough)
        replacing.replacesExistingFile = true
        try await replacing.export(to: url, as: .mp4)
        #expect(try Data(contentsOf: url).count > 1000)
    }

    @Test func `A kind of file that the preset does not make is an error`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetAppleM4A)
        #expect(session.supportedFileTypes == [.m4a])
        let error = await #expect(throws: AVError.self) {
            try await session.export(to: folder.url.appendingPathComponent("sound.mov"), as: .mov)
        }
        #expect(error?.code == .operationNotSupportedForPreset)
        #expect(try folder.contents().isEmpty)
    }

    @Test func `An audio preset is incompatible with a video without audio`() async throws {
        let asset = Fixture("vfr.mp4").asset
        #expect(
            await !AVAssetExportSession.compatibility(
                ofExportPreset: AVAssetExportPresetAppleM4A, with: asset, outputFileType: nil))
        #expect(
            await AVAssetExportSession.compatibility(
                ofExportPreset: AVAssetExportPreset640x480, with: asset, outputFileType: .mp4))
        #expect(
            await !AVAssetExportSession.compatibility(
                ofExportPreset: AVAssetExportPreset640x480, with: asset, outputFileType: .wav))
    }

    @Test func `The list of presets leaves out passthrough and has no duplicates`() {
        let names = AVAssetExportSession.allExportPresets()
        #expect(names.contains(AVAssetExportPresetMediumQuality))
        #expect(!names.contains(AVAssetExportPresetPassthrough))
        #expect(Set(names).count == names.count)
    }

    @Test func `The older export method leaves its outcome in properties`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetPassthrough)
        session.outputURL = folder.url.appendingPathComponent("old.mov")
        session.outputFileType = .mov
        session.timeRange = Self.range
        await session.export()
        #expect(session.status == .completed)
        #expect(try folder.contents() == ["old.mov"])
    }

    @Test func `The URL's extension is the file type where none is set`() async throws {
        let folder = try TemporaryFolder()
        for (name, brand) in [("a.mov", "qt  "), ("b.MP4", "isom"), ("c.m4v", "M4V ")] {
            let session = try session(AVAssetExportPresetPassthrough)
            let url = folder.url.appendingPathComponent(name)
            session.outputURL = url
            session.timeRange = Self.range
            await session.export()
            #expect(session.status == .completed, "\(name): \(String(describing: session.error))")
            let probe = try await CommandRun.run(
                "ffprobe", ["-v", "error", "-show_entries", "format_tags=major_brand", "-of", "csv=p=0", url.path])
            #expect(probe.output.hasPrefix(brand), "\(name): \(probe.output)")
        }
        let session = try session(AVAssetExportPresetPassthrough)
        session.outputURL = folder.url.appendingPathComponent("d.xyz")
        await session.export()
        #expect((session.error as? AVError)?.code == .incorrectlyConfigured)
        #expect(try Set(folder.contents()) == ["a.mov", "b.MP4", "c.m4v"])
    }

    @Test(arguments: ["https://example.com", "ftp://localhost", "file://elsewhere", "data:"])
    func `A URL that is no file's is refused`(_ address: String) async throws {
        let folder = try TemporaryFolder()
        let url = try #require(URL(string: address + folder.url.path + "/x.mp4"))
        let session = try session(AVAssetExportPresetPassthrough)
        let error = await #expect(throws: AVError.self) { try await session.export(to: url, as: .mp4) }
        #expect(error?.code == .incorrectlyConfigured)
        let older = try self.session(AVAssetExportPresetPassthrough)
        (older.outputURL, older.outputFileType) = (url, .mp4)
        await older.export()
        #expect((older.error as? AVError)?.code == .incorrectlyConfigured)
        #expect(try folder.contents().isEmpty)
    }

    @Test(arguments: [("x.mov", AVFileType.mp4), ("x.mp4", .mov), ("x.mkv", .m4a), ("x.txt", .mp4), ("plain", .m4v)])
    func `The type decides what a file is, not the extension of its name`(_ name: String, _ type: AVFileType)
        async throws
    {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent(name)
        let preset = type == .m4a ? AVAssetExportPresetAppleM4A : AVAssetExportPresetPassthrough
        try await session(preset).export(to: url, as: type)
        let brands: [AVFileType: String] = [.mov: "qt  ", .m4a: "M4A ", .m4v: "M4V "]
        #expect(try Data(contentsOf: url)[8..<12] == Data((brands[type] ?? "isom").utf8))
        try FileManager.default.removeItem(at: url)
        let older = try session(preset)
        (older.outputURL, older.outputFileType) = (url, type)
        await older.export()
        #expect(older.status == .completed)
        #expect(try folder.contents() == [name])
    }

    @Test func `The completion handler is called at once where there is no destination`() throws {
        let session = try session(AVAssetExportPresetPassthrough)
        let calls = Mutex(0)
        session.exportAsynchronously { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1)
        #expect(session.status == .failed)
        #expect((session.error as? AVError)?.code == .incorrectlyConfigured)
    }

    @Test func `Cancelling an export leaves nothing and says so`() async throws {
        let folder = try TemporaryFolder()
        // An encoder that takes long enough, and a thread that waits for nobody's tasks.
        let session = try session("webm-av1", "movie.mov")
        let url = folder.url.appendingPathComponent("never.webm")
        Thread.detachNewThread {
            while session.status != .exporting { Thread.sleep(forTimeInterval: 0.001) }
            session.cancelExport()
        }
        await #expect(throws: CancellationError.self) { try await session.export(to: url, as: .webM) }
        #expect(session.status == .cancelled)
        #expect((session.error as? AVError)?.code == .operationCancelled)
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Cancelling before the start cancels the start`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetPassthrough)
        session.cancelExport()
        await #expect(throws: CancellationError.self) {
            try await session.export(to: folder.url.appendingPathComponent("never.mp4"), as: .mp4)
        }
        #expect(session.status == .cancelled)
        #expect(try folder.contents().isEmpty)
    }

    @Test func `States of an export run from pending over waiting to exporting and end`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetLowQuality, "movie.mov")
        let states = session.states(updateInterval: 0.01)
        let watcher = Task { () -> (names: [String], fractions: [Double]) in
            var names: [String] = []
            var fractions: [Double] = []
            for await state in states {
                switch state {
                case .pending: names.append("pending")
                case .waiting: names.append("waiting")
                case .exporting(let progress):
                    if names.last != "exporting" { names.append("exporting") }
                    fractions.append(progress.fractionCompleted)
                }
            }
            return (names, fractions)
        }
        try await session.export(to: folder.url.appendingPathComponent("low.mp4"), as: .mp4)
        let (names, fractions) = await watcher.value
        #expect(names == ["pending", "waiting", "exporting"])
        #expect(fractions == fractions.sorted())
        #expect(fractions.count > 1)
        #expect(fractions.allSatisfy { (0...1).contains($0) })
    }

    @Test func `Estimates of length and duration are there before the export`() async throws {
        let session = try session(AVAssetExportPresetPassthrough)
        session.timeRange = Self.range
        session.outputFileType = .mp4
        let folder = try TemporaryFolder()
        let estimate = try await session.estimatedOutputFileLengthInBytes
        #expect(try await session.estimatedMaximumDuration == Self.range.duration)
        try await session.export(to: folder.url.appendingPathComponent("cut.mp4"), as: .mp4)
        let made = Double(session.result?.byteCount ?? 0)
        #expect(abs(Double(estimate) - made) < made * 0.1)
    }

    @Test func `An export that cannot become small enough is refused beforehand`() async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetPassthrough)
        session.fileLengthLimit = 20_000
        let error = await #expect(throws: AVError.self) {
            try await session.export(to: folder.url.appendingPathComponent("small.mp4"), as: .mp4)
        }
        #expect(error?.code == .maximumFileSizeReached)
        #expect(try folder.contents().isEmpty)
    }

    @Test(arguments: [
        CMTimeRange.zero, .invalid, CMTimeRange(start: CMTime(value: 11, timescale: 1), end: .positiveInfinity),
    ])
    func `A range with nothing in it is refused`(_ range: CMTimeRange) async throws {
        let folder = try TemporaryFolder()
        let session = try session(AVAssetExportPresetPassthrough)
        session.timeRange = range
        await #expect(throws: AVError.self) {
            try await session.export(to: folder.url.appendingPathComponent("none.mp4"), as: .mp4)
        }
        #expect(try folder.contents().isEmpty)
    }
}
