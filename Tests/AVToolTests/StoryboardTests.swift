import Foundation
import MediaTestSupport
import Testing

@Suite struct `Storyboards on the command line` {
    private let movie = Fixture("movie.mov").path

    @Test func `are a folder beside nothing else`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run("storyboard", "--every", "1s", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.diagnostics.isEmpty)
        #expect(run.lines.count == 1)
        #expect(run.text.hasPrefix("movie-storyboard: 10 tiles of 160x120, one every 1 s, on 1 sheet"))
        #expect(try folder.names == ["movie-storyboard"])
        #expect(
            try names(in: folder.path("movie-storyboard"))
                == ["index.html", "storyboard-001.jpg", "storyboard.json", "storyboard.vtt"])
        #expect(try await pictureSize("movie-storyboard/storyboard-001.jpg", in: folder) == "mjpeg,1600,120")
    }

    @Test func `have all the indexes asked for, and name every file`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run(
            "storyboard", "--every", "2s", "--tile", "100x0", "--columns", "3", "--rows", "2", "--format", "jpeg",
            "--bif",
            "--jellyfin", "--hls", "--dash", "--no-page", "-o", "all", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.diagnosticLines.count == 2, "Jellyfin has to be set up for other sizes than its own, as Roku has")
        let made = try #require(FileManager.default.enumerator(atPath: folder.path("all"))).compactMap { $0 as? String }
        let files = made.filter { $0.contains(".") && !$0.hasSuffix(".trickplay") && !$0.hasSuffix("x2") }.sorted()
        let document = try #require(
            try JSONSerialization.jsonObject(with: folder.data("all/storyboard.json")) as? [String: Any])
        #expect(document["files"] as? [String] == files)
        #expect(
            files == [
                "dash-adaptation-set.xml", "hls-image-stream.txt", "images.m3u8", "movie.trickplay/100 - 3x2/0.jpg",
                "storyboard-001.jpg", "storyboard.bif",
                "storyboard.json", "storyboard.mpd", "storyboard.vtt",
            ])
    }

    @Test func `bring what goes into one's own manifests, and fit Roku's players`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run(
            "storyboard", "--every", "0.1s", "--hls", "--dash", "-o", "100% of #1", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.diagnostics.isEmpty)
        #expect(run.text.hasSuffix("; for your own manifests: hls-image-stream.txt, dash-adaptation-set.xml\n"))
        // Tiles of 160x120: six by nine of them are the most on 1080 pixels.
        #expect(try await pictureSize("100% of #1/storyboard-001.jpg", in: folder) == "mjpeg,960,1080")
        let line = String(decoding: try folder.data("100% of #1/hls-image-stream.txt"), as: UTF8.self)
        #expect(line.hasPrefix("#EXT-X-IMAGE-STREAM-INF:BANDWIDTH="))
        #expect(line.hasSuffix("RESOLUTION=160x120,CODECS=\"jpeg\",URI=\"100%25%20of%20%231/images.m3u8\"\n"))
        let set = String(decoding: try folder.data("100% of #1/dash-adaptation-set.xml"), as: UTF8.self)
        #expect(set.hasPrefix("    <AdaptationSet ") && set.hasSuffix("    </AdaptationSet>\n"))
        #expect(set.contains(" media=\"100%25%20of%20%231/storyboard-$Number%03d$.jpg\" "))
        let large = try await Tool.run(
            "storyboard", "--every", "0.1s", "--hls", "--columns", "10", "-o", "large", movie, in: folder)
        #expect(large.exitCode == 0)
        #expect(large.diagnostics.contains("up to 1080 pixels a side, not from 1600x1200"))
        let narrow = try await Tool.run("storyboard", "--bif", "--tile", "160x0", "-o", "narrow", movie, in: folder)
        #expect(narrow.diagnostics.contains("240 (SD) or 320 (HD) pixels wide, not 160"))
        let usual = try await Tool.run("storyboard", "--bif", "-o", "usual", movie, in: folder)
        #expect(usual.diagnostics.isEmpty)
        #expect(usual.text.contains(" tiles of 320x240,"))
    }

    @Test func `for Jellyfin are as its own settings have them`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run("storyboard", "--jellyfin", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.diagnostics.isEmpty)
        let sheet = "movie-storyboard/movie.trickplay/320 - 10x10/0.jpg"
        #expect(try await pictureSize(sheet, in: folder) == "mjpeg,3200,2400")
    }

    @Test(arguments: ["jpeg", "png", "webp", "avif"])
    func `can be of any format`(_ format: String) async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run("storyboard", "--every", "5s", "--format", format, movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let name = "movie-storyboard/storyboard-001.\(format == "jpeg" ? "jpg" : format)"
        #expect(try await pictureSize(name, in: folder).hasSuffix(",320,120"))
    }

    @Test func `have a page that plays the film, and cues that browsers read`() async throws {
        let folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "100% film #1.mp4")
        let run = try await Tool.run(
            "storyboard", "--every", "0.25s", "--with-player", "-o", "set", "100% film #1.mp4", in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Acceptance/browser/storyboard_page.py").standardizedFileURL.path
        for arguments in [["page", folder.path("set"), "--film", "plays"], ["track", folder.path("set")]] {
            let check = try await CommandRun.run("python3", [script] + arguments, limit: .seconds(600))
            #expect(check.exitCode == 0, "\(check.output)\(check.errorOutput)")
        }
    }

    @Test func `say as JSON what was made and what was not`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run(
            "storyboard", "--json", "--every", "4s", movie, Fixture("audio-only.mp3").path, in: folder)
        #expect(run.exitCode == 65)
        let objects = try run.json()
        #expect(objects.count == 2)
        #expect(objects[0]["folder"] as? String == "movie-storyboard")
        #expect(objects[0]["tileCount"] as? Int == 3)
        #expect(objects[0]["state"] as? String == "made")
        #expect(objects[1]["source"] as? String == Fixture("audio-only.mp3").path)
        #expect(objects[1]["error"] != nil)
        #expect(try folder.names == ["movie-storyboard"])
    }

    @Test func `are not replaced, but brought up to date when asked to`() async throws {
        let folder = try WorkFolder()
        try folder.copy("movie.mov", as: "film.mov")
        func run(_ arguments: String...) async throws -> ToolRun {
            try await Tool.run(try Tool.executable(), ["storyboard"] + arguments + ["film.mov"], in: folder, limit: 30)
        }
        #expect(try await run().exitCode == 0)
        let first = try folder.data("film-storyboard/storyboard.json")
        let second = try await run()
        #expect(second.exitCode == 73)
        #expect(second.diagnosticLines.count == 1)
        #expect(try await run("--if-newer").text == "film-storyboard: up to date\n")
        #expect(try await run("--if-newer", "--every", "2s").text.contains(": 5 tiles"))
        #expect(try await run("--if-newer").text.contains(": 20 tiles"))
        #expect(try folder.data("film-storyboard/storyboard.json") == first)
        // Another film under the same name.
        try FileManager.default.removeItem(atPath: folder.path("film.mov"))
        try folder.copy("vfr.mp4", as: "film.mov")
        #expect(try await run("--if-newer").text.contains("tiles"))
        #expect(try folder.data("film-storyboard/storyboard.json") != first)
        // A set with a file missing is none.
        try FileManager.default.removeItem(atPath: folder.path("film-storyboard/storyboard.vtt"))
        #expect(try await run("--if-newer").text.contains("tiles"))
        #expect(try await run("--force").exitCode == 0)
        #expect(try folder.names == ["film-storyboard", "film.mov"])
    }

    @Test func `never take the place of anything else`() async throws {
        let folder = try WorkFolder()
        try FileManager.default.createDirectory(atPath: folder.path("site"), withIntermediateDirectories: false)
        try folder.write("mine", to: "site/index.html")
        try folder.write("mine", to: "file")
        // A folder that is there is where the storyboard is made, not what it replaces.
        let inside = try await Tool.run("storyboard", "--force", "-o", "site", movie, in: folder)
        #expect(inside.exitCode == 0)
        #expect(try names(in: folder.path("site")) == ["index.html", "movie-storyboard"])
        try folder.write("mine", to: "site/movie-storyboard/notes.txt")
        for output in ["file", "site/movie-storyboard"] {
            let run = try await Tool.run("storyboard", "--force", "-o", output, movie, in: folder)
            #expect(run.exitCode == 73, "\(run)")
            #expect(run.diagnosticLines.count == 1)
        }
        #expect(try folder.data("file") == Data("mine".utf8))
        #expect(try folder.data("site/movie-storyboard/notes.txt") == Data("mine".utf8))
    }

    @Test func `of several films are all tried`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run(
            "storyboard", Fixture("truncated-no-moov.mp4").path, "missing.mp4", movie, Fixture("movie.mp4").path, "-o",
            "sets-{name}", in: folder)
        #expect(run.exitCode == 65)
        // Two films of one name: the second is an error, not a replacement.
        #expect(run.diagnosticLines.count == 3, "\(run)")
        #expect(run.lines.count == 1)
        #expect(try folder.names == ["sets-movie"])
    }

    @Test(arguments: [
        ["--every", "0"], ["--every", "x"], ["--columns", "0"], ["--rows", "1001"], ["--quality", "101"],
        ["--format", "gif"], ["--tile", "0x0"], ["--no-page", "--with-player"], ["--if-newer", "--force"], ["-o", "-"],
        ["--every", "1/3"],
    ])
    func `with mistakes end with a line of usage`(_ arguments: [String]) async throws {
        let folder = try WorkFolder()
        let run = try await Tool.run(
            try Tool.executable(), ["storyboard"] + arguments + [movie], in: folder, limit: 30)
        #expect(run.exitCode == 64, "\(run)")
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names.isEmpty)
    }

    @Test func `that cannot be what was asked for say why and leave nothing`() async throws {
        let folder = try WorkFolder()
        for arguments in [
            ["--every", "0.00001s"], ["--columns", "1000", "--rows", "1000", "--every", "0.0005s"],
            ["--jellyfin", "--format", "webp"], ["--jellyfin", "--every", "0.5s"],
        ] {
            let run = try await Tool.run(
                try Tool.executable(), ["storyboard"] + arguments + [movie], in: folder, limit: 30)
            #expect(run.exitCode == 64, "\(arguments) \(run)")
            #expect(run.diagnosticLines.count == 1)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test func `that are interrupted leave nothing`() async throws {
        let folder = try WorkFolder()
        let path = folder.url.path
        let run = try await Tool.run(
            try Tool.executable(), ["storyboard", "--exact", "--every", "0.001s", "--columns", "5", movie], in: folder,
            limit: 60,
            signal: (
                SIGINT,
                {
                    let hidden = (try? FileManager.default.contentsOfDirectory(atPath: path))?.first
                    let inside = hidden.flatMap {
                        try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\($0)")
                    }
                    return inside?.isEmpty == false
                }
            ))
        #expect(run.exitCode == 130, "\(run)")
        #expect(run.diagnostics.contains("interrupted"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `that are killed leave what the next run removes`() async throws {
        let folder = try WorkFolder()
        let path = folder.url.path
        let killed = try await Tool.run(
            try Tool.executable(), ["storyboard", "--exact", "--every", "0.001s", "--columns", "5", movie], in: folder,
            limit: 60,
            signal: (SIGKILL, { (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == false }))
        #expect(killed.wasKilled)
        #expect(try folder.names.allSatisfy { $0.hasPrefix(".") })
        #expect(try await Tool.run("storyboard", movie, in: folder).exitCode == 0)
        #expect(try folder.names == ["movie-storyboard"])
    }

    @Test(.enabled(if: getuid() == 0, "mounting a small disk takes root"))
    func `on a full disk leave nothing and say so`() async throws {
        let folder = try WorkFolder()
        let run = try await Tool.shell(
            """
            mkdir disk && mount -t tmpfs -o size=64k tmpfs disk || exit 99
            "$AVTOOL" storyboard --format png --tile 320x0 -o disk/set '\(movie)'
            code=$?
            ls -A disk
            umount disk
            exit $code
            """, in: folder)
        #expect(run.exitCode == 74, "\(run)")
        #expect(run.text.isEmpty)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("No space left"))
    }

    @Test func `of damaged films say where, and what to try`() async throws {
        let folder = try WorkFolder()
        let film = Fixture("truncated.mp4").path
        let strict = try await Tool.run("storyboard", "--exact", film, in: folder)
        #expect(strict.exitCode == 65)
        #expect(strict.diagnosticLines.count == 1)
        #expect(strict.diagnostics.contains("--allow-damaged"))
        #expect(try folder.names.isEmpty)
        let lenient = try await Tool.run("storyboard", "--exact", "--allow-damaged", film, in: folder)
        #expect(lenient.exitCode == 0)
        #expect(lenient.diagnosticLines.count == 1)
        #expect(lenient.diagnostics.contains("damaged picture at 6 s and 7 more"))
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}
