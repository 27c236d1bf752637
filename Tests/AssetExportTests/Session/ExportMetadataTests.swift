import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import MetadataFormats
import SampleBuffers
import Testing

/// Expected values are what the fixture was made with, read by ffprobe.
@Suite("Metadata of exports", .timeLimit(.minutes(5)))
struct ExportMetadataTests {
    private struct Probe: Decodable {
        struct Format: Decodable { var tags: [String: String]? }
        struct Chapter: Decodable {
            var start_time: String
            var end_time: String
            var tags: [String: String]?
        }
        var format: Format
        var chapters: [Chapter]

        init(_ path: String) async throws {
            let run = try await CommandRun.run(
                "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_chapters", path])
            self = try JSONDecoder().decode(Probe.self, from: run.standardOutput)
        }

        /// Values by lower-case keys.
        var tags: [String: String] {
            Dictionary((format.tags ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        }
    }

    private func export(
        _ name: String, preset: String, to fileName: String, as fileType: AVFileType, in folder: TemporaryFolder,
        _ change: (AVAssetExportSession) throws -> Void = { _ in }
    ) async throws -> (probe: Probe, result: ExportResult) {
        let session = try #require(AVAssetExportSession(asset: Fixture(name).asset, presetName: preset))
        try change(session)
        let url = folder.url.appendingPathComponent(fileName)
        try await session.export(to: url, as: fileType)
        return (try await Probe(url.path), try #require(session.result))
    }

    @Test(
        arguments: Tier.some(
            [
                (AVAssetExportPresetPassthrough, "mov"), (AVAssetExportPresetPassthrough, "mp4"),
                ("passthrough", "mkv"),
                (AVAssetExportPresetLowQuality, "mov"), (AVAssetExportPresetLowQuality, "mp4"), ("webm-vp9", "webm"),
                (AVAssetExportPresetAppleM4A, "m4a"), ("mp3", "mp3"), ("opus", "opus"),
            ], 4))
    func `Title and artist are there in every kind of file`(_ preset: String, _ ending: String) async throws {
        let folder = try TemporaryFolder()
        let source = try await Probe(Fixture("movie.mov").path)
        let (probe, _) = try await export(
            "movie.mov", preset: preset, to: "new.\(ending)", as: try #require(AVFileType(filenameExtension: ending)),
            in: folder
        ) { $0.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1)) }
        var tags = probe.tags
        // ffprobe shows Ogg's comments with the stream.
        if ending == "opus" {
            tags = [:]
            let file = try MetadataFile(url: folder.url.appendingPathComponent("new.opus"))
            tags["title"] = file.mediaItem.name
            tags["artist"] = file.mediaItem.artist
        }
        #expect(tags["title"] == source.tags["title"])
        #expect(tags["artist"] == source.tags["artist"])
    }

    @Test func `The date and the place of a phone's movie are kept`() async throws {
        let folder = try TemporaryFolder()
        let source = try await Probe(Fixture("movie.mov").path).tags
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetLowQuality] {
            let (probe, _) = try await export(
                "movie.mov", preset: preset, to: "\(preset).mov", as: .mov, in: folder)
            for key in [
                "com.apple.quicktime.creationdate", "com.apple.quicktime.location.iso6709",
                "com.apple.quicktime.make", "com.apple.quicktime.model", "creation_time",
            ] {
                #expect(probe.tags[key] == source[key], "\(key) with \(preset)")
            }
        }
    }

    @Test func `A filter for sharing drops places, devices and dates, and keeps the title`() async throws {
        let folder = try TemporaryFolder()
        let (probe, _) = try await export(
            "movie.mov", preset: AVAssetExportPresetPassthrough, to: "safe.mov", as: .mov, in: folder
        ) { $0.metadataItemFilter = .forSharing() }
        #expect(probe.tags["com.apple.quicktime.location.iso6709"] == nil)
        #expect(probe.tags["title"] != nil)
        for key in ["com.apple.quicktime.make", "com.apple.quicktime.creationdate", "creation_time"] {
            #expect(probe.tags[key] == nil, "\(key)")
        }
    }

    @Test func `Items that a client sets replace the asset's, and the filter does not touch them`() async throws {
        let folder = try TemporaryFolder()
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "common/title")
        item.value = "Mine" as NSString
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetLowQuality] {
            let (probe, _) = try await export(
                "movie.mp4", preset: preset, to: "\(preset).mp4", as: .mp4, in: folder
            ) { session in
                session.metadata = [item]
                session.metadataItemFilter = .forSharing()
            }
            #expect(probe.tags["title"] == "Mine")
            #expect(probe.tags["artist"] == nil)
        }
    }

    @Test func `Items that cannot be written are losses`() async throws {
        let folder = try TemporaryFolder()
        let (empty, nameless) = (AVMutableMetadataItem(), AVMutableMetadataItem())
        empty.identifier = .commonIdentifierTitle
        nameless.value = "x" as NSString
        let session = try #require(
            AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: AVAssetExportPresetPassthrough))
        session.metadata = [empty, nameless]
        try await session.export(to: folder.url.appendingPathComponent("a.mp4"), as: .mp4)
        let losses = try #require(session.result).losses
        #expect(losses.contains { $0.item == "common/title" && $0.reason == "it has no value that can be written" })
        #expect(losses.contains { $0.item == "an item of metadata" && $0.reason == "it has no key" })
    }

    @Test(arguments: ["tiff", "webp"]) func `Covers become what players of movies open`(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.\(kind)")
        let made = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", path])
        #expect(made.exitCode == 0)
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierArtwork
        item.value = NSData(data: try Data(contentsOf: URL(fileURLWithPath: path)))
        item.dataType = kCMMetadataBaseDataType_PNG as String
        let session = try #require(
            AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: AVAssetExportPresetPassthrough))
        session.metadata = [item]
        let url = folder.url.appendingPathComponent("a.mp4")
        try await session.export(to: url, as: .mp4)
        let losses = try #require(session.result).losses
        #expect(losses.contains { $0.item == "common/artwork" && $0.effect == .changed })
        let cover = folder.path("cover.png")
        let read = try await CommandRun.run("ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:v:1", cover])
        #expect(read.exitCode == 0)
        let frames = ["-pix_fmt", "rgb24", "-f", "md5", "-"]
        let old = try await CommandRun.run("ffmpeg", ["-v", "error", "-i", path] + frames)
        let new = try await CommandRun.run("ffmpeg", ["-v", "error", "-i", cover] + frames)
        if kind == "tiff" { #expect(old.standardOutput == new.standardOutput) }
        #expect(try Data(contentsOf: url).range(of: Data("covr".utf8)) != nil)
    }

    @Test func `An audio mix that changes nothing does not keep samples from being copied`() async throws {
        let folder = try TemporaryFolder()
        let session = try #require(
            AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: AVAssetExportPresetPassthrough))
        session.audioMix = AVMutableAudioMix()
        try await session.export(to: folder.url.appendingPathComponent("a.mp4"), as: .mp4)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [AVMutableAudioMixInputParameters()]
        let second = try #require(
            AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: AVAssetExportPresetPassthrough))
        second.audioMix = mix
        try await second.export(to: folder.url.appendingPathComponent("b.mp4"), as: .mp4)
    }

    @Test func `An empty list of items makes a file without metadata`() async throws {
        let folder = try TemporaryFolder()
        let (probe, _) = try await export(
            "movie.mp4", preset: AVAssetExportPresetPassthrough, to: "bare.mp4", as: .mp4, in: folder
        ) { $0.metadata = [] }
        #expect(probe.tags["title"] == nil)
        #expect(probe.tags["comment"] == nil)
    }

    @Test func `Single items of metadata are set and removed by name`() async throws {
        let folder = try TemporaryFolder()
        for (preset, ending) in [("passthrough", "mp4"), ("passthrough", "mkv"), ("low", "mp4")] {
            let (probe, _) = try await export(
                "movie.mp4", preset: preset, to: "\(preset).\(ending)",
                as: try #require(AVFileType(filenameExtension: ending)), in: folder
            ) { session in
                try session.setMetadata("album", to: "An album")
                try session.removeMetadata("artist")
            }
            #expect(probe.tags["album"] == "An album")
            #expect(probe.tags["artist"] == nil)
            #expect(probe.tags["title"] != nil)
        }
    }

    @Test(arguments: [("passthrough", "mp4"), ("passthrough", "mov"), ("passthrough", "mkv"), ("low", "mp4")])
    func `Chapters are moved and clipped with the range of an export`(_ preset: String, _ ending: String) async throws {
        let folder = try TemporaryFolder()
        let source = try await Probe(Fixture("movie.mp4").path).chapters
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 6, timescale: 1))
        let (probe, _) = try await export(
            "movie.mp4", preset: preset, to: "new.\(ending)", as: try #require(AVFileType(filenameExtension: ending)),
            in: folder
        ) { $0.timeRange = range }
        let expected = source.compactMap { chapter -> [String]? in
            guard let start = Double(chapter.start_time), let end = Double(chapter.end_time), start < 7, end > 1 else {
                return nil
            }
            return [
                String(format: "%.2f", max(0, start - 1)), String(format: "%.2f", min(6, end - 1)),
                chapter.tags?["title"] ?? "",
            ]
        }
        let found = probe.chapters.map { chapter in
            [
                String(format: "%.2f", Double(chapter.start_time) ?? -1),
                String(format: "%.2f", Double(chapter.end_time) ?? -1), chapter.tags?["title"] ?? "",
            ]
        }
        #expect(found == expected)
        #expect(expected.count > 1)
    }
}
