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

/// Names, languages and purposes of tracks; expected values are what mkvmerge, ffprobe and exiftool say.
@Suite("Labels of tracks in exports", .timeLimit(.minutes(5)))
struct ExportLabelTests {
    private static let tools = ["mkvmerge", "ffprobe", "exiftool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }

    /// A Matroska file with two subtitles that tell all about themselves.
    private func source(in folder: TemporaryFolder) async throws -> String {
        let text = "1\n00:00:00,500 --> 00:00:02,000\nHéllo\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("s.srt"))
        let path = folder.path("a.mkv")
        let run = try await CommandRun.run(
            "mkvmerge",
            [
                "-q", "-o", path, "--language", "0:pt-BR", "--track-name", "0:Main picture", Fixture("movie.mp4").path,
                "--language", "0:zh-Hant", "--track-name", "0:Forced subs", "--forced-display-flag", "0",
                "--hearing-impaired-flag", "0", folder.path("s.srt"), "--language", "0:cy", "--commentary-flag", "0",
                "--original-flag", "0", folder.path("s.srt"),
            ])
        #expect(run.exitCode == 0, "\(run)")
        return path
    }

    private func export(_ path: String, to other: String) async throws -> ExportResult {
        let url = URL(fileURLWithPath: other)
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: url.pathExtension)))
        return try #require(session.result)
    }

    private struct Merge: Decodable {
        struct Track: Decodable {
            struct Properties: Decodable {
                var language: String?
                var language_ietf: String?
                var track_name: String?
                var forced_track: Bool?
                var flag_hearing_impaired: Bool?
                var flag_commentary: Bool?
                var flag_original: Bool?
            }
            var properties: Properties
        }
        var tracks: [Track]
    }

    private func tracks(of path: String) async throws -> [Merge.Track.Properties] {
        let run = try await CommandRun.run("mkvmerge", ["-J", path])
        return try JSONDecoder().decode(Merge.self, from: run.standardOutput).tracks.map(\.properties)
    }

    private func check(_ tracks: [Merge.Track.Properties]) throws {
        #expect(tracks.count == 4)
        #expect(tracks[0].track_name == "Main picture")
        #expect(tracks[0].language_ietf == "pt-BR")
        #expect(tracks[2].track_name == "Forced subs")
        #expect(tracks[2].language == "chi")
        #expect(tracks[2].language_ietf == "zh-Hant")
        #expect(tracks[2].forced_track == true)
        #expect(tracks[2].flag_hearing_impaired == true)
        #expect(tracks[2].flag_commentary != true)
        #expect(tracks[3].flag_commentary == true)
        #expect(tracks[3].flag_original == true)
        #expect(["wel", "cym"].contains(tracks[3].language ?? ""))
        #expect(tracks[3].forced_track != true)
    }

    @Test(.enabled(if: tools), arguments: ["mp4", "mov", "mkv"])
    func `Labels of tracks go from Matroska to other containers and back`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = try await source(in: folder)
        try check(try await tracks(of: path))
        let result = try await export(path, to: folder.path("b.\(ending)"))
        #expect(
            !result.losses.contains { $0.item.contains("purpose") || $0.item.contains("TITLE") }, "\(result.losses)")
        _ = try await export(folder.path("b.\(ending)"), to: folder.path("c.mkv"))
        try check(try await tracks(of: folder.path("c.mkv")))
    }

    @Test(.enabled(if: tools)) func `Labels of tracks are in MP4 what ffprobe and exiftool read`() async throws {
        let folder = try TemporaryFolder()
        _ = try await export(try await source(in: folder), to: folder.path("b.mp4"))
        let probe = try await CommandRun.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries",
                "stream=index:stream_disposition=forced,hearing_impaired,comment:"
                    + "stream_tags=language", "-of", "csv=p=0", folder.path("b.mp4"),
            ])
        let lines = probe.output.split(separator: "\n").map(String.init)
        // comment, forced, hearing_impaired, as ffprobe orders them.
        #expect(lines.prefix(4) == ["0,0,0,0,por", "1,0,0,0,und", "2,0,1,1,zho", "3,1,0,0,cym"], "\(lines)")
        let bytes = try Data(contentsOf: folder.url.appendingPathComponent("b.mp4"))
        #expect(bytes.range(of: Data("elng\0\0\0\0pt-BR\0".utf8)) != nil)
        #expect(bytes.range(of: Data("tagcpublic.subtitles.forced-only".utf8)) != nil)
    }

    @Test(.enabled(if: tools)) func `Labels of tracks are in QuickTime movies what their players read`() async throws {
        let folder = try TemporaryFolder()
        _ = try await export(try await source(in: folder), to: folder.path("b.mov"))
        let run = try await CommandRun.run("exiftool", ["-s3", "-a", "-n", "-MediaLanguageCode", folder.path("b.mov")])
        // Macintosh's numbers: 8 Portuguese, 19 traditional Chinese, 128 Welsh; without a language it is not told.
        let codes = run.output.split(separator: "\n").map(String.init)
        #expect(codes.prefix(4) == ["8", "32767", "19", "128"], "\(codes)")
        let bytes = try Data(contentsOf: folder.url.appendingPathComponent("b.mov"))
        for tag in ["pt-BR", "zh-Hant", "cy"] {
            #expect(bytes.range(of: Data("elng\0\0\0\0\(tag)\0".utf8)) != nil)
        }
        #expect(bytes.range(of: Data("kind\0\0\0\0urn".utf8)) == nil)
    }

    @Test(.enabled(if: tools)) func `Statistics that a program counted are not copied`() async throws {
        let folder = try TemporaryFolder()
        let path = try await source(in: folder)
        let before = try await CommandRun.run(
            "ffprobe", ["-v", "error", "-show_entries", "stream_tags", "-of", "json", path])
        #expect(before.output.contains("_STATISTICS_TAGS") && before.output.contains("\"BPS\""))
        for ending in ["mkv", "mp4", "mov"] {
            let result = try await export(path, to: folder.path("b.\(ending)"))
            let file = try MetadataFile(url: folder.url.appendingPathComponent("b.\(ending)"))
            let keys = file.trackItems.values.joined().compactMap { $0.identifier?.rawValue }
            #expect(!keys.contains { $0.contains("STATISTICS") || $0.contains("BPS") || $0.contains("DURATION") })
            #expect(!result.losses.contains { $0.item.contains("BPS") || $0.item.contains("STATISTICS") })
        }
    }

    @Test(.enabled(if: tools)) func `Text of QuickTime movies becomes timed text in MP4 and stays in MOV`() async throws
    {
        let folder = try TemporaryFolder()
        _ = try await export(try await source(in: folder), to: folder.path("b.mov"))
        for (ending, tag) in [("mp4", "tx3g"), ("mov", "text")] {
            let result = try await export(folder.path("b.mov"), to: folder.path("c.\(ending)"))
            #expect(!result.losses.contains { $0.kind == .track }, "\(result.losses)")
            let probe = try await CommandRun.run(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "s", "-show_entries", "stream=codec_tag_string", "-of", "csv=p=0",
                    folder.path("c.\(ending)"),
                ])
            #expect(probe.output.split(separator: "\n") == [Substring(tag), Substring(tag)])
            let text = try await CommandRun.run(
                "ffmpeg", ["-v", "error", "-i", folder.path("c.\(ending)"), "-map", "0:s:0", "-f", "srt", "-"])
            #expect(text.output.contains("00:00:00,500 --> 00:00:02,000\nHéllo"), "\(text.output)")
            #expect(text.output.contains("00:00:03,000 --> 00:00:04,000\nWorld"), "\(text.output)")
        }
    }

    @Test(.enabled(if: tools))
    func `Attached images that are no covers stay in Matroska, and are named as lost elsewhere`()
        async throws
    {
        let folder = try TemporaryFolder()
        for name in ["photo.png", "cover.png"] {
            _ = try await CommandRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", name == "photo.png" ? "testsrc=s=64x48" : "testsrc2=s=64x48",
                    "-frames:v", "1", folder.path(name),
                ])
        }
        try Data("font".utf8).write(to: folder.url.appendingPathComponent("f.ttf"))
        let attached = ["photo.png", "cover.png", "f.ttf"].flatMap { ["--attach-file", folder.path($0)] }
        _ = try await CommandRun.run(
            "mkvmerge", ["-q", "-o", folder.path("a.mkv")] + attached + [Fixture("movie.mp4").path])
        struct Attachments: Decodable {
            struct File: Decodable {
                var file_name: String
                var content_type: String
                var size: Int
            }
            var attachments: [File]
        }
        func files(_ path: String) async throws -> [String] {
            let run = try await CommandRun.run("mkvmerge", ["-J", path])
            return try JSONDecoder().decode(Attachments.self, from: run.standardOutput).attachments
                .map { "\($0.file_name) \($0.content_type) \($0.size)" }.sorted()
        }
        let result = try await export(folder.path("a.mkv"), to: folder.path("b.mkv"))
        #expect(!result.losses.contains { $0.kind == .track }, "\(result.losses)")
        #expect(try await files(folder.path("b.mkv")) == files(folder.path("a.mkv")))
        for ending in ["mp4", "ts"] {
            let result = try await export(folder.path("a.mkv"), to: folder.path("b.\(ending)"))
            let lost = Set(result.losses.map(\.item))
            #expect(lost.isSuperset(of: ["photo.png", "f.ttf"]), "\(lost)")
        }
    }
}
