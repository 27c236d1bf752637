import Foundation
import MediaTestSupport
import OpenAVFoundationExtras
import Testing

/// A file, a limit that it is beyond, and one that it is within.
struct LimitCase: CustomTestStringConvertible {
    let name: MediaLimits.Name
    let low: String
    let high: String
    /// What makes the files in the folder, and the work on them with `$LIMIT`.
    let script: String
    /// Whether the rest is read, and the exit code is that of success.
    var isInPart = false

    var testDescription: String { name.rawValue }

    init(_ name: MediaLimits.Name, _ low: String, _ high: String, isInPart: Bool = false, _ script: String) {
        (self.name, self.low, self.high, self.script, self.isInPart) = (name, low, high, script, isInPart)
    }

    private static func path(_ name: String) -> String { "'\(Fixture(name).path)'" }

    /// Every command that makes files of its own.
    private static let results = [
        "thumbs --at 1 -o a.png", "sheet -o a.png", "waveform -o a.png", "waveform -o a.json", "waveform -o a.svg",
        "scenes -o a.json", "index -o a.json", "frames --to 0.2 -o a.y4m", "storyboard -o a", "thumbnail -o a.png",
        "thumbs --at 1 -o -", "waveform --format json -o -",
    ].map { LimitCase(.outputSize, "50", "1GB", "\"$AVTOOL\" \($0) $LIMIT \(path("movie.mov")) > log") }

    static let all: [LimitCase] =
        [
            LimitCase(.pixels, "76799", "76800", "\"$AVTOOL\" info $LIMIT \(path("movie.mp4"))"),
            LimitCase(
                .artworkPixels, "100", "1M",
                "\"$AVTOOL\" thumbs --cover -o cover.png $LIMIT \(path("attached-picture.mp3"))"),
            LimitCase(.frames, "3", "1000", "\"$AVTOOL\" thumbs --at end $LIMIT \(path("animated.gif"))"),
            LimitCase(.frames, "3", "1000", "\"$AVTOOL\" thumbs --at end $LIMIT \(path("animated.png"))"),
            LimitCase(.streams, "4", "5", "\"$AVTOOL\" info $LIMIT \(path("languages.mkv"))"),
            LimitCase(.streams, "1", "256", "\"$AVTOOL\" info $LIMIT \(path("movie.mp4"))"),
            LimitCase(.packets, "2", "8M", "\"$AVTOOL\" thumbs --at 5 $LIMIT \(path("long-gop.mp4"))"),
            LimitCase(.packets, "10", "8M", "\"$AVTOOL\" verify $LIMIT \(path("h264.ts"))"),
            LimitCase(.indexEntries, "100", "100k", "\"$AVTOOL\" info $LIMIT \(path("movie.mp4"))"),
            LimitCase(.indexEntries, "5", "100k", "\"$AVTOOL\" info $LIMIT \(path("fragmented.mp4"))"),
            LimitCase(.metadataSize, "1KiB", "1MiB", "\"$AVTOOL\" info $LIMIT \(path("attached-picture.mp3"))"),
            LimitCase(
                .metadataSize, "1KiB", "1MiB", isInPart: true,
                "\"$AVTOOL\" metadata show $LIMIT \(path("attached-picture.m4a"))"),
            // Three chapters in two lists.
            LimitCase(.chapters, "5", "6", "\"$AVTOOL\" chapters show $LIMIT \(path("movie.mp4"))"),
            LimitCase(.chapters, "5", "6", "\"$AVTOOL\" chapters remove -o plain.mp4 $LIMIT \(path("movie.mp4"))"),
            LimitCase(
                .nesting, "1", "2", isInPart: true,
                """
                echo '<Chapters><EditionEntry><ChapterAtom><ChapterTimeStart>00:00:00</ChapterTimeStart>\
                <ChapterDisplay><ChapterString>a</ChapterString></ChapterDisplay>\
                <ChapterAtom><ChapterTimeStart>00:00:01</ChapterTimeStart>\
                <ChapterDisplay><ChapterString>b</ChapterString></ChapterDisplay></ChapterAtom>\
                </ChapterAtom></EditionEntry></Chapters>' > c.xml
                "$AVTOOL" chapters set --from c.xml -o nested.mkv \(path("cues.mkv")) > log 2>&1
                "$AVTOOL" metadata show $LIMIT nested.mkv
                """),
            LimitCase(.pipeSize, "1000", "10MB", "cat \(path("movie.mp4")) | \"$AVTOOL\" info --precise $LIMIT -"),
            LimitCase(
                .outputSize, "1000", "1GB",
                "\"$AVTOOL\" export --preset passthrough -o out.mp4 $LIMIT \(path("movie.mp4"))"
            ),
            LimitCase(
                .outputSize, "1000", "1GB",
                "\"$AVTOOL\" metadata set title=x -o out.mp4 $LIMIT \(path("movie.mp4"))"),
        ] + results + [
            LimitCase(
                .openTime, "300ms", "5m",
                """
                mkfifo pipe; (sleep 4; cat \(path("movie.mp4"))) > pipe 2> /dev/null &
                "$AVTOOL" info $LIMIT - < pipe
                """),
            LimitCase(
                .time, "1s", "1m",
                """
                mkfifo pipe; (sleep 4; cat \(path("movie.mp4"))) > pipe 2> /dev/null &
                "$AVTOOL" thumbs --at 1 $LIMIT - < pipe
                """),
        ]
}

@Suite(.timeLimit(.minutes(5))) struct `Limits on the command line` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private func run(_ script: String, _ limit: String) async throws -> ToolRun {
        try await Tool.shell("LIMIT='--limit \(limit)'\n" + script, in: folder, limit: 60)
    }

    @Test(arguments: LimitCase.all)
    func `stop a file with exit code 75 and the option that raises them`(_ test: LimitCase) async throws {
        let run = try await run(test.script, "\(test.name.rawValue)=\(test.low)")
        if test.isInPart {
            #expect(run.exitCode == 0, "\(run.text) \(run.diagnostics)")
            #expect(
                run.diagnostics.contains("(limit \(test.name.rawValue))")
                    || run.text.contains("(limit \(test.name.rawValue))"))
        } else {
            #expect(run.exitCode == 75, "\(run.text) \(run.diagnostics)")
            #expect(run.diagnosticLines.count == 1, "\(run.diagnostics)")
            #expect(run.diagnostics.contains("--limit \(test.name.rawValue)="), "\(run.diagnostics)")
            #expect(run.diagnostics.hasSuffix(" raises it\n"), "\(run.diagnostics)")
        }
        #expect(try folder.names.allSatisfy { ["pipe", "c.xml", "log", "nested.mkv"].contains($0) })
    }

    @Test(arguments: LimitCase.all)
    func `let the same file pass where they are raised`(_ test: LimitCase) async throws {
        let run = try await run(test.script, "\(test.name.rawValue)=\(test.high)")
        #expect(run.exitCode == 0, "\(run.text) \(run.diagnostics)")
        #expect(!run.diagnostics.contains("limit"), "\(run.diagnostics)")
    }

    @Test func `are named in JSON as a failure is`() async throws {
        let run = try await Tool.run("info", "--json", "--limit", "pixels=1000", Fixture("movie.mp4").path, in: folder)
        let error = try #require(try run.json().first?["error"] as? [String: Any])
        #expect(error["code"] as? String == "limitReached")
        #expect((error["message"] as? String)?.contains("--limit pixels=N") == true)
    }

    @Test(arguments: [
        ("pixels", "value is missing"), ("pixels=", "whole number"), ("pixels=0", "from 1 to 268435456"),
        ("pixels=-1", "from 1"), ("pixels=1e30", "whole number"), ("pixels=99999999999999999999", "whole number"),
        ("pixels=9999999999G", "whole number"), ("metadata-size=0", "from 1KiB to 256MiB"),
        ("metadata-size=1TB", "number of bytes"), ("time=0", "from 1ms to 86400s"), ("time=2d", "duration"),
        ("time=9999999h", "from 1ms"), ("nesting=65", "from 1 to 64"), ("size=5", "no limit of that name"),
        ("=5", "no limit of that name"), ("", "no limit of that name"), ("Pixels=5", "no limit of that name"),
    ])
    func `are refused as usage where they make no sense`(_ text: String, _ reason: String) async throws {
        let run = try await Tool.run("info", "--limit", text, Fixture("movie.mp4").path, in: folder)
        #expect(run.exitCode == 64, "\(run.diagnostics)")
        #expect(run.diagnostics.contains(reason), "\(run.diagnostics)")
    }

    @Test func `are given once each`() async throws {
        let twice = try await Tool.run(
            "info", "--limit", "time=5s", "--limit", "time=6s", Fixture("movie.mp4").path, in: folder)
        #expect(twice.exitCode == 64 && twice.diagnostics.contains("twice"))
        let both = try await Tool.run(
            "info", "--limit", "time=5s", "--limit", "pixels=1M", Fixture("movie.mp4").path, in: folder)
        #expect(both.exitCode == 0)
    }

    // A picture of a hundred years hence: fewer streams are found, and nothing is waited for.
    @Test func `on probing keep what begins later from being found`() async throws {
        let run = try await Tool.run(
            "info", "--json", "--limit", "probe-size=2KiB", Fixture("h264.ts").path, in: folder)
        let usual = try await Tool.run("info", "--json", Fixture("h264.ts").path, in: folder)
        #expect(usual.exitCode == 0)
        #expect(run.output != usual.output)
    }

    @Test func `on text cut lines of sheets short`() async throws {
        try folder.copy("movie.mp4", as: "a-name-of-some-length.mp4")
        for (name, limit) in [("short", "8"), ("usual", "2000"), ("again", "2000")] {
            let run = try await Tool.run(
                "sheet", "--count", "2", "-o", "\(name).png", "--limit", "text=\(limit)", "a-name-of-some-length.mp4",
                in: folder)
            #expect(run.exitCode == 0, "\(run.diagnostics)")
        }
        #expect(try folder.data("usual.png") == folder.data("again.png"))
        #expect(try folder.data("usual.png") != folder.data("short.png"))
    }

    @Test func `hold for streams of several files too`() async throws {
        let run = try await Tool.run(
            "export", "--preset", "passthrough", "-o", "out.hls", "--limit", "output-size=1000",
            Fixture("movie.mp4").path,
            in: folder)
        if run.exitCode != 64 {
            #expect(run.exitCode == 75, "\(run.diagnostics)")
            #expect(try folder.names.isEmpty)
        }
    }

    @Test func `on covers leave the film as it is`() async throws {
        let run = try await Tool.run(
            "info", "--limit", "artwork-pixels=1", Fixture("attached-picture.m4a").path, in: folder)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
    }
}

/// Files that are small and ask for much, and the memory that the process took.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Tool.has("python3")), .serialized)
struct `Files that ask for gigabytes` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// Runs the command on a file, and measures.
    private func run(_ bomb: String, as name: String, _ arguments: String...) async throws -> (
        run: ToolRun, mebibytes: Int
    ) {
        let script = Fixture.folder.appendingPathComponent("bombs.py").path
        let made = try await Tool.shell("python3 '\(script)' \(bomb) '\(name)'", in: folder, limit: 60)
        #expect(made.exitCode == 0, "\(made.diagnostics)")
        let measured = try await Tool.run(
            URL(fileURLWithPath: "/usr/bin/python3"),
            [
                "-c",
                """
                import os, resource, subprocess, sys
                code = subprocess.run([os.environ["AVTOOL"], *sys.argv[1:]]).returncode
                open("peak", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
                sys.exit(code)
                """,
            ] + arguments + [name], in: folder, limit: 20)
        let peak = String(decoding: try folder.data("peak"), as: UTF8.self)
        return (measured, try #require(Int(peak)))
    }

    @Test(arguments: [
        ("index", "a.mp4", MediaLimits.Name.indexEntries), ("edits", "a.mp4", .indexEntries),
        ("fragment", "a.mp4", .indexEntries), ("packed-movie", "a.mov", .metadataSize),
        ("packed-index", "a.mov", .indexEntries), ("packed-tag", "a.mp3", .metadataSize),
        ("tagged-index", "a.mp4", .indexEntries),
        ("picture", "a.png", .pixels),
    ])
    func `are stopped before they get them`(_ bomb: String, _ file: String, _ limit: MediaLimits.Name) async throws {
        let (run, mebibytes) = try await run(bomb, as: file, "info")
        #expect(run.exitCode == 75, "\(run.text) \(run.diagnostics)")
        #expect(run.diagnostics.contains("--limit \(limit.rawValue)="), "\(run.diagnostics)")
        #expect(mebibytes < 300)
    }

    @Test(arguments: [("packed-text", "a.png"), ("packed-profile", "a.png"), ("packed-track", "a.mkv")])
    func `are read without what they have packed`(_ bomb: String, _ file: String) async throws {
        let (run, mebibytes) = try await run(bomb, as: file, "thumbs", "--at", "0", "-o", "still.png")
        #expect(mebibytes < 400, "\(run.text) \(run.diagnostics)")
        if bomb == "packed-text" { #expect(run.exitCode == 0, "\(run.diagnostics)") }
    }

    @Test(arguments: [("small-packed-movie", "a.mov"), ("small-packed-tag", "a.mp3")])
    func `are told from those that have little packed`(_ bomb: String, _ file: String) async throws {
        let (run, _) = try await run(bomb, as: file, "info")
        #expect(run.exitCode == 0, "\(run.diagnostics)")
    }

    @Test(arguments: ["index", "packed-movie", "packed-tag"])
    func `are stopped in a pipe too`(_ bomb: String) async throws {
        let script = Fixture.folder.appendingPathComponent("bombs.py").path
        let run = try await Tool.shell(
            """
            python3 '\(script)' \(bomb) a; ulimit -v 3000000
            cat a | "$AVTOOL" info -; (cat a; sleep 30) | "$AVTOOL" info -
            """, in: folder, limit: 30)
        #expect(run.exitCode == 75, "\(run.text) \(run.diagnostics)")
        #expect(run.diagnosticLines.count { $0.contains("raises it") } == 2, "\(run.diagnostics)")
    }
}
