import Foundation
import MediaTestSupport
import Testing

/// What the tool says of files of which the end is missing.
@Suite struct `Files that are cut short` {
    let folder: WorkFolder
    /// The first 142 frames of 250, one second to a GOP.
    let movie = Fixture("truncated.mp4").path

    init() throws { folder = try WorkFolder() }

    /// The first part of a fixture.
    private func cut(_ name: String, to percent: Int) throws -> String {
        let whole = try Data(contentsOf: URL(fileURLWithPath: Fixture(name).path))
        try whole.prefix(whole.count * percent / 100).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// The frames that ffprobe finds in a fixture.
    private func frameCount(_ name: String) throws -> Int { try Sidecar.load(Fixture(name)).frames?.count ?? 0 }

    // `verify` called a movie exact of which little more than half was there.
    @Test func `verify says how much of a movie is there`() async throws {
        let run = try await Tool.run("verify", "--samples", "5", "--json", movie)
        #expect(run.exitCode == 65)
        let object = try #require(try run.json().first)
        #expect(object["passed"] as? Bool == false)
        #expect(object["frames"] as? Int == (try frameCount("truncated.mp4")))
        #expect(object["listedFrames"] as? Int == (try frameCount("movie.mp4")))
        #expect((object["readEnd"] as? [String: Any])?["seconds"] as? Double == 5.68)
        #expect((object["statedDuration"] as? [String: Any])?["seconds"] as? Double == 10)
        #expect((object["readFailure"] as? String)?.contains("cut short") == true)

        let text = try await Tool.run("verify", "--samples", "5", movie)
        #expect(text.exitCode == 65)
        #expect(text.lines.count == 4 && text.lines[1].hasSuffix("cut short"))
        #expect(text.text.contains("142 of the 250 frames") && text.text.contains("5.68 s of the 10 s"))
    }

    @Test func `a part before the cut is whole`() async throws {
        let before = try await Tool.run("verify", "--samples", "5", "--to", "3s", movie)
        #expect(before.exitCode == 0)
        let across = try await Tool.run("verify", "--samples", "5", "--from", "5s", "--to", "7s", movie)
        #expect(across.exitCode == 65)
        #expect(across.text.contains("cut short"))
    }

    // Each was called exact: what ends inside a packet looked like the end of the film.
    @Test(arguments: [
        "cues.mkv", "no-cues.mkv", "vp9.webm", "h264.flv", "fragmented.mp4", "fragmented-sidx.mp4", "h264.ts",
        "h264.avi",
        "theora.ogv", "wmv2.asf",
    ])
    func `verify sees a cut in any container`(_ name: String) async throws {
        let run = try await Tool.run("verify", "--samples", "5", "--json", try cut(name, to: 60))
        #expect(run.exitCode == 65)
        let object = try #require(try run.json().first)
        #expect((object["readFailure"] as? String)?.contains("cut short") == true)
        let whole = try await Tool.run("verify", "--samples", "5", Fixture(name).path)
        #expect(whole.exitCode == 0)
    }

    // The last keyframe of a Matroska film has a later presentation time than decode time: the film was called cut short.
    @Test func `a film that ends with a keyframe is whole`() async throws {
        _ = try await Tool.system(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "51", "-c:v", "libx264",
            "-g", "10", "-bf", "3", "-sc_threshold", "0", "film.mkv", in: folder)
        for command in ["verify --samples 5", "scenes", "thumbs --keyframes -o key-{index}.png", "thumbs --at end"] {
            let run = try await Tool.shell("\"$AVTOOL\" \(command) film.mkv", in: folder)
            #expect(run.exitCode == 0, "\(command)")
        }
    }

    // Six stills of ten came out without a word about the others.
    @Test func `stills of sync samples that are missing are named`() async throws {
        let run = try await Tool.run("thumbs", "--keyframes", movie, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.lines.count == 6)
        #expect(run.diagnosticLines.count == 4)
        for (line, second) in zip(run.diagnosticLines, 6...9) {
            #expect(line.contains("the picture at \(second) s cannot be had: the file is cut short"))
        }
        #expect(try folder.names == (1...6).map { "truncated-0\($0).png" })
        let json = try await Tool.run("thumbs", "--keyframes", "--force", "--json", movie, in: folder)
        #expect(
            try json.json().map { $0["error"] != nil } == [Bool](repeating: false, count: 6) + [true, true, true, true])
        let part = try await Tool.run("thumbs", "--keyframes", "--force", "--to", "3s", movie, in: folder)
        #expect(part.exitCode == 0)
        #expect(part.lines.count == 3 && part.diagnostics.isEmpty)
    }

    @Test(arguments: ["cues.mkv", "no-cues.mkv", "h264.flv", "h264.ts", "fragmented.mp4"])
    func `where nothing lists the sync samples, the cut is said`(_ name: String) async throws {
        let path = try cut(name, to: 60)
        let run = try await Tool.run("thumbs", "--keyframes", "--json", path, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.lines.count == 4)
        #expect((try run.json().last?["error"] as? [String: Any])?["code"] as? String == "truncated")
        #expect(run.diagnosticLines.count == 1 && run.diagnostics.contains("cut short"))
        let lax = try await Tool.run("thumbs", "--keyframes", "--force", "--allow-damaged", path, in: folder)
        #expect(lax.exitCode == 0)
        #expect(lax.diagnosticLines.count == 1 && lax.diagnostics.contains("cut short"))
        let part = try await Tool.run("thumbs", "--keyframes", "--force", "--to", "1.5s", path, in: folder)
        #expect(part.exitCode == 0 && part.diagnostics.isEmpty)
    }

    // Stills of the scenes that are there came out with a warning and success.
    @Test(arguments: ["thumbs", "sheet"]) func `missing scenes are no success`(_ command: String) async throws {
        let run = try await Tool.run(command, "--scenes", movie, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.lines.count == 1)
        #expect(run.diagnosticLines.count == 1 && run.diagnostics.contains("cut short"))
        let lax = try await Tool.run(command, "--scenes", "--allow-damaged", "--force", movie, in: folder)
        #expect(lax.exitCode == 0)
        #expect(lax.diagnosticLines.count == 1)
    }

    // The second of two stills behind a Matroska film's end was the last picture that is there.
    @Test func `each still behind the cut is refused`() async throws {
        let run = try await Tool.run("thumbs", "--at", "1,3,3.5,4", try cut("cues.mkv", to: 60), in: folder)
        #expect(run.exitCode == 65)
        #expect(run.lines.count == 1)
        #expect(run.diagnosticLines.count == 3)
    }
}
