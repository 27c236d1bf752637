import ArgumentParser
import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Synchronization
import Testing

@testable import AVToolCommands
@testable import avtool_worker

/// One finished run of the command that was built beside the tests, to compare a request's own work with.
private struct BuiltTool {
    let exitCode: Int32
    let lines: [String]
    let diagnostics: String

    init(_ arguments: [String], in folder: TemporaryFolder) async throws {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let tool = bundle.deletingLastPathComponent().appendingPathComponent("avtool").path
        let run = try await CommandRun.run(tool, arguments, in: folder.url, limit: .seconds(120))
        (exitCode, lines) = (run.exitCode, run.output.split(separator: "\n").map(String.init))
        diagnostics = run.errorOutput
    }
}

extension TemporaryFolder {
    fileprivate func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }
}

@Suite struct `Requests and reports` {
    /// What a request's work prints as JSON, where requests and reports come as text from elsewhere.
    private func lines<Request: FileRequest>(_ request: Request) async throws -> [String] {
        let lines = Mutex<[String]>([])
        @Sendable func keep(_ report: FileReport<Request.Document>) throws {
            let received = try JSONDecoder().decode(type(of: report), from: JSONEncoder().encode(report))
            guard let document = received.document else { return }
            let line = try JSONLine.text(document.json)
            lines.withLock { $0.append(line) }
        }
        let received = try JSONDecoder().decode(Request.self, from: JSONEncoder().encode(request))
        let work = Work<Request.Document>(
            files: RunFiles(), index: 0, count: 1, report: { try keep($0) }, warn: { _ in }, progress: { _, _ in })
        try keep(try await received.run(in: work))
        return lines.withLock { $0 }
    }

    /// What the command prints.
    private func printed(_ arguments: String..., in folder: TemporaryFolder) async throws -> [String] {
        let run = try await BuiltTool(arguments, in: folder)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        return run.lines
    }

    private let wholeFilm = FilmPart(from: nil, to: nil)
    private let wholePicture = StillShape(
        sizes: [StillSize(width: 64, height: 0)], fit: .contain,
        crop: .part(PictureCrop(x: 0, y: 0, width: 64, height: 32)),
        background: SheetColor(argument: "#102030"))

    @Test func `A request for what a file contains passes through text`() async throws {
        let folder = try TemporaryFolder()
        let file = Fixture("languages.mkv").path
        let request = InfoRequest(source: MediaSource(file: file), wantsJSON: true, withIdentifiers: false)
        // What the kernel keeps from whom is not the same here and there.
        func withoutIsolation(_ lines: [String]) -> [String] {
            lines.map { $0.replacing(/"isolation":\[[^\]]*\]/, with: "") }
        }
        #expect(
            try await withoutIsolation(lines(request))
                == withoutIsolation(try await printed("info", "--json", file, in: folder)))
    }

    @Test(arguments: [false, true])
    func `A request for metadata passes through text`(isPrivate: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = Fixture("attached-picture.mp3").path
        let request = MetadataShowRequest(
            source: MediaSource(file: file), format: .json, keySpaces: [], wantsPrivate: isPrivate,
            withIdentifiers: false)
        let options = isPrivate ? ["--private"] : []
        let run = try await BuiltTool(["metadata", "show", "--json"] + options + [file], in: folder)
        #expect(try await lines(request) == run.lines)
    }

    @Test func `A request for stills passes through text`() async throws {
        let folder = try TemporaryFolder()
        let file = Fixture("movie.mp4").path
        let request = ThumbsRequest(
            source: MediaSource(file: file), choice: .times(Written(argument: "0,1/3,#2,#9999")), part: wholeFilm,
            piece: nil, tolerance: nil, window: nil, shape: wholePicture, keepsHDR: false, allowsDamage: false,
            output: StillOutput(
                naming: StillNaming(output: folder.url.path, sizeCount: 1, fileCount: 1), format: .png, quality: 85,
                replaces: true),
            wantsJSON: false, wantsStatistics: false)
        let run = try await BuiltTool(
            [
                "thumbs", "--at", "0,1/3,#2,#9999", "--size", "64x0", "--crop", "64x32+0+0", "--background", "#102030",
                "--json", "-o", folder.url.path, file,
            ], in: folder)
        #expect(run.exitCode == 65)
        let stills = try folder.contents().map { try folder.data($0) }
        #expect(stills.count == 3)
        #expect(try await lines(request) == run.lines)
        #expect(try folder.contents().map { try folder.data($0) } == stills)
    }

    @Test func `A request for a contact sheet passes through text`() async throws {
        let folder = try TemporaryFolder()
        let file = Fixture("movie.mp4").path
        let place = ResultPlace(path: folder.path("sheet.png"), replaces: true, makesFolder: false)
        let look = SheetLook(
            width: 400, tile: nil, margin: nil, gap: 2, background: nil, labels: .on, timeline: .asset,
            showsHeader: false)
        let request = SheetRequest(
            source: MediaSource(file: file), choice: .even(rows: nil, count: 3), columns: 2, part: wholeFilm,
            window: nil, look: look, format: .png, quality: 90, allowsDamage: false, output: place,
            keepsCurrent: false, piece: nil)
        let printed = try await printed(
            "sheet", "--count", "3", "--columns", "2", "--width", "400", "--gap", "2", "--labels", "on", "--no-header",
            "--json", "-o", place.path, file, in: folder)
        let sheet = try folder.data("sheet.png")
        #expect(try await lines(request) == printed)
        #expect(try folder.data("sheet.png") == sheet)
    }

    @Test func `A request for a storyboard passes through text`() async throws {
        let folder = try TemporaryFolder()
        let file = Fixture("movie.mp4").path
        let place = ResultPlace(path: folder.path("board"), replaces: true, makesFolder: false)
        let request = StoryboardRequest(
            source: MediaSource(file: file), part: wholeFilm, timeline: nil, interval: Written(argument: "0.5s"),
            tile: nil, columns: nil, rows: nil, format: .jpeg, quality: 80, isExact: true, allowsDamage: false,
            extras: [.page], output: place, keepsCurrent: false, piece: nil)
        let printed = try await printed(
            "storyboard", "--every", "0.5s", "--exact", "--json", "-o", place.path, file, in: folder)
        #expect(try await lines(request) == printed)
    }

    @Test func `A request for an export passes through text`() async throws {
        let folder = try TemporaryFolder()
        let file = Fixture("movie.mp4").path
        let preset = try ExportPresetCatalog.user.entry("low").preset
        let settings = ExportSettings(
            preset: preset, presetPath: nil, checksPreset: false, cut: ExportCut(Written(argument: "#2..1s")),
            isExact: false,
            trackIDs: [1], dropsAudio: true, dropsSubtitles: false,
            metadata: ExportMetadataChanges(
                assignments: [Written(argument: "title=A song")], removals: [Written(argument: "comment")],
                artwork: nil, isShareSafe: true, dropsAll: false),
            fileLengthLimit: nil, isMultiPass: false, isForNetwork: true, allowsDamage: false, audit: .index,
            temporaryFolder: nil,
            effects: try await ExportEffectChanges(
                try .parse(["--fade-in", "200ms", "--volume", "-3dB", "--speed", "1.5"]), MediaLimits()),
            segmentLength: nil)
        let output = folder.path("clip.mp4")
        let request = ExportFileRequest(
            source: MediaSource(file: file), targets: try ExportTargets(output, preset: preset, fileCount: 1),
            settings: settings, replaces: true, isRehearsal: true, wantsEvents: true, tellsReasons: false,
            piece: nil)
        let printed = try await printed(
            "export", "--preset", "low", "--range", "#2..1s", "--tracks", "1", "--no-audio", "--set", "title=A song",
            "--remove", "comment", "--share-safe", "--fade-in", "200ms", "--volume", "-3dB", "--speed", "1.5",
            "--dry-run", "--json", "-o", output, file, in: folder)
        #expect(printed.count == 1)
        #expect(try await lines(request) == printed)
    }
}
