import Foundation
import MediaTestSupport
import Testing

/// The text chunks of a PNG file, as exiftool reads them.
private func texts(_ name: String, in folder: WorkFolder) async throws -> [String: String] {
    let run = try await Tool.system("exiftool", "-j", "-n", name, in: folder)
    let values = try #require(try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]]).first ?? [:]
    return values.mapValues { "\($0)" }
}

@Suite struct `Thumbnails` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    @Test func `are small upright PNG files that say what they were made of`() async throws {
        try folder.copy("rotate-90.mp4", as: "a b%ü#.mp4")
        let run = try await Tool.shell(
            "touch -d @1700000000.7 a*.mp4; \"$AVTOOL\" thumbnail -s 100 -o t.png a*.mp4", in: folder)
        #expect(run.exitCode == 0)
        #expect(run.text == "a b%ü#.mp4 → t.png\n")
        let facts = try await texts("t.png", in: folder)
        let streams = try #require(try sidecar("rotate-90.mp4")["streams"] as? [[String: Any]])
        let coded = try #require(streams.first { $0["codec_type"] as? String == "video" })
        let (width, height) = (coded["height"] as? Int ?? 0, coded["width"] as? Int ?? 0)
        #expect(facts["ThumbImageWidth"] == "\(width)")
        #expect(facts["ThumbImageHeight"] == "\(height)")
        #expect(facts["ImageHeight"] == "100")
        #expect(facts["ImageWidth"] == "\(Int((100.0 * Double(width) / Double(height)).rounded()))")
        #expect(facts["ThumbMTime"] == "1700000000")
        #expect(facts["ThumbURI"] == "file://\(folder.url.path)/a%20b%25%C3%BC%23.mp4")
        #expect(facts["ThumbMimetype"] == "video/mp4")
        #expect(facts["ThumbSize"] == "\(try folder.data("a b%ü#.mp4").count)")
        // The specification wants the older kind of chunk.
        let png = try folder.data("t.png")
        #expect(png.range(of: Data("tEXtThumb::URI\0".utf8)) != nil)
    }

    @Test func `show the cover, or a frame where that is asked for`() async throws {
        let film = try await Tool.shell(
            """
            ffmpeg -v error -f lavfi -i color=red:s=64x64 -frames:v 1 cover.png
            ffmpeg -v error -f lavfi -i testsrc2=s=160x120:d=2 -i cover.png -map 0 -map 1 -c:v:0 libx264 -c:v:1 png \
                -disposition:v:1 attached_pic film.mp4
            "$AVTOOL" thumbnail --json -o cover-thumb.png film.mp4
            "$AVTOOL" thumbnail --json --frame -o frame-thumb.png film.mp4
            "$AVTOOL" thumbnail --json --frame -o song-thumb.png \(Fixture("attached-picture.mp3").path)
            """, in: folder)
        #expect(film.exitCode == 0, "\(film)")
        let lines = try film.json()
        #expect(lines.map { $0["cover"] != nil } == [true, false, true])
        #expect(lines.map { $0["actual"] != nil } == [false, true, false])
        #expect(try await pictureSize("cover-thumb.png", in: folder) == "png,64,64")
        #expect(try await pictureSize("frame-thumb.png", in: folder) == "png,160,120")
    }

    @Test func `pass over what is black or damaged`() async throws {
        // Black but for a second near the tenth of the film; and one whose second half is not there.
        let run = try await Tool.shell(
            """
            ffmpeg -v error -f lavfi -i testsrc2=s=160x120:d=30:r=10 -vf "drawbox=t=fill:c=black:enable='gt(abs(t-3),1.5)'" \
                -c:v libx264 -g 10 black.mp4
            "$AVTOOL" thumbnail --json -o black.png black.mp4
            "$AVTOOL" thumbnail --json -o short.png \(Fixture("truncated.mp4").path)
            """, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let times = try run.json().map { ($0["actual"] as? [String: Any])?["seconds"] as? Double ?? -1 }
        #expect((1.5...4.5).contains(try #require(times.first)))
        #expect(times.count == 2)
    }

    @Test(arguments: ["audio-only.m4a", "truncated-no-moov.mp4", "empty.mp4"])
    func `are not made of what shows nothing, and nothing is left`(name: String) async throws {
        let run = try await Tool.run("thumbnail", "-o", "t.png", Fixture(name).path, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names.isEmpty)
    }

    @Test func `fill an empty file that somebody holds open, and replace any other`() async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        let run = try await Tool.shell(
            """
            : >empty.png; exec 5<empty.png
            "$AVTOOL" thumbnail -o empty.png movie.mp4; echo $?
            "$AVTOOL" thumbnail --force -o empty.png movie.mp4; echo $?
            cmp - empty.png <&5; echo $?
            echo old >full.png; exec 6<full.png
            "$AVTOOL" thumbnail --force -o full.png movie.mp4; cat <&6; cmp empty.png full.png
            """, in: folder)
        #expect(run.lines == ["73", "movie.mp4 → empty.png", "0", "0", "movie.mp4 → full.png", "old"])
    }

    @Test func `leave a file that was to be filled empty where the disk has no room`() async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        // The limit is that of files which this shell's programs may write.
        let run = try await Tool.shell(
            ": >t.png; (ulimit -f 8; \"$AVTOOL\" thumbnail --force -o t.png movie.mp4); echo $?; stat -c %s t.png",
            in: folder)
        #expect(run.lines.last == "0")
        #expect(run.lines.first.map { $0 != "0" } == true)
    }

    @Test(arguments: [
        ["-s", "0", "x"], ["-s", "4097", "x"], ["-s", "large", "-s", "normal", "x"],
        ["--desktop-cache", "-s", "100", "x"], ["--desktop-cache", "-o", "y", "x"], ["--desktop-cache", "-"],
        ["--desktop-cache", "--allow-network", "http://localhost/x"],
    ])
    func `say what makes no sense`(arguments: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), ["thumbnail"] + arguments, in: folder, limit: 30)
        #expect(run.exitCode == 64)
        #expect(run.diagnosticLines.count == 1)
    }
}

@Suite struct `The desktop's cache of thumbnails` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private func run(_ arguments: String) async throws -> ToolRun {
        try await Tool.shell("XDG_CACHE_HOME=$PWD/cache \"$AVTOOL\" thumbnail --desktop-cache \(arguments)", in: folder)
    }

    /// What md5sum makes of a file's address.
    private func digest(_ name: String) async throws -> String {
        let run = try await Tool.shell("printf 'file://%s' \"$PWD/\(name)\" | md5sum", in: folder)
        return String(run.text.prefix(32))
    }

    @Test func `has each size in its folder, for nobody else to see`() async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        let made = try await run("-s normal -s x-large -s 128 movie.mp4")
        #expect(made.exitCode == 0)
        let digest = try await digest("movie.mp4")
        #expect(made.lines.count == 2)
        let modes = try await Tool.shell("find cache -printf '%m %P\\n' | sort", in: folder)
        #expect(
            modes.lines == [
                "600 thumbnails/normal/\(digest).png", "600 thumbnails/x-large/\(digest).png", "700 ", "700 thumbnails",
                "700 thumbnails/normal", "700 thumbnails/x-large",
            ])
        #expect(try await pictureSize("cache/thumbnails/normal/\(digest).png", in: folder) == "png,128,96")
        // Never enlarged.
        #expect(try await pictureSize("cache/thumbnails/x-large/\(digest).png", in: folder) == "png,320,240")
    }

    @Test func `keeps what is there for the file as it is`() async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        _ = try await run("movie.mp4")
        let path = "cache/thumbnails/large/\(try await digest("movie.mp4")).png"
        let first = try folder.data(path)
        let again = try await run("--json movie.mp4")
        #expect(try again.json().map { $0["state"] as? String } == ["upToDate"])
        let other = try await Tool.shell("touch -d '2001-01-01 UTC' movie.mp4", in: folder)
        #expect(other.exitCode == 0)
        let changed = try await run("--json ./movie.mp4")
        #expect(try changed.json().map { $0["state"] as? String } == ["made"])
        #expect(try await texts(path, in: folder)["ThumbMTime"] == "978307200")
        #expect(try folder.data(path) != first)
    }

    /// Puts another time into a thumbnail.
    private static let setTime = """
        import struct, sys, zlib
        path, time = sys.argv[1:]
        data = open(path, "rb").read()
        start = data.index(b"tEXtThumb::MTime") - 4
        end = start + 12 + struct.unpack(">I", data[start:start + 4])[0]
        body = b"tEXtThumb::MTime\\0" + time.encode()
        chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
        open(path, "wb").write(data[:start] + chunk + data[end:])
        """

    @Test func `takes thumbnails of programs that give parts of a second`() async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        _ = try await run("movie.mp4")
        let path = "cache/thumbnails/large/\(try await digest("movie.mp4")).png"
        let own = try await texts(path, in: folder)["ThumbMTime"] ?? ""
        for (time, state) in [("\(own).25", "upToDate"), ("\(own)1", "made"), ("1", "made")] {
            let change = try await Tool.system("python3", "-c", Self.setTime, path, time, in: folder)
            try #require(change.exitCode == 0, "\(change)")
            #expect(try await run("--json movie.mp4").json().map { $0["state"] as? String } == [state])
        }
    }

    @Test func `knows of what there can be no thumbnail`() async throws {
        try folder.write("rubbish", to: "bad.mp4")
        let first = try await run("bad.mp4")
        #expect(first.exitCode == 65)
        #expect(first.diagnostics.contains("not a media file"))
        #expect(
            try await Tool.shell("find cache -type f -printf '%m %P'", in: folder).text
                == "600 thumbnails/fail/avtool-\(try await version())/\(try await digest("bad.mp4")).png")
        let second = try await run("bad.mp4")
        #expect(second.exitCode == 65)
        #expect(second.diagnostics.contains("as was found before"))
        let forced = try await run("--force bad.mp4")
        #expect(forced.diagnostics.contains("not a media file"))
        try FileManager.default.removeItem(atPath: folder.path("bad.mp4"))
        try folder.copy("movie.mp4", as: "bad.mp4")
        #expect(try await Tool.shell("touch -d @1000000000 bad.mp4", in: folder).exitCode == 0)
        #expect(try await run("bad.mp4").exitCode == 0)
    }

    private func version() async throws -> String {
        try await Tool.run("--version").text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
