import Foundation
import MediaTestSupport
import Testing

/// What bounds the process that reads a file, whatever its libraries do.
@Suite(.timeLimit(.minutes(5))) struct `Limits on the worker` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// The processes below that of a shell's last background job, as `$COPIES`, once there are any.
    private static let findingCopies = """
        TOOL=$!; COPIES=
        for try in $(seq 200); do
            for worker in $(cat /proc/$TOOL/task/*/children 2> /dev/null); do
                COPIES=$(cat /proc/$worker/task/*/children 2> /dev/null)
                # One that does the work itself has threads for that.
                [ -z "$COPIES" ] && [ $(ls /proc/$worker/task | wc -l) -gt 1 ] && COPIES=$worker
            done
            [ -n "$COPIES" ] && break; sleep 0.05
        done
        """

    // MARK: Memory

    // A film that takes all memory there was met the system's killer, or had the killer take others.
    @Test(
        .enabled(if: Tool.has("ffmpeg")),
        arguments: [
            ("thumbs --at 0 -o 'OUT/{name}.png'", 160), ("sheet --count 2 -o OUT/", 160),
            ("export --preset low -o OUT/", 256), ("storyboard --every 1s -o OUT/", 160),
        ])
    func `end a film that takes too much memory, and no other`(_ command: String, _ mebibytes: Int) async throws {
        let run = try await Tool.shell(
            """
            mkdir OUT && cp '\(Fixture("one-frame.mp4").path)' small.mp4
            ffmpeg -v error -f lavfi -i color=black:size=8192x8192:rate=1:duration=2 -c:v libx264 -preset ultrafast \
                -threads 1 large.mp4
            "$AVTOOL" \(command) --json --limit memory=\(mebibytes)MiB large.mp4 small.mp4
            """, in: folder, limit: 60)
        #expect(run.diagnosticLines.count == 1, "\(run)")
        #expect(run.diagnostics.hasPrefix("avtool: large.mp4: "), "\(run)")
        let failed = try run.json().compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
        // FFmpeg's decoder of H.264 keeps some allocations that fail to itself, and has no picture then.
        if failed == ["decodeFailed"] {
            #expect(run.exitCode == 65, "\(run)")
        } else {
            #expect(failed == ["outOfMemory"] && run.exitCode == 75, "\(run)")
            #expect(run.diagnosticLines.last?.hasSuffix("; --limit memory=BYTES raises it") == true, "\(run)")
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path("OUT"))
        #expect(made.count == 1 && made.allSatisfy { $0.hasPrefix("small") }, "\(made)")
    }

    @Test(.enabled(if: Tool.has("ffmpeg"))) func `let it pass where they are raised`() async throws {
        let run = try await Tool.shell(
            """
            ffmpeg -v error -f lavfi -i color=black:size=8192x8192:rate=1:duration=2 -c:v libx264 -preset ultrafast \
                -threads 1 large.mp4
            "$AVTOOL" thumbs --at 0 --size 32x0 --limit memory=4GiB large.mp4
            """, in: folder, limit: 60)
        #expect(run.exitCode == 0, "\(run)")
    }

    /// Three quarters of the memory, shared by the copies that are at work side by side.
    @Test(arguments: [(1, 4), (4, 8)]) func `are on memory by default`(_ files: Int, _ part: UInt64) async throws {
        let run = try await Tool.shell(
            """
            for number in $(seq \(files)); do cp '\(Fixture("long-gop.mp4").path)' film$number.mp4; done
            # A copy is there a moment before its limits are, and gone when its films are done.
            for attempt in $(seq 50); do
                "$AVTOOL" verify --samples 1000000 film*.mp4 > /dev/null 2>&1 &
                \(Self.findingCopies)
                LIMIT=
                while [ -d /proc/${COPIES%% *} ] && [[ $LIMIT != *[0-9]* ]]; do
                    LIMIT=$(grep 'Max data size' /proc/${COPIES%% *}/limits 2> /dev/null)
                done
                kill -9 $TOOL
                [[ $LIMIT = *[0-9]* ]] && break
            done
            echo "$LIMIT"; grep MemTotal /proc/meminfo
            """, in: folder, limit: 40)
        let numbers = run.lines.map { $0.split(separator: " ").compactMap { UInt64($0) } }
        try #require(numbers.count == 2 && numbers[0].count == 2, "\(run)")
        #expect(numbers[0][0] == numbers[0][1], "it can be raised again")
        let memory = numbers[1][0] << 10
        #expect(numbers[0][0] <= memory / part * 3 + 4096 && numbers[0][0] > 0)
    }

    @Test(arguments: [
        ("memory=1MiB", "memory can be from 128MiB to"), ("memory=x", "number of bytes"),
        ("memory", "value is missing"),
        ("stall-time=0", "stall-time can be from 100ms to 86400s"), ("stall-time=x", "duration"),
    ])
    func `are refused as usage where they make no sense`(_ text: String, _ reason: String) async throws {
        let run = try await Tool.run("info", "--limit", text, Fixture("movie.mp4").path, in: folder)
        #expect(run.exitCode == 64 && run.diagnosticLines.count == 1, "\(run)")
        #expect(run.diagnostics.contains(reason), "\(run)")
    }

    @Test func `stand in the document`() throws {
        let url = Fixture.folder.deletingLastPathComponent().appendingPathComponent("docs/limits.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("| `memory` | three quarters of what there is | 128 MiB to 1 PiB |"))
        #expect(text.contains("| `stall-time` | 10 min | 100 ms to 24 h |"))
    }

    // MARK: Time

    /// A copy that hangs in a library: nothing in it can end it.
    @Test func `end a film whose work gets no further, and no other`() async throws {
        let run = try await Tool.shell(
            """
            mkfifo pipe; sleep 60 > pipe & WRITER=$!; disown; cp '\(Fixture("one-frame.mp4").path)' small.mp4
            "$AVTOOL" info --json --limit stall-time=1s pipe small.mp4 > out 2> err &
            \(Self.findingCopies)
            kill -STOP ${COPIES%% *}
            wait $TOOL; CODE=$?; kill -9 $WRITER; cat out; cat err >&2; exit $CODE
            """, in: folder, limit: 40)
        #expect(run.exitCode == 75, "\(run)")
        #expect(
            run.diagnosticLines == [
                "avtool: pipe: nothing came of the file for too long; --limit stall-time=TIME raises it"
            ], "\(run)")
        let told = try run.json()
        #expect(told.count == 2 && (told[0]["error"] as? [String: Any])?["code"] as? String == "deadlineReached")
        #expect(told.last?["source"] as? String == "small.mp4" && told.last?["error"] == nil)
    }

    @Test(arguments: ["info --precise", "export --preset passthrough -o out.mp4", "thumbs --at 1"])
    func `wait for a pipe that is slow`(_ command: String) async throws {
        let film = Fixture("movie.mp4").path
        let run = try await Tool.shell(
            """
            (head -c 3000 '\(film)'; sleep 3; tail -c +3001 '\(film)') | "$AVTOOL" \(command) --limit stall-time=500ms -
            """, in: folder, limit: 40)
        #expect(run.exitCode == 0, "\(run)")
    }

    @Test func `wait for who reads a result slowly`() async throws {
        let run = try await Tool.shell(
            """
            "$AVTOOL" export --preset passthrough --limit stall-time=500ms -o - '\(Fixture("long-gop.mp4").path)' \
                | (sleep 3; cat > out.mp4)
            echo ${PIPESTATUS[0]}
            """, in: folder, limit: 40)
        #expect(run.lines == ["0"], "\(run)")
    }

    // MARK: A worker that misbehaves

    /// A timer that tells of work goes on when the work hangs.
    @Test func `take no report for progress that tells of none`() async throws {
        let run = try await TakenOver(files: 2).run("film0.mp4", "film1.mp4", "boast=x", patience: 1)
        #expect(run.diagnosticLines == ["film0.mp4: stuck", "film1.mp4: read"], "\(run)")
    }

    @Test func `let work go on that is slow and gets further`() async throws {
        let run = try await TakenOver().run("film0.mp4", "move=15", patience: 1)
        #expect(run.exitCode == 0 && run.diagnosticLines == ["move: moved", "film0.mp4: read"], "\(run)")
    }

    /// What it writes to is open already, and nobody looks at each write.
    @Test(arguments: [(["--limit", "output-size=1MiB", "--limit", "pipe-size=1MiB"], "File too large"), ([], "done")])
    func `bound the files that it makes`(_ limits: [String], _ outcome: String) async throws {
        let line = ["thumbs", "--at", "0", "-o", "{name}.mp4-{index}.png"] + limits
        let tool = try TakenOver()
        let run = try await tool.run("film0.mp4", "grow=film0.mp4-1.png", doing: line)
        #expect(run.diagnosticLines == ["grow: \(outcome)", "film0.mp4: read"], "\(run)")
        try tool.expectUntouched()
    }

    /// Swift, C++ and GLib end the process where memory is not to be had: that is no crash of a decoder.
    @Test func `tell want of memory from a crash`() async throws {
        let run = try await TakenOver(files: 2).run("film0.mp4", "film1.mp4", "allocate=200000000")
        #expect(run.diagnosticLines == ["film0.mp4: outOfMemory", "film1.mp4: read"], "\(run)")
    }
}
