import Foundation
import MediaTestSupport
import Testing

@Suite struct `Contact sheets on the command line` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    @Test func `one film gives one picture beside the reader`() async throws {
        let run = try await Tool.run("sheet", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(try folder.names == ["movie-sheet.png"])
        let size = try await pictureSize("movie-sheet.png", in: folder)
        #expect(run.lines == ["movie-sheet.png: \(size.dropFirst(4).replacing(",", with: "x")), 16 stills"])
    }

    @Test(arguments: [("jpg", "mjpeg"), ("webp", "webp"), ("avif", "av1"), ("png", "png")])
    func `the name's ending tells the format`(_ ending: String, _ codec: String) async throws {
        let run = try await Tool.run(
            "sheet", "--count", "2", "--tile", "64x0", "-o", "{name}.\(ending)", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.names == ["movie.\(ending)"])
        #expect(try await pictureSize("movie.\(ending)", in: folder).hasPrefix(codec))
    }

    @Test func `standard output takes one sheet`() async throws {
        let run = try await Tool.run("sheet", "--count", "1", "--format", "jpeg", "-o", "-", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.output.prefix(3) == Data([0xFF, 0xD8, 0xFF]))
        #expect(try folder.names.isEmpty)
    }

    @Test func `JSON tells where each still lies and what it shows`() async throws {
        let run = try await Tool.run(
            "sheet", "--json", "--columns", "2", "--at", "1,1/3,end", "--tile", "160x120", movie, in: folder)
        let sheet = try #require(try run.json().first)
        #expect(
            Set(sheet.keys) == [
                "source", "file", "state", "width", "height", "omitted", "missingCharacters", "origin", "times",
                "tiles",
            ])
        #expect(sheet["state"] as? String == "made")
        #expect(sheet["file"] as? String == "movie-sheet.png")
        let size = [sheet["width"], sheet["height"]].compactMap { $0 as? Int }.map(String.init)
        #expect(try await pictureSize("movie-sheet.png", in: folder) == "png," + size.joined(separator: ","))
        let tiles = try #require(sheet["tiles"] as? [[String: Any]])
        #expect(tiles.map { $0["label"] as? String } == ["0:00:01.000", "0:00:03.320", "0:00:09.960"])
        #expect(tiles.map { $0["index"] as? Int } == [1, 2, 3])
        #expect(tiles.allSatisfy { $0["width"] as? Int == 160 && $0["height"] as? Int == 120 })
        let (first, second, third) = (tiles[0], tiles[1], tiles[2])
        #expect(first["y"] as? Int == second["y"] as? Int)
        #expect(first["x"] as? Int == third["x"] as? Int)
        #expect(
            Set(first.keys) == [
                "index", "requested", "actual", "exact", "label", "damaged", "x", "y", "width", "height",
            ])
        let actual = try #require(second["actual"] as? [String: Any])
        #expect(actual["value"] as? Int == 42496)  // frame 83 in 1/12800 s
    }

    @Test func `one bad file does not stop the others`() async throws {
        let run = try await Tool.run(
            "sheet", "--count", "1", "--json", Fixture("audio-only.m4a").path, Fixture("text.mp4").path, "missing.mp4",
            movie, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.diagnosticLines.count == 3)
        #expect(try folder.names == ["movie-sheet.png"])
        #expect(try run.json().map { $0["error"] != nil } == [true, true, true, false])
    }

    @Test func `an existing file is refused before anything is decoded`() async throws {
        try folder.write("mine", to: "movie-sheet.png")
        // The pictures of this film cannot be decoded, which would be the error else.
        try folder.copy("damaged.mp4", as: "movie.mp4")
        let run = try await Tool.run("sheet", "movie.mp4", in: folder)
        #expect(run.exitCode == 73)
        #expect(run.diagnostics.contains("exists already; --force replaces it"))
        #expect(try folder.data("movie-sheet.png") == Data("mine".utf8))
        let forced = try await Tool.run("sheet", "--force", "--count", "1", movie, in: folder)
        #expect(forced.exitCode == 0)
        #expect(try folder.data("movie-sheet.png").count > 1000)
    }

    @Test func `a film is not written over with its sheet`() async throws {
        try folder.copy("alpha-png.mov", as: "film.png")
        let before = try folder.data("film.png")
        let run = try await Tool.run("sheet", "--force", "-o", "{name}.png", "film.png", in: folder)
        #expect(run.exitCode == 73)
        #expect(run.diagnostics.contains("is an input of this run"))
        #expect(try folder.data("film.png") == before)
    }

    @Test func `two films of one name do not share a sheet`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: true)
        try folder.copy("movie.mp4", as: "b/movie.mp4")
        let run = try await Tool.run("sheet", "--count", "1", movie, "b/movie.mp4", in: folder)
        #expect(run.exitCode == 73)
        #expect(run.diagnostics.contains("another result of this run has that name"))
        #expect(run.lines.count == 1)
    }

    @Test func `only what is not up to date is made again`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        try folder.copy("vfr.mp4", as: "b.mp4")
        func run() async throws -> [String] {
            let run = try await Tool.run("sheet", "--if-newer", "--count", "1", "a.mp4", "b.mp4", in: folder)
            #expect(run.exitCode == 0)
            return run.lines.map { $0.hasSuffix("up to date") ? "kept" : "made" }
        }
        func touch(_ name: String, _ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: folder.path(name))
        }
        try touch("a.mp4", -100_000)
        try touch("b.mp4", -100_000)
        #expect(try await run() == ["made", "made"])
        #expect(try await run() == ["kept", "kept"])
        try touch("b-sheet.png", -200_000)
        #expect(try await run() == ["kept", "made"])
        let json = try await Tool.run("sheet", "--if-newer", "--count", "1", "--json", "a.mp4", in: folder)
        #expect(try json.json().first?["upToDate"] as? Bool == true)
        #expect(try json.json().first?["state"] as? String == "upToDate")
    }

    @Test func `damage is an error unless it is allowed, and is named then`() async throws {
        let strict = try await Tool.run("sheet", Fixture("damaged.mp4").path, in: folder)
        #expect(strict.exitCode == 65)
        #expect(try folder.names.isEmpty)
        let lax = try await Tool.run("sheet", "--allow-damaged", "--json", Fixture("damaged.mp4").path, in: folder)
        #expect(lax.exitCode == 0)
        #expect(lax.diagnostics.contains("is damaged: "))
        let tiles = try #require(try lax.json().first?["tiles"] as? [[String: Any]])
        #expect(tiles.contains { $0["damaged"] as? Bool == true })
    }

    @Test func `too large a sheet is refused`() async throws {
        let run = try await Tool.run(
            "sheet", "--columns", "1", "--rows", "200", "-o", "x.webp", Fixture("long-gop.mp4").path, in: folder)
        #expect(run.exitCode == 75)
        #expect(run.diagnostics.contains("webp has no more than 16383"))
    }

    @Test func `characters that no font has are told`() async throws {
        try folder.copy("vfr.mp4", as: "a\u{10FFFD}.mp4")
        let run = try await Tool.run("sheet", "--count", "1", "a\u{10FFFD}.mp4", in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("no installed font has 1 of the text's characters"))
    }

    @Test func `a machine without fonts still makes sheets`() async throws {
        try folder.write(
            "<?xml version=\"1.0\"?><fontconfig><dir>\(folder.path("none"))</dir></fontconfig>", to: "fonts.conf")
        let run = try await Tool.shell(
            "FONTCONFIG_FILE=\"$PWD/fonts.conf\" \"$AVTOOL\" sheet --count 4 '\(movie)'", in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.contains("no installed font has "))
        #expect(try folder.names == ["fonts.conf", "movie-sheet.png"])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted run leaves nothing of the sheet that it was at`(_ signal: Int32) async throws {
        // The first film has one frame; its sheet shows that the work on the second has begun.
        let run = try await Tool.run(
            try Tool.executable(),
            ["sheet", "--count", "300", Fixture("one-frame.mp4").path, Fixture("long-gop.mp4").path], in: folder,
            limit: 60, signal: (signal, { [folder] in (try? folder.names)?.isEmpty == false }))
        #expect(run.exitCode == 130)
        #expect(!run.wasKilled)
        #expect(try folder.names == ["one-frame-sheet.png"])
    }

    @Test(arguments: [
        ["--columns", "0"], ["--rows", "1001"], ["--count", "0"], ["--count", "2", "--rows", "2"],
        ["--at", "0", "--chapters"], ["--at", "x"], ["--window", "1s"], ["--representative", "--window", "0"],
        ["--width", "10"], ["--width", "500", "--tile", "80x0"], ["--tile", "3x3"], ["--margin", "5000"],
        ["--background", "red"], ["--labels", "above"], ["--labels", "on", "--no-labels"], ["--format", "gif"],
        ["--quality", "0"], ["-o", "x.gif"], ["-o", "x.png", "--format", "jpeg"], ["-o", "-", "--json"],
        ["-o", "-", "--if-newer"], ["--force", "--if-newer"], ["-o", "x.png", "other.mp4"], ["-o", "-", "other.mp4"],
    ])
    func `wrong use is told apart from bad files`(_ arguments: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), ["sheet"] + arguments + [movie], in: folder, limit: 20)
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names.isEmpty)
    }
}
