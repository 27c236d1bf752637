import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import MetadataFormats
import Testing

/// What has another place in the new file, or none; expected values are what ffprobe reads.
@Suite("What other containers have elsewhere", .timeLimit(.minutes(5)))
struct ExportPlaceTests {
    private func run(_ program: String, _ arguments: [String]) async throws -> String {
        let run = try await CommandRun.run(program, arguments)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return String(decoding: run.standardOutput, as: UTF8.self)
    }

    /// The losses of an export that keeps all samples, and reads all of them again.
    private func losses(_ path: String, to other: String) async throws -> [ExportLoss] {
        let url = URL(fileURLWithPath: other)
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        session.auditDepth = .full
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: url.pathExtension)))
        let losses = try #require(session.result).losses
        #expect(losses.filter { !$0.isForeseen } == [], "\(url.lastPathComponent)")
        return losses
    }

    private func chapters(of path: String) async throws -> [String] {
        let text = try await run(
            "ffprobe",
            ["-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0", path])
        // Without a title there is no comma for some containers.
        return text.split(separator: "\n").map { $0.contains(",") ? String($0) : $0 + "," }
    }

    /// A cue sheet of three tracks, the first with a code.
    private static let cueSheet: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: 395) + [4]
        for (index, code) in ["DEABC2500001", "", "", ""].enumerated() {
            let offset = index * 22050
            bytes += [0, 0, 0, 0, 0, UInt8(offset >> 16), UInt8(offset >> 8 & 255), UInt8(offset & 255)]
            bytes += [index == 3 ? 255 : UInt8(index + 1)] + Array(code.utf8)
            bytes += [UInt8](repeating: 0, count: 12 - code.utf8.count + 14) + [index == 3 ? 0 : 1]
            if index < 3 { bytes += [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] }
        }
        return bytes
    }()

    @Test(arguments: ["mka", "mkv", "mp4"])
    func `Tracks of a cue sheet become chapters`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.flac")
        _ = try await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=1.5:r=44100", path])
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        // After the marker and the stream information.
        let size = Self.cueSheet.count
        bytes.insert(contentsOf: [5, 0, UInt8(size >> 8), UInt8(size & 255)] + Self.cueSheet, at: 42)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let before = try await chapters(of: path)
        #expect(before == ["0.000000,DEABC2500001", "0.500000,", "1.000000,"])
        #expect(try await losses(path, to: folder.path("b.\(ending)")).filter { $0.kind == .chapters } == [])
        #expect(try await chapters(of: folder.path("b.\(ending)")) == before)
    }

    /// A sound of two seconds with chapters by ID3.
    private func sound(_ chapters: [Chapter], in folder: TemporaryFolder) async throws -> String {
        let path = folder.path("a.mp3")
        _ = try await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=2", path])
        var file = try MetadataFile(url: URL(fileURLWithPath: path))
        file.chapterLists = [ChapterList(form: .id3, chapters: chapters)]
        _ = try file.save()
        return path
    }

    private func chapter(_ milliseconds: Int64, _ title: String?, named identifier: String) -> Chapter {
        Chapter(
            start: CMTime(value: milliseconds, timescale: 1000),
            end: CMTime(value: milliseconds + 500, timescale: 1000), titles: title.map { [.init($0)] } ?? [],
            identifier: identifier)
    }

    // The chapter's name as ffprobe shows it was gone.
    @Test(arguments: ["mp4", "mkv"])
    func `A chapter without a title is named after its element`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = try await sound([chapter(0, "One", named: "c1"), chapter(500, nil, named: "c2")], in: folder)
        #expect(try await chapters(of: path).map { $0.split(separator: ",").last } == ["One", "c2"])
        _ = try await losses(path, to: folder.path("b.\(ending)"))
        let made = try await chapters(of: folder.path("b.\(ending)"))
        #expect(made.map { $0.split(separator: ",").last } == ["One", "c2"])
    }

    @Test(arguments: ["mp4", "mkv"])
    func `A chapter after the end is named as lost`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = try await sound([chapter(0, "One", named: "c1"), chapter(9000, "Late", named: "c2")], in: folder)
        let lost = try await losses(path, to: folder.path("b.\(ending)")).filter { $0.kind == .chapters }
        #expect(lost.map(\.item) == ["chapter “Late” at 9 s"])
    }

    /// A film whose sound says a name, an item and a language by tags, with a cover.
    private func film(in folder: TemporaryFolder) async throws -> String {
        let tags = """
            <Tags><Tag><Targets><TargetTypeValue>30</TargetTypeValue></Targets>
            <Simple><Name>LANGUAGE</Name><String>eng</String></Simple>
            <Simple><Name>DESCRIPTION</Name><String>Wind</String></Simple>
            <Simple><Name>TITLE</Name><String>The Noise</String></Simple></Tag></Tags>
            """
        try Data(tags.utf8).write(to: folder.url.appendingPathComponent("t.xml"))
        let picture = folder.path("cover.png")
        _ = try await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", picture])
        let path = folder.path("a.mkv")
        _ = try await run(
            "mkvmerge",
            [
                "-q", "-o", path, "--no-chapters", "--no-global-tags", "--track-name", "1:Commentary", "--language",
                "1:en",
                "--tags", "1:" + folder.path("t.xml"), "--attachment-name", "cover.png", "--attachment-mime-type",
                "image/png", "--attach-file", picture, Fixture("movie.mp4").path,
            ])
        return path
    }

    private static let hasMerge = FileManager.default.isExecutableFile(atPath: "/usr/bin/mkvmerge")

    @Test(.enabled(if: hasMerge), arguments: ["mp4", "mov", "mkv", "ts", "avi", "m4a"])
    func `A cover becomes an item, and no attachment`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let found = try await losses(film(in: folder), to: folder.path("b.\(ending)"))
        #expect(found.filter { $0.kind == .attachment } == [])
        let isLost = ["ts", "avi"].contains(ending)
        #expect(found.contains { $0.item == "mkv/COVER" } == isLost, "\(found)")
        let streams = try await run(
            "ffprobe", ["-v", "error", "-show_entries", "stream_disposition=attached_pic", folder.path("b.\(ending)")])
        #expect(streams.contains("attached_pic=1") == !isLost)
    }

    @Test(.enabled(if: hasMerge))
    func `An AVI file keeps the names of tracks, and nothing else of them`() async throws {
        let folder = try TemporaryFolder()
        let found = try await losses(film(in: folder), to: folder.path("b.avi"))
        let names = try await run(
            "ffprobe", ["-v", "error", "-show_entries", "stream_tags=title", "-of", "csv=p=0", folder.path("b.avi")])
        #expect(names.contains("Commentary"))
        let ofTracks = found.filter { $0.trait == .language || $0.item.contains(" of track 2") }.map(\.item).sorted()
        #expect(ofTracks == ["language of track 2 (eng)", "mkv/DESCRIPTION of track 2", "mkv/TITLE of track 2"])
        #expect(!found.contains { $0.item.hasPrefix("caaf/") || $0.trait == .name }, "\(found)")
    }

    @Test func `A WebM file loses its covers`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.ogg")
        _ = try await run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-strict", "-2", "-c:a", "libvorbis", path])
        let picture = folder.path("c.png")
        _ = try await run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", picture])
        var file = try MetadataFile(url: URL(fileURLWithPath: path))
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: picture)))
        try file.setArtwork(.init(data: bytes, mimeType: "image/png"))
        _ = try file.save()
        let found = try await losses(path, to: folder.path("b.webm"))
        #expect(found.map(\.item) == ["vorb/METADATA_BLOCK_PICTURE"])
        #expect(found.first?.reason == "webm files hold no pictures")
    }
}
