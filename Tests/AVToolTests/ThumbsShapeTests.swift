import Foundation
import MediaTestSupport
import Testing

@Suite struct `Shapes of stills on the command line` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    private func thumbs(_ arguments: String...) async throws -> ToolRun {
        try await Tool.run(try Tool.executable(), ["thumbs"] + arguments, in: folder, limit: 60)
    }

    @Test func `several sizes give a file each, its size in the name and in JSON`() async throws {
        let run = try await thumbs("--at", "0,1", "--size", "160x0", "--size", "0x60", "--json", movie)
        #expect(run.exitCode == 0)
        let names = ["movie-1-160x120.png", "movie-1-80x60.png", "movie-2-160x120.png", "movie-2-80x60.png"]
        #expect(try folder.names == names)
        let objects = try run.json()
        #expect(objects.map { $0["file"] as? String } == names)
        #expect(objects.map { $0["width"] as? Int } == [160, 80, 160, 80])
        #expect(objects.map { $0["index"] as? Int } == [1, 1, 2, 2])
        for name in names {
            let size = name.split(separator: "-")[2].dropLast(4).replacing("x", with: ",")
            #expect(try await pictureSize(name, in: folder) == "png,\(size)")
        }
    }

    @Test func `sizes that come out alike are written once`() async throws {
        let run = try await thumbs("--at", "0", "--size", "500x0", "--size", "800x0", movie)
        #expect(run.exitCode == 0)
        #expect(try folder.names == ["movie-1-320x240.png"])
    }

    @Test func `names take the size in parts`() async throws {
        let run = try await thumbs(
            "--at", "0", "--size", "32x0", "--size", "64x0", "-o", "{width}_{name}_{height}.{ext}", movie)
        #expect(run.exitCode == 0)
        #expect(try folder.names == ["32_movie_24.png", "64_movie_48.png"])
    }

    @Test(arguments: [
        (["--at", "0", "--size", "10x10", "--size", "20x20", "-o", "x.png"], "several sizes need {size}"),
        (["--at", "0", "--fit", "pad"], "--fit pad needs --size"),
        (["--at", "0", "--fit", "cover", "--size", "100x0"], "--fit cover needs --size"),
        (["--at", "0", "--crop", "10x10"], "--crop"), (["--at", "0", "--crop", "0x10+0+0"], "--crop"),
        (["--at", "0", "--crop", "10x10+-1+0"], "--crop"), (["--at", "0", "--crop", "10+10x1+1"], "--crop"),
        (["--at", "0", "--background", "blue-ish"], "--background"), (["--at", "0", "--track", "0"], "--track"),
        (["--cover", "--at", "0"], "Give one of"), (["--cover", "--crop", "auto"], "--crop auto"),
        (["--at", "0", "--hdr", "--background", "white"], "--hdr"),
    ])
    func `what makes no sense is refused`(_ arguments: [String], _ words: String) async throws {
        let run = try await Tool.run(try Tool.executable(), ["thumbs"] + arguments + [movie], in: folder, limit: 30)
        #expect(run.exitCode == 64)
        #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
        #expect(try folder.names.isEmpty)
    }

    @Test func `a part and a fit are told in JSON`() async throws {
        let run = try await thumbs(
            "--at", "0", "--crop", "200x100+11+7", "--fit", "pad", "--size", "100x100", "--background", "#f00",
            "--json", movie)
        let object = try #require(try run.json().first)
        #expect(object["crop"] as? [String: Int] == ["x": 11, "y": 7, "width": 200, "height": 100])
        #expect(object["width"] as? Int == 100 && object["height"] as? Int == 100)
        let pixels = try await CommandRun.ffmpegPixels(of: folder.path("movie-1.png"), options: [])
        #expect(Array(pixels[..<3]) == [255, 0, 0])
        let outside = try await thumbs("--at", "0", "--crop", "200x100+200+0", "--force", movie)
        #expect(outside.exitCode == 65)
        #expect(outside.diagnostics.contains("320x240"))
    }

    @Test func `black bars are left out of all stills alike`() async throws {
        _ = try await Tool.system(
            "ffmpeg", "-v", "error", "-i", movie, "-t", "3", "-vf", "pad=320:300:0:30", "-crf", "10", "barred.mp4",
            in: folder)
        let run = try await thumbs("--count", "3", "--crop", "auto", "--json", "barred.mp4")
        for object in try run.json() {
            #expect(object["crop"] as? [String: Int] == ["x": 0, "y": 30, "width": 320, "height": 240])
        }
    }

    @Test(arguments: [("jpeg", false), ("jpeg", true), ("png", false), ("png", true), ("webp", true)])
    func `clear parts show the background where they cannot stay clear`(_ format: String, _ isGiven: Bool) async throws
    {
        var arguments = ["thumbs", "--at", "0", "--format", format, "--quality", "100", "-o", "a.\(format)"]
        if isGiven { arguments += ["--background", "#0000ff"] }
        arguments.append(Fixture("alpha-png.mov").path)
        let run = try await Tool.run(try Tool.executable(), arguments, in: folder, limit: 30)
        #expect(run.exitCode == 0)
        let rgba = try await CommandRun.ffmpegPixels(of: folder.path("a.\(format)"), options: [], format: "rgba")
        // Clear at the left, at half of the height.
        let pixel = rgba[((60 * 160 + 1) * 4)...].prefix(4).map { Int($0) }
        if format == "png", !isGiven {
            #expect(pixel[3] == 0)
        } else {
            let expected = [0, 0, isGiven ? 255 : 0, 255]
            #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) <= 6 }, "\(pixel) for \(expected)")
        }
    }

    @Test func `embedded pictures come from files without video`() async throws {
        for name in ["attached-picture.mp3", "attached-picture.m4a"] {
            let run = try await thumbs(
                "--cover", "--size", "16x16", "--fit", "cover", "--json", "--force", Fixture(name).path)
            #expect(run.exitCode == 0)
            let object = try #require(try run.json().first)
            #expect(object["file"] as? String == "attached-picture-cover.png")
            #expect(try await pictureSize("attached-picture-cover.png", in: folder) == "png,16,16")
        }
        let none = try await thumbs("--cover", movie)
        #expect(none.exitCode == 65)
        #expect(none.diagnostics.contains("no embedded picture"))
    }

    @Test func `a track that is no video is refused with the numbers that there are`() async throws {
        for command in [["thumbs", "--at", "0"], ["sheet"], ["storyboard"], ["verify"]] {
            let run = try await Tool.run(
                try Tool.executable(), command + ["--track", "7", movie], in: folder, limit: 30)
            #expect(run.exitCode == 65)
            #expect(
                run.diagnostics.contains("track 7 is no video track; the only one is track 1"), "\(run.diagnostics)")
        }
    }
}
