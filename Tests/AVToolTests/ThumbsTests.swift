import Foundation
import MediaTestSupport
import Testing

@Suite struct `Stills on the command line` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    @Test func `four times give four lines and four pictures`() async throws {
        let run = try await Tool.run("thumbs", "--at", "0,1/3,2/3,end", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        // 25 frames a second: 3.33… falls into the frame of 3.32, 6.66… into that of 6.64; the last is frame 249.
        #expect(
            run.lines == [
                "0 → 0  movie-1.png", "3.333334 → 3.32  movie-2.png", "6.666667 → 6.64  movie-3.png",
                "10 → 9.96  movie-4.png",
            ])
        #expect(try folder.names == ["movie-1.png", "movie-2.png", "movie-3.png", "movie-4.png"])
        for name in try folder.names { #expect(try await pictureSize(name, in: folder) == "png,320,240") }
    }

    @Test func `JSON holds every field and exact times`() async throws {
        let run = try await Tool.run("thumbs", "--at", "1,1/3", "--json", movie, in: folder)
        let objects = try run.json()
        try #require(objects.count == 2)
        let first = objects[1]  // results come in order of time; this one is 1/3
        #expect(
            Set(first.keys) == [
                "source", "index", "requested", "actual", "duration", "isSyncSample", "exact", "damaged", "width",
                "height", "file",
            ])
        #expect(first["source"] as? String == movie)
        #expect(objects.map { $0["index"] as? Int } == [1, 2])
        #expect(first["file"] as? String == "movie-2.png")
        #expect(first["width"] as? Int == 320)
        #expect(first["height"] as? Int == 240)
        #expect(first["exact"] as? Bool == true)
        #expect(first["damaged"] as? Bool == false)
        #expect(first["isSyncSample"] as? Bool == false)
        #expect(ticks(first["requested"]) == [128_000, 38400])  // 10 s / 3, exactly
        #expect(ticks(first["actual"]) == [42496, 12800])  // frame 83
        #expect(ticks(first["duration"]) == [512, 12800])
        #expect(objects[0]["isSyncSample"] as? Bool == true)  // frame 25 begins the second GOP
        #expect(ticks(objects[0]["actual"]) == [12800, 12800])
    }

    @Test func `ten or more stills get names of equal length`() async throws {
        let run = try await Tool.run("thumbs", "--count", "10", "--size", "32x0", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.names.first == "movie-01.png")
        #expect(try folder.names.last == "movie-10.png")
        #expect(try folder.names.count == 10)
        // Each in the middle of its share: 0.5 s, 1.5 s and so on; 0.5 s is shown by frame 12.
        #expect(run.lines.first == "0.5 → 0.48  movie-01.png")
        #expect(run.lines.last == "9.5 → 9.48  movie-10.png")
    }

    @Test func `every so many seconds starts at zero and ends before the end`() async throws {
        let run = try await Tool.run("thumbs", "--every", "2.5s", "--size", "32x0", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(
            run.lines == [
                "0 → 0  movie-1.png", "2.5 → 2.48  movie-2.png", "5 → 5  movie-3.png", "7.5 → 7.48  movie-4.png",
            ])
    }

    @Test(arguments: [
        ("160x160", "png,160,120"), ("0x60", "png,80,60"), ("40x0", "png,40,30"), ("999x999", "png,320,240"),
    ])
    func `the size is a box that is never enlarged`(_ size: String, _ expected: String) async throws {
        #expect(try await Tool.run("thumbs", "--at", "1", "--size", size, movie, in: folder).exitCode == 0)
        #expect(try await pictureSize("movie-1.png", in: folder) == expected)
    }

    @Test func `a turned film gives upright pictures`() async throws {
        #expect(try await Tool.run("thumbs", "--at", "0", Fixture("rotate-90.mp4").path, in: folder).exitCode == 0)
        #expect(try await pictureSize("rotate-90-1.png", in: folder) == "png,120,160")
    }

    @Test func `JPEG files grow with the quality`() async throws {
        for (quality, name) in [("10", "low.jpg"), ("95", "high.jpg")] {
            let run = try await Tool.run(
                "thumbs", "--at", "1", "--format", "jpeg", "--quality", quality, "-o", name, movie, in: folder)
            #expect(run.exitCode == 0)
            #expect(try await pictureSize(name, in: folder) == "mjpeg,320,240")
        }
        #expect(try folder.data("low.jpg").count < folder.data("high.jpg").count / 2)
    }

    @Test func `JPEG files end in jpg`() async throws {
        let run = try await Tool.run("thumbs", "--at", "1", "--format", "jpeg", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.names == ["movie-1.jpg"])
    }

    @Test func `a pattern names results by every placeholder`() async throws {
        let run = try await Tool.run(
            "thumbs", "--at", "1/3", "-o", "{index}_{name}_{requested}_{actual}_{other}.{ext}", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.names == ["1_movie_3.333334_3.32_{other}.png"])
    }

    // Foundation's way to find a bare name's folder traps on names of one character.
    @Test func `a name may have a single character`() async throws {
        #expect(try await Tool.run("thumbs", "--at", "0", "-o", "x", movie, in: folder).exitCode == 0)
        #expect(try await Tool.run("storyboard", "-o", "y", movie, in: folder).exitCode == 0)
        #expect(try await Tool.run("export", "--preset", "m4a", "-o", "z", movie, in: folder).exitCode != 132)
        #expect(try folder.names.starts(with: ["x", "y"]))
    }

    @Test func `a folder gets the default names`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
        let run = try await Tool.run("thumbs", "--at", "0", "-o", "sub", movie, in: folder)
        #expect(run.lines == ["0 → 0  sub/movie-1.png"])
        #expect(FileManager.default.fileExists(atPath: folder.path("sub/movie-1.png")))
    }

    @Test func `a dash writes the picture itself to standard output`() async throws {
        let run = try await Tool.run("thumbs", "--at", "1", "-o", "-", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(try folder.names.isEmpty)
        try run.output.write(to: URL(fileURLWithPath: folder.path("out.png")))
        #expect(try await pictureSize("out.png", in: folder) == "png,320,240")
    }

    @Test func `several results do not fit into standard output`() async throws {
        let run = try await Tool.run("thumbs", "--at", "0,1", "-o", "-", movie, in: folder)
        #expect([64, 73].contains(run.exitCode))
        #expect(run.output.isEmpty)
        #expect(!run.diagnostics.isEmpty)
    }

    @Test func `several stills do not fit into one name`() async throws {
        let run = try await Tool.run("thumbs", "--at", "0,1", "-o", "one.png", movie, in: folder)
        #expect([64, 73].contains(run.exitCode))
        #expect(try folder.names.isEmpty)
    }

    @Test func `an existing file is left alone without force`() async throws {
        try folder.write("mine", to: "movie-1.png")
        let run = try await Tool.run("thumbs", "--at", "0,1", movie, in: folder)
        #expect(run.exitCode == 73)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("movie-1.png"))
        #expect(try folder.data("movie-1.png") == Data("mine".utf8))
        #expect(run.lines == ["1 → 1  movie-2.png"])
    }

    @Test func `force replaces a file and leaves nothing beside it`() async throws {
        try folder.write("mine", to: "movie-1.png")
        let run = try await Tool.run("thumbs", "--at", "0", "--force", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(try await pictureSize("movie-1.png", in: folder) == "png,320,240")
        #expect(try folder.names == ["movie-1.png"])
    }

    @Test func `one bad file among good ones stops none of them`() async throws {
        let run = try await Tool.run(
            "thumbs", "--at", "0", movie, folder.path("missing.mp4"), Fixture("text.mp4").path,
            Fixture("vfr.mp4").path, in: folder)
        #expect(run.exitCode == 66)
        #expect(run.lines == ["0 → 0  movie-1.png", "0 → 0  vfr-1.png"])
        #expect(run.diagnosticLines.count == 2)
        #expect(run.diagnosticLines.first?.contains("missing.mp4: no such file") == true)
        #expect(try folder.names == ["movie-1.png", "vfr-1.png"])
    }

    @Test func `JSON names the files that failed`() async throws {
        let run = try await Tool.run("thumbs", "--at", "0", "--json", "missing.mp4", movie, in: folder)
        let objects = try run.json()
        #expect(run.exitCode == 66)
        try #require(objects.count == 2)
        #expect(objects[0]["source"] as? String == "missing.mp4")
        let error = try #require(objects[0]["error"] as? [String: Any])
        #expect(error["code"] is String)
        #expect((error["message"] as? String)?.contains("no such file") == true)
        #expect(objects[1]["file"] as? String == "movie-1.png")
    }

    private func ticks(_ time: Any?) -> [Int]? {
        guard let time = time as? [String: Any], let value = time["value"] as? Int,
            let scale = time["timescale"] as? Int,
            let seconds = time["seconds"] as? Double, abs(seconds - Double(value) / Double(scale)) < 1e-9
        else { return nil }
        return [value, scale]
    }
}
