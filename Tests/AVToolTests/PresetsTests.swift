import Foundation
import MediaTestSupport
import Testing

@Suite(.serialized) struct `Presets on the command line` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// Runs the tool with a folder of settings of the test's own.
    private func run(_ arguments: String) async throws -> ToolRun {
        try await Tool.shell(#"XDG_CONFIG_HOME="$PWD/config" "$AVTOOL" presets \#(arguments)"#, in: folder)
    }

    private func installMine(_ name: String, describedAs text: String) throws {
        let presets = Fixture.root.appendingPathComponent("presets")
        let low = try String(contentsOf: presets.appendingPathComponent("low.json"), encoding: .utf8)
        let path = folder.path("config/avtool/presets")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try folder.write(
            low.replacingOccurrences(of: #""low""#, with: #""\#(name)""#)
                .replacingOccurrences(of: "H.264 and stereo AAC for previews and slow networks.", with: text),
            to: "config/avtool/presets/\(name).json")
    }

    @Test func `are listed, a line each, with those of the user`() async throws {
        try installMine("mine", describedAs: "Mine.")
        try installMine("low", describedAs: "My low.")
        let run = try await run("list")
        #expect(run.exitCode == 0 && run.diagnostics.isEmpty, "\(run)")
        #expect(run.lines.count == 33)
        #expect(run.lines[0] == "passthrough      Everything as it is, in another container or trimmed. [mov mp4 m4v]")
        let own = "[mp4 mov m4v] [from \(folder.url.path)/config/avtool/presets/"
        #expect(run.lines[5].hasPrefix("low              My low. \(own)low.json]"), "\(run)")
        #expect(run.lines[32].hasPrefix("mine             Mine. \(own)mine.json]"), "\(run)")
    }

    @Test func `are listed as JSON`() async throws {
        let objects = try await run("list --json").json()
        #expect(objects.count == 32)
        let first = try #require(objects.first { $0["name"] as? String == "hevc-1920x1080" })
        #expect(first["avFoundation"] as? String == "AVAssetExportPresetHEVC1920x1080")
        #expect(first["fileTypes"] as? [String] == ["mp4", "mov", "m4v", "mkv"])
        #expect(first["available"] as? Bool == true && first["reason"] == nil && first["file"] == nil)
    }

    @Test func `are listed although one of the user's is broken`() async throws {
        try installMine("mine", describedAs: "")
        let run = try await run("list")
        #expect(run.exitCode == 65)
        #expect(run.lines.count == 32)
        let path = folder.url.path + "/config/avtool/presets/mine.json"
        #expect(run.diagnosticLines == ["avtool: mine: \(path): description: must have from 1 to 500 characters"])
    }

    @Test func `are shown as they are written`() async throws {
        let document = Fixture.root.appendingPathComponent("presets/webm-vp9.json")
        #expect(try await run("show webm-vp9 --json").output == Data(contentsOf: document))
        let text = try await run("show webm-vp9")
        #expect(text.exitCode == 0)
        #expect(text.lines[0] == "webm-vp9")
        #expect(text.lines.contains("  transparency: is kept"))
        #expect(text.lines.contains("  makes: webm, mkv"))
        #expect(try await run("show AVAssetExportPresetHEVC7680x4320").lines.contains("  size: 7680x4320 at most"))
    }

    @Test(arguments: [
        ("no-such", 64 as Int32, "avtool: there is no preset no-such; there are passthrough, copy-video-aac, "),
        ("./no.json", 66, "avtool: ./no.json: no such file"),
        (
            "AVAssetExportPresetMVHEVC960x960", 64,
            "avtool: the preset AVAssetExportPresetMVHEVC960x960 is not available"
        ),
    ])
    func `that are not there are errors of one line`(_ name: String, _ code: Int32, _ line: String) async throws {
        let run = try await run("show \(name)")
        #expect(run.exitCode == code)
        #expect(run.output.isEmpty)
        #expect(run.diagnosticLines.count == 1 && run.diagnostics.hasPrefix(line), "\(run)")
    }

    @Test func `are checked, all of them, and the first failure counts`() async throws {
        try installMine("mine", describedAs: "Mine.")
        let good = "config/avtool/presets/mine.json"
        try folder.write(#"{"name": "x\u001b", "quality": 1}"#, to: "bad.json")
        try folder.write("[", to: "worse.json")
        let run = try await run("check \(good) bad.json no.json worse.json")
        #expect(run.exitCode == 65)
        #expect(run.lines == ["\(good): mine is valid"])
        #expect(run.diagnosticLines.count == 3, "\(run)")
        #expect(
            run.diagnosticLines[0].hasPrefix("avtool: bad.json: quality: there is no such key; allowed are $schema"))
        #expect(run.diagnosticLines[1] == "avtool: no.json: no such file")
        #expect(run.diagnosticLines[2].hasPrefix("avtool: worse.json: is not JSON: "))
        #expect(try await self.run("check no.json").exitCode == 66)
        #expect(try await self.run("check \(good)").exitCode == 0)
        #expect(try await self.run("check").exitCode == 64)
        let json = try await self.run("check --json \(good) no.json").json()
        #expect(json[0]["name"] as? String == "mine" && json[0]["available"] as? Bool == true)
        #expect((json[1]["error"] as? [String: Any])?["code"] as? String == "noSuchInput")
    }

    /// Such documents were valid, and their exports failed.
    @Test(arguments: [
        (
            #""preset": "medium""#, #""presett": "medium""#,
            "video.options.presett: the encoder libx264 has no option presett"
        ),
        (#""preset": "medium""#, #""preset": "mediumm""#, "video.options.preset: "),
        (#""profile": "high""#, #""profile": "hihg""#, "video.options.profile: "),
        (#""options": {"#, #""parameters": {"no-such": 1}, "options": {"#, "video.parameters.no-such: "),
        (#""mp4", "mov""#, #""webm", "mov""#, "fileTypes: webm files cannot hold h264, which video.encoder makes"),
    ])
    func `that ask for what no encoder or container can do are refused, and so are their exports`(
        _ old: String, _ new: String, _ message: String
    ) async throws {
        let presets = Fixture.root.appendingPathComponent("presets")
        let low = try String(contentsOf: presets.appendingPathComponent("low.json"), encoding: .utf8)
        try folder.write(low.replacingOccurrences(of: old, with: new), to: "mine.json")
        let run = try await run("check mine.json")
        #expect(run.exitCode == 64, "\(run)")
        #expect(run.diagnostics.hasPrefix("avtool: mine.json: \(message)"), "\(run)")
        let type = new.contains("webm") ? "webm" : "mp4"
        let export = try await Tool.run(
            "export", "--preset", "./mine.json", "-o", "x.\(type)", Fixture("movie.mp4").path, in: folder)
        #expect(export.exitCode == 64, "\(export)")
        #expect(try folder.names == ["mine.json"])
    }

    @Test func `that come with the tool pass their own check`() async throws {
        let presets = Fixture.root.appendingPathComponent("presets").path
        let promised = try FileManager.default.contentsOfDirectory(atPath: presets).filter {
            $0.hasSuffix(".json") && $0 != "preset.schema.json"
        }
        #expect(promised.count > 30)
        let run = try await run("check \(promised.map { "\(presets)/\($0)" }.joined(separator: " "))")
        #expect(run.exitCode == 0)
        #expect(run.lines.count == promised.count)
    }
}
