import Foundation
import MediaTestSupport
import Testing

@Suite struct `Metadata for other programs` {
    let folder: WorkFolder

    init() async throws {
        folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "movie.mp4")
        let run = try await Tool.run(
            "metadata", "set", "title=A = B; #1 \\ \"x\" <&>", "artist=Äé, 世", "album-artist=Band", "track=3/12",
            "date=2008",
            "genre=Jazz", "keywords=a", "location=+48.8577-002.2950/", "comment=two\nlines", "movie.mp4", in: folder)
        try #require(run.exitCode == 0, "\(run)")
    }

    private func show(_ format: String, _ files: String = "movie.mp4") async throws -> ToolRun {
        try await Tool.shell("\"$AVTOOL\" metadata show --format \(format) \(files)", in: folder)
    }

    @Test func `as CSV has one heading and a row for each value`() async throws {
        try folder.copy("languages.mp4", as: "languages.mp4")
        let run = try await show("csv", "movie.mp4 languages.mp4")
        try folder.write(run.text, to: "all.csv")
        let script = "import csv,json; print(json.dumps(list(csv.DictReader(open('all.csv', newline='')))))"
        let python = try await Tool.system("python3", "-c", script, in: folder)
        let rows = try #require(try JSONSerialization.jsonObject(with: python.output) as? [[String: String]])
        func value(_ file: String, _ name: String, _ track: String = "") -> String? {
            rows.first { $0["source"] == file && $0["name"] == name && $0["track"] == track }?["value"]
        }
        #expect(value("movie.mp4", "title") == "A = B; #1 \\ \"x\" <&>")
        #expect(value("movie.mp4", "comment") == "two\nlines")
        #expect(value("movie.mp4", "track") == "3/12")
        #expect(value("languages.mp4", "language", "3") == "de")
        #expect(!rows.contains { $0["source"] == "source" })
    }

    @Test func `as FFmpeg's text is taken by ffmpeg, with the chapters and tracks`() async throws {
        let run = try await show("ffmetadata")
        try folder.write(run.text, to: "all.txt")
        let made = try await Tool.shell(
            """
            ffmpeg -v error -i '\(Fixture("languages.mp4").path)' -i all.txt -map 0:v -map 0:a -c copy -map_metadata 1 \
                -map_chapters 1 made.mp4
            ffprobe -v error -of json -show_format -show_chapters made.mp4
            """, in: folder)
        let object = try #require(try JSONSerialization.jsonObject(with: made.output) as? [String: Any], "\(made)")
        let tags = try #require((object["format"] as? [String: Any])?["tags"] as? [String: String])
        #expect(tags["title"] == "A = B; #1 \\ \"x\" <&>")
        #expect(tags["artist"] == "Äé, 世")
        #expect(tags["album_artist"] == "Band")
        #expect(tags["track"] == "3/12")
        #expect(tags["comment"] == "two\nlines")
        let chapters = try #require(object["chapters"] as? [[String: Any]])
        let own = try #require(try sidecar("movie.mp4")["chapters"] as? [[String: Any]])
        #expect(
            chapters.map { ($0["tags"] as? [String: String])?["title"] }
                == own.map { ($0["tags"] as? [String: String])?["title"] })
    }

    @Test func `as XMP is what ExifTool reads, and says what it leaves out`() async throws {
        let run = try await show("xmp")
        try folder.write(run.text, to: "movie.xmp")
        #expect(run.diagnostics.contains("album-artist"))
        #expect(run.diagnostics.contains("the number of tracks"))
        let read = try await Tool.system("exiftool", "-json", "-n", "movie.xmp", in: folder)
        let tags = try #require(try JSONSerialization.jsonObject(with: read.output) as? [[String: Any]]).first ?? [:]
        #expect(tags["Title"] as? String == "A = B; #1 \\ \"x\" <&>")
        #expect(tags["Artist"] as? String == "Äé, 世")
        #expect(tags["TrackNumber"] as? Int == 3)
        #expect(tags["ReleaseDate"] as? Int == 2008 || tags["ReleaseDate"] as? String == "2008")
        #expect(tags["Subject"] as? String == "a")
        #expect(abs((tags["GPSLatitude"] as? Double ?? 0) - 48.8577) < 0.00001)
        #expect(abs((tags["GPSLongitude"] as? Double ?? 0) + 2.2950) < 0.00001)
        #expect(tags["LogComment"] as? String == "two\nlines")
    }

    @Test func `for ExifTool can be written by it`() async throws {
        let run = try await show("exiftool")
        try folder.write(run.text, to: "all.json")
        try folder.copy("audio-only.m4a", as: "new.m4a")
        let written = try await Tool.shell(
            "sed -i 's/movie.mp4/new.m4a/' all.json; exiftool -q -overwrite_original -json=all.json new.m4a; "
                + "exiftool -json -n new.m4a", in: folder)
        let tags = try #require(try JSONSerialization.jsonObject(with: written.output) as? [[String: Any]]).first ?? [:]
        #expect(tags["Title"] as? String == "A = B; #1 \\ \"x\" <&>")
        #expect(tags["AlbumArtist"] as? String == "Band")
        #expect(tags["TrackNumber"] as? String == "3 of 12" || tags["TrackNumber"] as? String == "3 12")
        #expect(tags["Genre"] as? String == "Jazz")
    }

    @Test(arguments: [
        "--format xmp a b", "--format csv --json a", "--private --format csv a", "--format xmp --identifiers a",
    ])
    func `is refused where it makes no sense`(_ arguments: String) async throws {
        let run = try await Tool.shell("\"$AVTOOL\" metadata show \(arguments)", in: folder)
        #expect(run.exitCode == 64)
        #expect(run.diagnosticLines.count == 1)
    }
}

@Suite struct `Metadata of another file` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private func title(_ name: String) async throws -> String? {
        let run = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "format_tags=title:stream_tags=title", "-of", "csv=p=0", name,
            in: folder)
        return run.lines.first
    }

    @Test(arguments: [
        "audio-only.m4a", "audio-only.mp3", "audio-only.flac", "theora.ogv", "cues.mkv", "vp9.webm", "movie.mov",
    ])
    func `is given to files of every kind`(_ fixture: String) async throws {
        try folder.copy(fixture, as: fixture)
        let set = try await Tool.shell(
            """
            cp '\(Fixture("movie.mp4").path)' from.mp4
            "$AVTOOL" metadata set title=New artist=Somebody track=3/12 from.mp4 >/dev/null
            "$AVTOOL" metadata set title=Old composer=Nobody \(fixture) >/dev/null
            "$AVTOOL" metadata copy --no-chapters from.mp4 \(fixture)
            "$AVTOOL" diff --metadata --json from.mp4 \(fixture)
            """, in: folder, limit: 60)
        #expect(try await title(fixture) == "New")
        let diff = try #require(
            try set.lines.last.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: Any])
        let names = (diff["differences"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        #expect(!names.contains { ["title", "artist", "track", "composer"].contains($0) }, "\(names)")
    }

    @Test func `leaves what was not asked for`() async throws {
        let run = try await Tool.shell(
            """
            cp '\(Fixture("attached-picture.m4a").path)' from.m4a; cp '\(Fixture("movie.mp4").path)' to.mp4
            "$AVTOOL" metadata set title=New from.m4a; "$AVTOOL" metadata set composer=Somebody to.mp4
            cp to.mp4 plain.mp4; cp to.mp4 kept.mp4; cp from.m4a untouched.m4a
            "$AVTOOL" metadata copy from.m4a plain.mp4; "$AVTOOL" metadata copy --keep --no-artwork from.m4a kept.mp4
            cmp from.m4a untouched.m4a && echo same
            for f in plain kept; do
                "$AVTOOL" metadata get title $f.mp4; "$AVTOOL" metadata get composer $f.mp4; "$AVTOOL" metadata get artwork $f.mp4
            done
            ffmpeg -v error -i to.mp4 -map 0:v -c copy -f md5 -; ffmpeg -v error -i plain.mp4 -map 0:v:0 -c copy -f md5 -
            """, in: folder, limit: 60)
        let lines = Array(run.lines.drop { $0 != "same" })
        // Of the first a title and a picture; of the second a title and what it had.
        #expect(lines.filter { $0 == "New" }.count == 2)
        #expect(lines.filter { $0 == "Somebody" }.count == 1)
        #expect(lines.filter { $0.hasPrefix("MD5=") }.count == 2)
        #expect(Set(lines.filter { $0.hasPrefix("MD5=") }).count == 1)
    }

    @Test func `carries chapters, but for those beyond the end`() async throws {
        let run = try await Tool.shell(
            """
            cp '\(Fixture("movie.mp4").path)' from.mp4; cp '\(Fixture("one-frame.mp4").path)' short.mp4
            printf '00:00:00 First\\n00:00:05 Second\\n' >c.txt; "$AVTOOL" chapters set --from c.txt from.mp4
            "$AVTOOL" metadata copy from.mp4 short.mp4
            ffprobe -v error -show_chapters -of csv=p=0 short.mp4 | wc -l
            """, in: folder)
        #expect(run.lines.last == "1")
        #expect(run.diagnostics.contains("outside of the film"))
    }

    @Test(arguments: [
        "metadata copy", "metadata copy a.mp4", "metadata copy none.mp4 movie.mp4", "metadata copy movie.mp4 none.mp4",
    ])
    func `is refused where there is nothing to copy`(_ command: String) async throws {
        try folder.copy("movie.mp4", as: "movie.mp4")
        let before = try folder.data("movie.mp4")
        let run = try await Tool.shell("\"$AVTOOL\" \(command)", in: folder)
        #expect([64, 66].contains(run.exitCode))
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.data("movie.mp4") == before)
    }
}

@Suite struct `Differences of two files` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    @Test func `are none between copies, and told by area`() async throws {
        let run = try await Tool.shell(
            """
            cp '\(Fixture("movie.mp4").path)' a.mp4; cp a.mp4 b.mp4
            "$AVTOOL" diff a.mp4 b.mp4; echo $?
            "$AVTOOL" metadata set title=Other b.mp4 >/dev/null; "$AVTOOL" diff a.mp4 b.mp4; echo $?
            "$AVTOOL" diff --tracks a.mp4 b.mp4; echo $?
            ffmpeg -v error -i a.mp4 -map 0:v -vf scale=160:120 -map_metadata -1 -map_chapters -1 c.mp4
            "$AVTOOL" diff --tracks --chapters --json a.mp4 c.mp4; echo $?
            """, in: folder, limit: 60)
        #expect(run.lines.prefix(5) == ["0", "metadata", "- title  Counting bars", "+ title  Other", "1"])
        #expect(run.lines[5] == "0")
        #expect(run.lines.last == "1")
        let diff = try #require(try JSONSerialization.jsonObject(with: Data(run.lines[6].utf8)) as? [String: Any])
        #expect(diff["same"] as? Bool == false)
        let all = try #require(diff["differences"] as? [[String: Any]])
        let width = all.first {
            $0["name"] as? String == "track 1 displaySize width" || $0["name"] as? String == "track 1 width"
        }
        #expect(width?["first"] as? [String] == ["320"])
        #expect(width?["second"] as? [String] == ["160"])
        #expect(all.contains { $0["area"] as? String == "chapters" && $0["second"] == nil })
        #expect(all.contains { ($0["name"] as? String)?.hasPrefix("track 2") == true && $0["second"] == nil })
        #expect(!all.contains { $0["area"] as? String == "metadata" })
    }

    @Test func `say which file cannot be read`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        let run = try await Tool.run("diff", "a.mp4", "none.mp4", in: folder)
        #expect(run.exitCode == 66)
        #expect(run.diagnostics == "avtool: a.mp4: none.mp4: no such file\n")
    }
}
