import Foundation
import MediaTestSupport
import Testing

/// A file of one format, and how its tags are seen from outside.
struct TaggedFormat: Sendable, CustomTestStringConvertible {
    let fixture: String
    /// What the tool calls a title set by its friendly name.
    let titleIdentifier: String
    var testDescription: String { fixture }

    static let all = [
        TaggedFormat(fixture: "audio-only.m4a", titleIdentifier: "itsk/%A9nam"),
        TaggedFormat(fixture: "movie.mp4", titleIdentifier: "itsk/%A9nam"),
        // The fixture has a title under a short key already.
        TaggedFormat(fixture: "movie.mov", titleIdentifier: "mdta/title"),
        TaggedFormat(fixture: "fragmented.mp4", titleIdentifier: "itsk/%A9nam"),
        TaggedFormat(fixture: "audio-only.mp3", titleIdentifier: "id3/TIT2"),
        TaggedFormat(fixture: "audio-only.flac", titleIdentifier: "vorb/TITLE"),
        TaggedFormat(fixture: "theora.ogv", titleIdentifier: "vorb/TITLE"),
        TaggedFormat(fixture: "cues.mkv", titleIdentifier: "mkv/TITLE"),
        TaggedFormat(fixture: "no-cues.mkv", titleIdentifier: "mkv/TITLE"),
        TaggedFormat(fixture: "vp9.webm", titleIdentifier: "mkv/TITLE"),
    ]
}

@Suite(.serialized) struct `Metadata on the command line` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// Hashes of each stream's packets, in file order.
    private func mediaHash(_ name: String) async throws -> String {
        let run = try await Tool.system(
            "ffmpeg", "-v", "error", "-i", name, "-map", "0:v?", "-map", "0:a?", "-c", "copy", "-f", "streamhash",
            "-hash", "md5", "-", in: folder)
        #expect(run.exitCode == 0)
        return run.text
    }

    /// The tags that ffprobe finds in the file and its first stream, keys in lower case.
    private func tags(_ name: String) async throws -> [String: String] {
        let run = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", name, in: folder)
        let root = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let streams = (root["streams"] as? [[String: Any]] ?? []).compactMap { $0["tags"] as? [String: String] }
        let format = (root["format"] as? [String: Any])?["tags"] as? [String: String]
        var result: [String: String] = [:]
        for (key, value) in (streams + [format ?? [:]]).joined() { result[key.lowercased()] = value }
        return result
    }

    /// What `metadata show --json` prints, without what depends on the file's name.
    private func shown(_ name: String) async throws -> [String: Any] {
        let run = try await Tool.run("metadata", "show", "--json", name, in: folder)
        #expect(run.exitCode == 0)
        var object = try #require(try run.json().first)
        object["source"] = nil
        return object
    }

    private func identifiers(_ object: [String: Any]) -> [String] {
        (object["metadata"] as? [[String: Any]] ?? []).compactMap { $0["identifier"] as? String }
    }

    @Test(arguments: TaggedFormat.all)
    func `sets what ffprobe reads and leaves the media alone`(_ format: TaggedFormat) async throws {
        try folder.copy(format.fixture, as: format.fixture)
        let before = try await mediaHash(format.fixture)
        let run = try await Tool.run(
            "metadata", "set", "title=Größe = 3 × 4", "artist=Somebody", "comment=Line", "track=3/12", "genre=Jazz",
            "year=2004", format.fixture, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let tags = try await tags(format.fixture)
        #expect(tags["title"] == "Größe = 3 × 4" || tags["com.apple.quicktime.title"] == "Größe = 3 × 4")
        #expect(tags["artist"] == "Somebody" || tags["com.apple.quicktime.artist"] == "Somebody")
        let object = try await shown(format.fixture)
        #expect(identifiers(object).contains { $0.lowercased() == format.titleIdentifier.lowercased() })
        let item = try #require(object["mediaItem"] as? [String: Any])
        #expect(item["name"] as? String == "Größe = 3 × 4")
        #expect(item["artist"] as? String == "Somebody")
        #expect(item["comments"] as? String == "Line")
        #expect(item["genre"] as? String == "Jazz")
        #expect(item["year"] as? Int == 2004)
        #expect(item["trackNumber"] as? Int == 3)
        #expect(item["trackCount"] as? Int == 12)
        #expect(try await mediaHash(format.fixture) == before)
        #expect(try folder.names == [format.fixture])
    }

    @Test(arguments: TaggedFormat.all)
    func `gives back what it showed after all was removed`(_ format: TaggedFormat) async throws {
        try folder.copy(format.fixture, as: format.fixture)
        let before = try await mediaHash(format.fixture)
        let set = try await Tool.run(
            "metadata", "set", "title=A", "artist=B", "album=C", "composer=D", "year=1999-02-03", "disc=1/2",
            "comment=E", "custom-name=F", format.fixture, in: folder)
        // A name that nothing knows is a mistake, not a new tag.
        #expect(set.exitCode == 64 || set.exitCode == 65)
        let again = try await Tool.run(
            "metadata", "set", "title=A", "artist=B", "album=C", "composer=D", "year=1999-02-03", "disc=1/2",
            "comment=E", format.fixture, in: folder)
        #expect(again.exitCode == 0, "\(again)")
        let run = try await Tool.shell(
            """
            set -e
            "$AVTOOL" metadata show --json \(format.fixture) > shown.json
            "$AVTOOL" metadata remove --all \(format.fixture)
            """, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let shownBefore = try #require(
            try JSONSerialization.jsonObject(with: folder.data("shown.json")) as? [String: Any])
        #expect(identifiers(try await shown(format.fixture)) == [])
        let back = try await Tool.run("metadata", "set", "--from", "shown.json", format.fixture, in: folder)
        #expect(back.exitCode == 0, "\(back)")
        #expect(back.diagnostics.isEmpty)
        let shownAfter = try await shown(format.fixture)
        for key in ["metadata", "tracks", "mediaItem", "chapterLists", "commonMetadata"] {
            #expect(shownBefore[key] as? NSObject == shownAfter[key] as? NSObject, "\(key)")
        }
        #expect(try await mediaHash(format.fixture) == before)
    }

    @Test(arguments: TaggedFormat.all)
    func `sets chapters that ffprobe reads and removes them`(_ format: TaggedFormat) async throws {
        try folder.copy(format.fixture, as: format.fixture)
        let before = try await mediaHash(format.fixture)
        try folder.write("00:00:00.000 Eins\n00:00:00.520 Zwei & <drei>\n", to: "chapters.txt")
        let run = try await Tool.run(
            "chapters", "set", "--from", "chapters.txt", "--language", "de", format.fixture, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "json", format.fixture, in: folder)
        let root = try #require(try JSONSerialization.jsonObject(with: probe.output) as? [String: Any])
        let chapters = root["chapters"] as? [[String: Any]] ?? []
        #expect(chapters.compactMap { ($0["tags"] as? [String: String])?["title"] } == ["Eins", "Zwei & <drei>"])
        // ffprobe counts from the container's zero, the tool from where the first track starts.
        let countsFromZero = ["audio-only.mp3", "audio-only.flac", "theora.ogv"].contains(format.fixture)
        let start = Double((root["format"] as? [String: Any])?["start_time"] as? String ?? "") ?? 0
        let last = try #require(chapters.compactMap { Double($0["start_time"] as? String ?? "") }.last)
        #expect(abs(last - (countsFromZero ? 0 : start) - 0.52) < 0.000_001)
        #expect(try await mediaHash(format.fixture) == before)
        let shown = try await Tool.run("chapters", "show", "--format", "text", format.fixture, in: folder)
        #expect(shown.text.contains("00:00:00.520 Zwei & <drei>"), "\(shown)")
        let removed = try await Tool.run("chapters", "remove", format.fixture, in: folder)
        #expect(removed.exitCode == 0, "\(removed)")
        let none = try await Tool.run("chapters", "show", format.fixture, in: folder)
        #expect(none.text.contains("no chapters"))
        #expect(try await mediaHash(format.fixture) == before)
    }

    @Test(arguments: ["audio-only.m4a", "audio-only.mp3", "audio-only.flac", "cues.mkv", "movie.mov"])
    func `puts pictures in and takes the same bytes out`(_ fixture: String) async throws {
        try folder.copy(fixture, as: fixture)
        let made = try await Tool.run(
            "thumbs", "--at", "0", "--size", "64x0", "-o", "cover.png", Fixture("movie.mov").path, in: folder)
        #expect(made.exitCode == 0)
        let run = try await Tool.run("metadata", "artwork", "--set", "cover.png", fixture, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let out = try await Tool.run("metadata", "artwork", "--extract", "out.{ext}", fixture, in: folder)
        #expect(out.exitCode == 0, "\(out)")
        #expect(try folder.data("out.png") == folder.data("cover.png"))
        let again = try await Tool.run("metadata", "artwork", "--extract", "out.{ext}", fixture, in: folder)
        #expect(again.exitCode == 73)
        let removed = try await Tool.run("metadata", "artwork", "--remove", fixture, in: folder)
        #expect(removed.exitCode == 0)
        #expect(try await Tool.run("metadata", "artwork", fixture, in: folder).text.contains("no pictures"))
    }

    @Test(arguments: ["audio-only.m4a", "audio-only.mp3", "audio-only.flac", "cues.mkv"])
    func `changes a text whose letters are only composed otherwise`(_ fixture: String) async throws {
        try folder.copy(fixture, as: fixture)
        for title in ["\u{FC}", "u\u{308}"] {
            let run = try await Tool.run("metadata", "set", "title=\(title)", fixture, in: folder)
            #expect(run.exitCode == 0, "\(run)")
            let found = try await tags(fixture)["title"] ?? ""
            #expect(Array(found.utf8) == Array(title.utf8))
        }
    }

    @Test func `says what it would do and does nothing`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        let before = try folder.data("a.mp4")
        let run = try await Tool.run("metadata", "set", "--dry-run", "--json", "title=X", "a.mp4", in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(try run.json().first?["dryRun"] as? Bool == true)
        #expect(try folder.data("a.mp4") == before)
    }

    @Test func `writes a copy and leaves the source alone`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        let before = try folder.data("a.mp4")
        let run = try await Tool.run("metadata", "set", "title=X", "-o", "b.mp4", "a.mp4", in: folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(try folder.data("a.mp4") == before)
        #expect(try await tags("b.mp4")["title"] == "X")
        let again = try await Tool.run("metadata", "set", "title=Y", "-o", "b.mp4", "a.mp4", in: folder)
        #expect(again.exitCode == 73)
        #expect(try await tags("b.mp4")["title"] == "X")
        let forced = try await Tool.run("metadata", "set", "title=Y", "-o", "b.mp4", "--force", "a.mp4", in: folder)
        #expect(forced.exitCode == 0)
        #expect(try await tags("b.mp4")["title"] == "Y")
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let arguments: String
        let exitCode: Int32
        let words: [String]
        init(_ arguments: String, _ exitCode: Int32, _ words: String...) {
            (self.arguments, self.exitCode, self.words) = (arguments, exitCode, words)
        }
        var testDescription: String { arguments }
    }

    @Test(arguments: [
        Mistake("metadata set title=X missing.mp4", 66, "no such file"),
        Mistake("metadata set title=X /dev/null", 66, "/dev/null: not a readable file"),
        Mistake("metadata set title=X -o missing/b.mp4 a.mp4", 73, "missing/b.mp4"),
        Mistake("metadata artwork --set cover.png a.webm", 65, "COVER"),
        Mistake("metadata set a.mp4", 64, "NAME=VALUE"),
        Mistake("metadata set title=X", 64, "file"),
        Mistake("metadata set titel=X a.mp4", 64, "titel", "title"),
        Mistake("metadata set track=x a.mp4", 64, "track"),
        Mistake("metadata set title=X text.mp4", 65),
        Mistake("metadata set title=X movie.ts", 65, "metadata"),
        Mistake("metadata set --from bad.json a.mp4", 65, "bad.json"),
        Mistake("metadata set --from empty.json a.mp4", 65, "empty.json"),
        Mistake("metadata set --from missing.json a.mp4", 66, "missing.json"),
        Mistake("metadata set id3/TIT2=X a.mp4", 64, "id3/TIT2"),
        Mistake("metadata artwork --set bad.json a.mp4", 65, "bad.json"),
        Mistake("metadata remove a.mp4", 64, "--name"),
        Mistake("chapters set --from bad.json a.mp4", 65, "bad.json"),
        Mistake("chapters show --format xml none.mp4", 65, "no chapters"),
        Mistake("metadata show text.mp4", 65),
        Mistake("metadata show missing.mp4", 66, "no such file"),
    ])
    func `refuses mistakes in one line and changes nothing`(_ c: Mistake) async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        try folder.copy("one-frame.mp4", as: "none.mp4")
        try folder.copy("vp9.webm", as: "a.webm")
        try folder.copy("animated.png", as: "cover.png")
        try folder.copy("h264.ts", as: "movie.ts")
        try folder.copy("text.mp4", as: "text.mp4")
        try folder.write("{\"metadata\": [{\"identifier\": 5}]}", to: "bad.json")
        try folder.write("{}", to: "empty.json")
        let before = try folder.data("a.mp4")
        let run = try await Tool.shell("\"$AVTOOL\" \(c.arguments)", in: folder)
        #expect(run.exitCode == c.exitCode, "\(run)")
        #expect(run.diagnosticLines.count == 1, "\(run)")
        for word in c.words { #expect(run.diagnostics.contains(word), "\(run)") }
        #expect(try folder.data("a.mp4") == before)
    }

    @Test func `goes on with the other files after a bad one`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        try folder.copy("audio-only.flac", as: "b.flac")
        let run = try await Tool.run("metadata", "set", "title=X", "a.mp4", "missing.mp4", "b.flac", in: folder)
        #expect(run.exitCode == 66)
        #expect(run.lines.count == 2)
        #expect(try await tags("b.flac")["title"] == "X")
    }

    @Test func `a full disk leaves the old file`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        let run = try await Tool.shell(
            """
            mkdir small && mount -t tmpfs -o size=700k none small || exit 99
            trap 'umount small' EXIT
            "$AVTOOL" thumbs --at 0 -o cover.png a.mp4 >/dev/null && head -c 2000000 /dev/zero >> cover.png || exit 98
            cp a.mp4 small/ 2>/dev/null || exit 99
            before=$(md5sum < small/a.mp4)
            "$AVTOOL" metadata artwork --set cover.png small/a.mp4
            echo "exit $?"
            [ "$before" = "$(md5sum < small/a.mp4)" ] && echo same
            ls -A small
            """, in: folder)
        // Mounting needs rights that not everybody has.
        guard run.exitCode != 99 else { return }
        #expect(run.lines.contains("exit 74"), "\(run)")
        #expect(run.lines.contains("same"), "\(run)")
        #expect(run.lines.last == "a.mp4", "\(run)")
    }

    @Test func `documents may come from a process, and say where they are wrong`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        try folder.write("{\"metadata\": [\n  {\"identifier\": \"x\"\n   \"a\": 1}]}", to: "bad.json")
        let run = try await Tool.shell(
            """
            "$AVTOOL" metadata show --json a.mp4 > good.json
            "$AVTOOL" metadata set --from <(sed 's/Counting bars/Other/g' good.json) a.mp4
            "$AVTOOL" metadata get title a.mp4
            "$AVTOOL" metadata set --from bad.json a.mp4; echo $?
            """, in: folder)
        #expect(run.lines.dropFirst().first == "Other", "\(run)")
        #expect(run.lines.last == "65")
        #expect(run.diagnosticLines == ["avtool: bad.json: is not JSON: see line 3, column 4"])
    }

    @Test(arguments: ["mjpeg.avi", "h264.ts"])
    func `chapters that a kind of file cannot have are an error`(_ name: String) async throws {
        try folder.copy(name, as: name)
        try folder.write("00:00:00.000 A\n", to: "chapters.txt")
        let before = try folder.data(name)
        let run = try await Tool.run("chapters", "set", "--from", "chapters.txt", name, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.data(name) == before)
    }
}

@Suite struct `Embedded pictures for people` {
    @Test(arguments: ["attached-picture.mp3"])
    func `are told by their size in pixels, kind and length`(fixture: String) async throws {
        let folder = try WorkFolder()
        let path = Fixture(fixture).path
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
            "csv=p=0:s=x", path, in: folder)
        let size = try #require(probe.lines.first)
        let shown = try await Tool.run("metadata", "show", path)
        #expect(
            shown.lines.contains { $0.contains(/^ +artwork +\d+x\d+ JPEG \d+ (kB|bytes)$/) && $0.contains(" \(size) ") }
        )
    }
}
