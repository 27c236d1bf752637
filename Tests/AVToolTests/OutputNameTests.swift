import Foundation
import MediaTestSupport
import Testing

@Suite struct `Names of results` {
    let folder: WorkFolder
    let movie = Fixture("movie.mp4").path

    init() throws { folder = try WorkFolder() }

    // `thumbs -o x.jpg` wrote PNG.
    @Test(arguments: [
        ("x.png", "png"), ("x.jpg", "mjpeg"), ("x.jpeg", "mjpeg"), ("x.JPG", "mjpeg"), ("x.webp", "webp"),
        ("x.avif", "av1"),
    ])
    func `decide the pictures' format`(_ name: String, _ codec: String) async throws {
        for command in [["thumbs", "--at", "0"], ["sheet", "--count", "1"]] {
            let run = try await Tool.run(
                try Tool.executable(), command + ["--force", "-o", name, movie], in: folder, limit: 60)
            #expect(run.exitCode == 0, "\(run.diagnostics)")
            #expect(try await pictureSize(name, in: folder).hasPrefix(codec + ","))
        }
    }

    @Test(arguments: [["thumbs", "--at", "0"], ["sheet", "--count", "1"]])
    func `that end in no picture are refused, and what can be made is said`(_ command: [String]) async throws {
        for (options, words) in [
            (["-o", "x.gif"], [".gif", ".png", ".jpg", ".webp", ".avif"]),
            (["-o", "x.png", "--format", "jpg"], [".png", "jpeg"]),
            (["-o", "x", "--format", "tiff"], ["tiff"]),
        ] {
            let run = try await Tool.run(try Tool.executable(), command + options + [movie], in: folder, limit: 30)
            #expect(run.exitCode == 64)
            #expect(run.diagnosticLines.count == 1)
            for word in words { #expect(run.diagnostics.contains(word)) }
        }
        #expect(try folder.names.isEmpty)
    }

    @Test func `take jpg as well as jpeg for the format, and end in it`() async throws {
        for command in [["thumbs", "--at", "0"], ["sheet", "--count", "1"]] {
            let options = ["--force", "--format", "jpg", "-o", "{name}.{ext}"]
            let run = try await Tool.run(try Tool.executable(), command + options + [movie], in: folder, limit: 60)
            #expect(run.exitCode == 0)
            #expect(try await pictureSize("movie.jpg", in: folder).hasPrefix("mjpeg,"))
        }
        let board = try await Tool.run("storyboard", "--format", "jpg", "--no-page", movie, in: folder, limit: 60)
        #expect(board.exitCode == 0)
    }

    // The second of two stills of one frame was told that its file "exists already", and with --force replaced the first.
    @Test(arguments: [false, true])
    func `are given once in a run`(_ force: Bool) async throws {
        try FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: true)
        try folder.copy("movie.mp4", as: "movie.mp4")
        try folder.copy("vfr.mp4", as: "b/movie.mp4")
        for (command, made) in [
            (["thumbs", "--at", "0,0.001", "-o", "{actual}.png", "movie.mp4"], "0.png"),
            (["thumbs", "--at", "0", "-o", "{name}.png", "movie.mp4", "b/movie.mp4"], "movie.png"),
            (["sheet", "--count", "1", "-o", "{name}-s.png", "movie.mp4", "b/movie.mp4"], "movie-s.png"),
            (["storyboard", "--every", "5s", "-o", "{name}-b", "movie.mp4", "./b/movie.mp4"], "movie-b"),
            (["export", "--preset", "passthrough", "-o", "{name}-e.mp4", "movie.mp4", "b/movie.mp4"], "movie-e.mp4"),
        ] {
            let options = force ? ["--force"] : []
            let run = try await Tool.run(try Tool.executable(), command + options, in: folder, limit: 60)
            #expect(run.exitCode == 73, "\(command): \(run.diagnostics)")
            #expect(run.lines.count == 1)
            #expect(run.diagnosticLines.count == 1)
            #expect(run.diagnostics.contains("\(made): another result of this run has that name"))
        }
    }

    @Test(arguments: [false, true])
    func `of extracted pictures are given once in a run`(_ force: Bool) async throws {
        try folder.copy("attached-picture.m4a", as: "a.m4a")
        try folder.copy("attached-picture.mp3", as: "b.mp3")
        let options = force ? ["--force"] : []
        let run = try await Tool.run(
            try Tool.executable(), ["metadata", "artwork", "--extract", "x"] + options + ["a.m4a", "b.mp3"],
            in: folder, limit: 30)
        #expect(run.exitCode == 73)
        #expect(run.diagnostics.contains("x: another result of this run has that name"))
    }

    @Test(arguments: ["thumbs --at 0", "sheet --count 1", "export --preset passthrough", "metadata set title=x"])
    func `that are folders are not taken for files`(_ command: String) async throws {
        try FileManager.default.createDirectory(atPath: folder.path("x.mp4"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path("movie.png"), withIntermediateDirectories: true)
        let name = command.hasPrefix("thumbs") || command.hasPrefix("sheet") ? "{name}.png" : "x.mp4/../x.mp4/."
        let run = try await Tool.shell("\"$AVTOOL\" \(command) --force -o '\(name)' '\(movie)'", in: folder)
        // A folder that is named takes the result into it.
        #expect(run.exitCode == (name.hasPrefix("x") ? 0 : 73))
        #expect(try folder.names == ["movie.png", "x.mp4"])
    }
}
