import Foundation
import MediaTestSupport
import Testing

@Suite struct `Sheets that tell how they were made` {
    let folder: WorkFolder

    init() throws {
        folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "film.mp4")
        // Older than any sheet of it.
        try date("film.mp4", -100_000)
    }

    private func date(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: folder.path(name))
    }

    private func made(_ options: [String], _ name: String) async throws -> String {
        let run = try await Tool.run(
            try Tool.executable(), ["sheet", "--if-newer", "-o", name] + options + ["film.mp4"], in: folder, limit: 30)
        #expect(run.exitCode == 0, "\(run)")
        return run.text.hasSuffix("up to date\n") ? "kept" : "made"
    }

    // --if-newer compared the files' times alone: after a change of options the old sheets stayed.
    @Test(arguments: ["png", "jpg", "webp", "avif"])
    func `are made again with other options`(_ ending: String) async throws {
        let name = "sheet.\(ending)"
        let usual = ["--count", "2", "--tile", "64x0"]
        #expect(try await made(usual, name) == "made")
        let whole = try folder.data(name)
        #expect(try await made(usual, name) == "kept")
        #expect(try folder.data(name) == whole)
        for change in [
            ["--count", "3", "--tile", "64x0"], ["--count", "2", "--tile", "80x0"], usual + ["--labels", "on"],
            usual + ["--times", "container"], usual + ["--from", "1s"], usual + ["--background", "white"],
            ["--at", "1,2", "--tile", "64x0"], usual + ["--quality", "50"],
        ] {
            #expect(try await made(change, name) == "made", "\(change)")
            #expect(try await made(change, name) == "kept", "\(change)")
        }
        let size = try await pictureSize(name, in: folder)
        #expect(size.split(separator: ",").count == 3, "\(size)")
    }

    @Test func `are made again of a film that changed`() async throws {
        #expect(try await made(["--count", "1"], "sheet.png") == "made")
        // Another file of the same date, then the same file with another date, older than the sheet.
        try FileManager.default.removeItem(atPath: folder.path("film.mp4"))
        try folder.copy("vfr.mp4", as: "film.mp4")
        try date("film.mp4", -100_000)
        #expect(try await made(["--count", "1"], "sheet.png") == "made")
        try date("film.mp4", -50_000)
        #expect(try await made(["--count", "1"], "sheet.png") == "made")
        #expect(try await made(["--count", "1"], "sheet.png") == "kept")
    }

    // A picture of that name that somebody else had made was replaced as soon as the film was newer.
    @Test func `never take the place of another picture`() async throws {
        try folder.write("mine", to: "film-sheet.png")
        try date("film-sheet.png", -200_000)
        let run = try await Tool.run("sheet", "--if-newer", "film.mp4", in: folder)
        #expect(run.exitCode == 73, "\(run)")
        #expect(run.diagnostics.contains("is no sheet made by avtool"))
        #expect(try folder.data("film-sheet.png") == Data("mine".utf8))
    }

    /// Each format's readers have to see the same picture with the mark as without it.
    @Test(arguments: [("jpg", "mjpeg"), ("webp", "webp"), ("avif", "av1"), ("png", "png")])
    func `are pictures that others read`(_ ending: String, _ codec: String) async throws {
        let run = try await Tool.run(
            "sheet", "--json", "--count", "2", "--tile", "160x0", "--labels", "none", "--no-header", "-o",
            "sheet.\(ending)", "film.mp4", in: folder)
        let sheet = try #require(try run.json().first)
        let width = try #require(sheet["width"] as? Int)
        let pixels = try await CommandRun.ffmpegPixels(of: folder.path("sheet.\(ending)"), options: [])
        #expect(pixels.count == width * (try #require(sheet["height"] as? Int)) * 3)
        #expect(try await pictureSize("sheet.\(ending)", in: folder).hasPrefix(codec))
        let tile = try #require((sheet["tiles"] as? [[String: Any]])?.first)
        let (x, y) = (try #require(tile["x"] as? Int), try #require(tile["y"] as? Int))
        // The number's first two bars: white, then black, ten pixels each.
        let row = (y + 15) * width + x
        #expect(pixels[(row + 5) * 3 + 1] > 190 && pixels[(row + 15) * 3 + 1] < 60)
    }
}
