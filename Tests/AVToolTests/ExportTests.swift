import Foundation
import MediaTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Exports on the command line` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    private func duration(_ name: String) async throws -> String {
        let run = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", name, in: folder)
        return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `a trim lands under the usual name and says what it holds`() async throws {
        let run = try await Tool.run("export", "--preset", "passthrough", "--range", "1s+3s", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        let size = try folder.data("movie-passthrough.mov").count
        #expect(run.lines == ["movie-passthrough.mov: 1 s to 4 s (3 s), \(size) bytes"])
        #expect(try folder.names == ["movie-passthrough.mov"])
        #expect(try await duration("movie-passthrough.mov") == "3.000000")
    }

    @Test func `the name says what kind of file is made`() async throws {
        for ending in ["mp4", "mkv", "ts"] {
            let run = try await Tool.run(
                "export", "--preset", "passthrough", "--range", "..2s", "-o", "new.\(ending)",
                Fixture("movie.mp4").path, in: folder)
            #expect(run.exitCode == 0, "\(run)")
        }
        let format = try await Tool.shell(
            "for f in new.*; do ffprobe -v error -show_entries format=format_name -of csv=p=0 $f; done", in: folder)
        #expect(format.lines == ["\"matroska,webm\"", "\"mov,mp4,m4a,3gp,3g2,mj2\"", "mpegts"])
    }

    @Test func `several ranges are joined, inverted, split, or taken from a cut list`() async throws {
        let film = Fixture("movie.mp4").path
        for preset in ["passthrough", "high"] {
            let run = try await Tool.run(
                "export", "--preset", preset, "--range", "4s+2s", "--range", "1s..1.5s", "-o", "\(preset).mp4", film,
                in: folder)
            #expect(run.exitCode == 0, "\(run)")
            #expect(try await duration("\(preset).mp4") == "2.500000")
        }
        let rest = try await Tool.run(
            "export", "--preset", "passthrough", "--range", "1s..4s", "--invert", "-o", "rest.mp4", film, in: folder)
        #expect(rest.exitCode == 0)
        #expect(try await duration("rest.mp4") == "7.000000")
        try Data("1,2.5,a\n4,,b\n".utf8).write(to: URL(fileURLWithPath: folder.path("cuts.csv")))
        let parts = try await Tool.run(
            "export", "--preset", "passthrough", "--segments", "cuts.csv", "--split", "-o", "part.mp4", film, in: folder
        )
        #expect(parts.exitCode == 0)
        #expect(try await duration("part-1.mp4") == "1.500000")
        #expect(try await duration("part-2.mp4") == "6.000000")
    }

    @Test(
        arguments: [
            (["--range", "1s..3s", "--range", "2s..4s"], 64), (["--range", "1s..3s", "--range", "5s..50s"], 65),
            (["--invert"], 64), (["--segments", "nothing.csv"], 66), (["--segments", "broken.csv"], 64),
            (["--range", "0s..10s", "--invert"], 64),
        ] as [([String], Int32)])
    func `ranges that make no sense make nothing`(_ options: [String], _ code: Int32) async throws {
        try Data("1,2\n3,x\n".utf8).write(to: URL(fileURLWithPath: folder.path("broken.csv")))
        let run = try await Tool.run(
            try Tool.executable(),
            ["export", "--preset", "low", "-o", "new.mp4"] + options + [Fixture("movie.mp4").path], in: folder,
            limit: 30)
        #expect(run.exitCode == code, "\(run)")
        #expect(run.diagnostics.split(separator: "\n").count == 1)
        #expect(!options.contains("broken.csv") || run.diagnostics.contains("broken.csv: line 2: "))
        #expect(try folder.names == ["broken.csv"])
    }

    @Test func `films are joined, or it is said why not`() async throws {
        let (film, other) = (Fixture("movie.mp4").path, Fixture("long-gop.mp4").path)
        let twice = try await Tool.run("join", "-o", "twice.mp4", film, film, in: folder)
        #expect(twice.exitCode == 0, "\(twice)")
        #expect(try await duration("twice.mp4") == "20.000000")
        let differing = try await Tool.run("join", "-o", "new.mp4", film, other, in: folder)
        #expect(differing.exitCode == 65)
        #expect(differing.diagnostics.contains("codec configuration") && differing.diagnostics.contains("high"))
        let missing = try await Tool.run("join", "-o", "new.mp4", film, "nothing.mp4", in: folder)
        #expect(missing.exitCode == 66, "\(missing)")
        #expect(missing.diagnostics.contains("nothing.mp4"))
        let own = try await Tool.run("join", "-o", "twice.mp4", "--force", film, "twice.mp4", in: folder)
        #expect(own.exitCode == 73, "\(own)")
        #expect(try folder.names == ["twice.mp4"])
        #expect(try await duration("twice.mp4") == "20.000000")
        let encoded = try await Tool.run("join", "--preset", "low", "-o", "new.mp4", film, other, in: folder)
        #expect(encoded.exitCode == 0, "\(encoded)")
    }

    @Test func `a plan is shown and nothing is made`() async throws {
        let run = try await Tool.run("export", "--preset", "low", "--range", "1s+3s", "--dry-run", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.names.isEmpty)
        #expect(run.lines.first?.hasPrefix("movie-low.mp4: mp4, encoded anew") == true)
        #expect(run.lines.contains { $0.contains("track 1 video: transcode, h264") })
        #expect(run.lines.contains { $0.contains("track 2 audio: transcode, aac") })
        #expect(run.lines.contains("  range 1 s to 4 s (3 s)"))
    }

    @Test func `programs get the plan, the progress and the end as JSON Lines`() async throws {
        let run = try await Tool.run(
            "export", "--preset", "low", "--range", "1s+3s", "--json", movie, in: folder, limit: 120)
        #expect(run.exitCode == 0)
        let events = try run.json()
        let names = events.compactMap { $0["event"] as? String }
        #expect(names.first == "plan")
        #expect(names.last == "completed")
        #expect(Set(names.dropFirst().dropLast()).isSubset(of: ["progress"]))
        let end = try #require(events.last)
        #expect(end["file"] as? String == "movie-low.mp4")
        #expect(end["size"] as? Int == (try folder.data("movie-low.mp4").count))
        let actual = try #require(end["actualRange"] as? [String: [String: Any]])
        #expect(actual["start"]?["seconds"] as? Double == 1)
        #expect(actual["duration"]?["seconds"] as? Double == 3)
        #expect((end["losses"] as? [Any])?.isEmpty == true)
        #expect(events.first?["method"] as? String == "transcode")
    }

    @Test func `what cannot be kept is named`() async throws {
        let run = try await Tool.run(
            "export", "--preset", "m4a", "--json", Fixture("languages.mp4").path, in: folder, limit: 60)
        #expect(run.exitCode == 0, "\(run)")
        let losses = try #require(try run.json().last?["losses"] as? [[String: Any]])
        #expect(
            losses.contains { loss in
                loss["kind"] as? String == "track" && loss["effect"] as? String == "lost"
                    && loss["foreseen"] as? Bool == true && (loss["item"] as? String)?.contains("video") == true
            })
        #expect(run.diagnosticLines.filter { $0.contains(" lost: ") }.count == 1)
    }

    @Test(arguments: [
        (["--preset", "nosuch"], 64, "nosuch"), (["--preset", "./no.json"], 66, "no such file"),
        (["--preset", "low", "--range", "3s"], 64, "range"), (["--preset", "low", "--range", "11s.."], 65, "10"),
        (["--preset", "low", "-o", "x.wav"], 64, "mp4"), (["--preset", "low", "-o", "x"], 64, "extension"),
        (["--preset", "passthrough", "--file-length-limit", "10kB", "-o", "x.mov"], 75, "bytes"),
        (["--preset", "passthrough", "-o", "gone/x.mov"], 73, "No such file"),
        (["--preset", "passthrough", "--set", "nosense/key=1", "-o", "x.mov"], 64, "nosense"),
    ])
    func `a mistake is one line, the documented code and no file`(
        _ options: [String], _ code: Int32, _ word: String
    ) async throws {
        let run = try await Tool.run(try Tool.executable(), ["export"] + options + [movie], in: folder, limit: 60)
        #expect(run.exitCode == code, "\(run)")
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains(word))
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [
        ("missing.mp4", 66), ("empty.mp4", 65), ("text.mp4", 65), ("truncated-no-moov.mp4", 65),
        ("hls-named.mp4", 65), ("audio-only.mp3", 65),
    ])
    func `a file that pictures cannot be made of is one line and no file`(_ name: String, _ code: Int32) async throws {
        let run = try await Tool.run("export", "--preset", "gif", Fixture(name).path, in: folder)
        #expect(run.exitCode == code, "\(run)")
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names.isEmpty)
    }

    /// Chapters without a title in the language of a chapter track had a blank one there.
    @Test func `chapters have a title in the tracks of all languages`() async throws {
        func atom(_ second: Int, _ titles: (text: String, language: String)...) -> String {
            let displays = titles.map {
                "<ChapterDisplay><ChapterString>\($0.text)</ChapterString><ChapterLanguage>\($0.language)"
                    + "</ChapterLanguage></ChapterDisplay>"
            }
            return "<ChapterAtom><ChapterTimeStart>00:00:0\(second).000</ChapterTimeStart>\(displays.joined())"
                + "</ChapterAtom>"
        }
        let atoms = [
            atom(0, ("One", "eng"), ("Eins", "ger")), atom(1, ("Two", "eng")), atom(2, ("Drei", "ger")),
        ]
        try folder.write(
            "<?xml version=\"1.0\"?><Chapters><EditionEntry>\(atoms.joined())</EditionEntry></Chapters>",
            to: "chapters.xml")
        let run = try await Tool.shell(
            """
            "$AVTOOL" chapters set --from chapters.xml -o named.mkv "\(Fixture("languages.mkv").path)" >&2 &&
            "$AVTOOL" export --preset passthrough -o new.mp4 named.mkv >&2 &&
            for track in 0 1; do
                ffmpeg -v error -nostdin -i new.mp4 -map 0:d:$track -c copy -f data - |
                    tr -c '[:alnum:]' '\\n' | grep '^[A-Z]' | tr '\\n' ' '
            done
            """, in: folder, limit: 60)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.text.split(separator: " ") == ["One", "Two", "Drei", "Eins", "Two", "Drei"])
    }

    @Test func `an existing file stays unless it is to be replaced, and the source always`() async throws {
        try folder.write("mine", to: "new.mov")
        let refused = try await Tool.run("export", "--preset", "passthrough", "-o", "new.mov", movie, in: folder)
        #expect(refused.exitCode == 73)
        #expect(refused.diagnosticLines.count == 1)
        #expect(try folder.data("new.mov") == Data("mine".utf8))
        let forced = try await Tool.run(
            "export", "--preset", "passthrough", "--force", "-o", "new.mov", movie, in: folder)
        #expect(forced.exitCode == 0)
        let before = try folder.data("new.mov")
        let own = try await Tool.run(
            "export", "--preset", "passthrough", "--force", "--range", "1s..", "-o", "./new.mov", "new.mov", in: folder)
        #expect(own.exitCode == 73)
        #expect(try folder.data("new.mov") == before)
    }

    @Test func `several files are all tried`() async throws {
        try folder.write("", to: "bad.mp4")
        let run = try await Tool.run(
            "export", "--preset", "passthrough", "--range", "..1s", "-o", "{name}-cut.mp4",
            Fixture("movie.mp4").path, "bad.mp4", Fixture("h264-444.mp4").path, in: folder)
        #expect(run.exitCode == 65)
        #expect(run.diagnosticLines.count == 1)
        #expect(try folder.names == ["bad.mp4", "h264-444-cut.mp4", "movie-cut.mp4"])
    }

    @Test func `a single file can go to standard output`() async throws {
        let run = try await Tool.shell(
            "\"$AVTOOL\" export --preset passthrough --range 1s+1s -o - \(movie) > out.bin; "
                + "ffprobe -v error -show_entries format=duration -of csv=p=0 out.bin", in: folder)
        #expect(run.lines == ["1.000000"])
    }

    @Test func `an interrupted export leaves nothing`() async throws {
        // So long that a busy machine is not done with it before the signal comes.
        let script = """
            ffmpeg -v error -stream_loop 50 -i '\(movie)' -map 0:v:0 -c copy long.mov
            mkdir made; cd made
            "$AVTOOL" export --preset webm-av1 --json ../long.mov > ../events 2> ../errors & pid=$!
            while [ ! -s ../events ]; do sleep 0.01; done
            kill -TERM $pid; wait $pid; echo "exit $?"; tail -n 1 ../events; ls -A
            """
        let run = try await Tool.shell(script, in: folder, limit: 120)
        #expect(run.lines.count == 2, "\(run)")
        #expect(run.lines.first == "exit 130")
        #expect(run.lines.last?.contains("\"event\":\"cancelled\"") == true)
    }

    @Test func `metadata is set, removed and made safe to share`() async throws {
        let run = try await Tool.run(
            "export", "--preset", "passthrough", "--range", "..1s", "--set", "title=New title", "--remove", "artist",
            "--share-safe", "-o", "new.mov", movie, in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let tags = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "flat", "new.mov", in: folder)
        #expect(tags.text.contains("New title"))
        #expect(!tags.text.contains("Fixture Band"))
        #expect(!tags.text.contains("location"))
        #expect(!tags.text.contains("Fixture Works"))
    }
}
