import Foundation
import MediaTestSupport
import Testing

/// What the whole command makes of a worker that a hostile file has taken over, or that a fault ends.
@Suite(.timeLimit(.minutes(5))) struct `A command whose worker misbehaves` {
    /// How a copy ends over the first of two files, and what is said of that one.
    @Test(
        arguments: [
            ("crash=x", "crashed"), ("abort=x", "crashed"), ("garbage=x", "crashed"), ("exit=x", "vanished"),
            ("flood=bytes", "crashed"), ("flood=claim", "crashed"), ("flood=descriptors", "crashed"),
        ], [false, true])
    func `has a new one say so of that file, and goes on with the others`(
        _ end: (act: String, word: String), isAlone: Bool
    ) async throws {
        let (act, word) = end
        let tool = try TakenOver(files: 2, isAlone: isAlone)
        let run = try await tool.run("film0.mp4", "film1.mp4", act)
        #expect(run.exitCode == 65, "\(run)")
        #expect(run.diagnosticLines == ["film0.mp4: \(word)", "film1.mp4: read"], "\(run)")
        try tool.expectUntouched(files: 2)
    }

    // A small film was said to crash a library that had had no memory for the film before it.
    @Test(arguments: ["begin", "name"], [false, true])
    func `tries a file alone that fails after others`(_ point: String, isAlone: Bool) async throws {
        let tool = try TakenOver(files: 2, isAlone: isAlone)
        let run = try await tool.run(
            "film0.mp4", "film1.mp4", "1:after=\(point)", "1:result=film1.mp4-1.png")
        #expect(run.exitCode == 0, "\(run)")
        #expect(
            run.diagnosticLines == ["film0.mp4: read", "result: done", "film1.mp4: read"], "\(run)")
        #expect(try tool.folder.data("film1.mp4-1.png") == Data("taken over".utf8))
    }

    /// What has been said or made of it cannot be taken back.
    @Test(arguments: ["words", "result"])
    func `tries none again of which something is told or made`(_ point: String) async throws {
        let tool = try TakenOver(files: 2)
        let run = try await tool.run("film0.mp4", "film1.mp4", "1:after=\(point)")
        #expect(run.exitCode == 65, "\(run)")
        let lines = run.diagnosticLines.filter { $0 != "read so far" }
        #expect(lines == ["film0.mp4: read", "film1.mp4: crashed"], "\(run)")
        #expect(try tool.folder.names.contains("film1.mp4-1.png") == (point == "result"))
    }

    // What had failed before was forgotten, and the command was a success.
    @Test(arguments: [("begin", 66), ("words", 66)])
    func `remembers what failed before`(_ point: String, _ code: Int32) async throws {
        let tool = try TakenOver(files: 2)
        let run = try await tool.run("film0.mp4", "film1.mp4", "fails=66", "1:after=\(point)")
        #expect(run.exitCode == code, "\(run)")
    }

    /// Whoever starts the command may want to hear nothing of processes that end.
    @Test func `hears of the end of a worker that works alone`() async throws {
        let tool = try TakenOver(isAlone: true)
        let run = try await Tool.shell("trap '' CHLD; exec \(tool.quoted("film0.mp4", "abort=x"))", in: tool.folder)
        #expect(run.exitCode == 65 && run.diagnosticLines == ["film0.mp4: crashed"], "\(run)")
    }

    /// What it has taken of a pipe does not come again.
    @Test func `tries none again that comes once`() async throws {
        let tool = try TakenOver(files: 1)
        let run = try await tool.run("film0.mp4", "-", "1:after=begin")
        #expect(run.exitCode == 65, "\(run)")
        #expect(run.diagnosticLines == ["film0.mp4: read", "-: crashed"], "\(run)")
    }

    /// Where the new one ends too, the command says it.
    @Test(arguments: [
        ("crash=x", "crashed", 65), ("garbage=x", "crashed", 65), ("exit=x", "ended without a word", 70),
        ("killed=x", "for want of memory", 75), ("hang=x", "did nothing for too long", 75),
    ])
    func `has words and an exit code of its own`(_ act: String, _ words: String, _ code: Int32) async throws {
        let tool = try TakenOver(files: 2, isAlone: act != "crash=x")
        let run = try await tool.run("--sandbox=off", "film0.mp4", "film1.mp4", "mute=x", act, patience: 2)
        #expect(run.exitCode == code, "\(run)")
        #expect(run.diagnosticLines.count == 3 && run.diagnosticLines.last == "film1.mp4: read", "\(run)")
        let line = run.diagnosticLines.dropFirst().first ?? ""
        #expect(line.hasPrefix("avtool: film0.mp4: ") && line.hasSuffix(words), "\(run)")
    }

    /// The worker that is shipped, which a signal ends while it waits for standard input.
    ///
    /// Twice: Swift's handler, which may start no program to print a trace, lets what failed fail again, and the first
    /// signal from outside has nothing to fail again.
    @Test(arguments: [
        ("SEGV", "decoderCrashed", 65), ("ABRT", "decoderCrashed", 65), ("KILL", "outOfMemory", 75),
    ])
    func `names the failure as documented`(_ signal: String, _ name: String, _ code: Int32) async throws {
        let folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "a.mp4")
        let script = """
            children() { grep -l "^PPid:[[:space:]]*$1\\$" /proc/[0-9]*/status 2> /dev/null | cut -d/ -f3; }
            mkfifo pipe; sleep 60 > pipe & writer=$!
            "$AVTOOL" info --json - a.mp4 < pipe & tool=$!
            # The worker has threads when it reads.
            until copy=$(children $tool) && [[ $copy && $(ls /proc/$copy/task | wc -l) -gt 1 ]]; do sleep 0.05; done
            sleep 0.5; kill -\(signal) $copy; sleep 0.5; kill -\(signal) $copy 2> /dev/null
            wait $tool; code=$?; kill -9 $writer; exit $code
            """
        let run = try await Tool.shell(script, in: folder)
        #expect(run.exitCode == code, "\(run)")
        let objects = try run.json()
        #expect(objects.count == 2)
        #expect((objects.first?["error"] as? [String: Any])?["code"] as? String == name, "\(run)")
        #expect(objects.last?["source"] as? String == "a.mp4" && objects.last?["error"] == nil, "\(run)")
    }

    /// What one says of its own end is not to keep others from being read, nor to end the command.
    @Test(arguments: [("0", 0), ("3", 70), ("256", 70), ("-1", 70), ("66", 66)])
    func `believes of its end what can be`(_ code: String, _ expected: Int32) async throws {
        let tool = try TakenOver(files: 4)
        let run = try await tool.run(
            "film0.mp4", "film1.mp4", "film2.mp4", "film3.mp4", "lie=\(code)", "2:wait=1", "2:lie=\(code)")
        #expect(run.exitCode == expected && !run.wasKilled, "\(run)")
        #expect(run.diagnosticLines.contains("wait: waited"), "\(run)")
    }

    // A worker in the sandbox cannot send itself the signal that the system sends where memory is short.
    @Test(arguments: [false, true]) func `takes SIGKILL for want of memory`(isAlone: Bool) async throws {
        let tool = try TakenOver(files: 2, isAlone: isAlone)
        let run = try await tool.run("--sandbox=off", "film0.mp4", "film1.mp4", "killed=x")
        #expect(run.diagnosticLines == ["film0.mp4: outOfMemory", "film1.mp4: read"], "\(run)")
    }

    @Test func `ends one that says nothing`() async throws {
        let tool = try TakenOver(files: 2)
        let run = try await tool.run("film0.mp4", "film1.mp4", "hang=x", patience: 1)
        #expect(run.diagnosticLines == ["film0.mp4: stuck", "film1.mp4: read"], "\(run)")
    }

    /// Its channel is closed, and it lives on.
    @Test func `does not wait for one that has nothing more to say`() async throws {
        let tool = try TakenOver(files: 2)
        let run = try await tool.run("film0.mp4", "film1.mp4", "closed=x", patience: 1)
        #expect(run.diagnosticLines == ["film0.mp4: vanished", "film1.mp4: read"], "\(run)")
        #expect(tool.workers.isEmpty)
    }

    /// It asks on and on, and takes no answer.
    @Test func `does not wait for one that does not listen`() async throws {
        let tool = try TakenOver(files: 2)
        let run = try await tool.run("film0.mp4", "film1.mp4", "flood=calls", patience: 1)
        #expect(run.diagnosticLines == ["film0.mp4: stuck", "film1.mp4: read"], "\(run)")
    }

    @Test(arguments: ["output", "diagnostics"])
    func `ends one that says more than there is to say`(_ kind: String) async throws {
        let tool = try TakenOver(files: 2)
        let (run, mebibytes) = try await tool.measured("film0.mp4", "film1.mp4", "flood=\(kind)")
        #expect(
            run.diagnosticLines.joined(separator: "\n").hasSuffix("film0.mp4: excessive\nfilm1.mp4: read"),
            "\(run.diagnostics.suffix(200))")
        #expect(run.exitCode == 65)
        #expect(mebibytes < 200)
    }

    /// What is said of later files waits for the earlier ones, and not in memory without end.
    @Test func `does not keep what one says before its turn`() async throws {
        let tool = try TakenOver(files: 4)
        let (run, mebibytes) = try await tool.measured(
            "film0.mp4", "film1.mp4", "film2.mp4", "film3.mp4", "0:wait=2", "2:flood=600")
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.diagnosticLines.last == "film3.mp4: read")
        #expect(mebibytes < 300)
    }

    /// One that begins results without end, and another beside it.
    @Test func `has open files left for others`() async throws {
        let tool = try TakenOver(files: 4)
        let words = tool.quoted(
            "film0.mp4", "film1.mp4", "film2.mp4", "film3.mp4", "flood=places", "wait=4", "2:wait=2", "2:ask=film2.mp4",
            "2:result=film2.mp4-1.png")
        let script = """
            ulimit -n 1024
            exec \(words)
            """
        let run = try await Tool.shell(script, in: tool.folder)
        #expect(run.exitCode == 0, "\(run)")
        #expect(run.diagnosticLines.contains("ask: done") && run.diagnosticLines.contains("result: done"), "\(run)")
        #expect(try tool.folder.names.filter { $0.hasSuffix(".png") } == ["film2.mp4-1.png"])
    }

    @Test func `does no harm to files that it was not given`() async throws {
        let tool = try TakenOver()
        let canary = tool.folder.path("canary")
        let run = try await tool.run(
            "film0.mp4", "open=\(canary)", "create=\(canary)", "append=\(canary)", "unlink=\(canary)",
            "rename=\(canary)", "chmod=\(canary)", "ask=canary", "ask=\(canary)", "ask=film0.mp4/../canary",
            "result=canary", "result=../canary", "result=film0.mp4-/../canary", "result=film0.mp4-x/../../canary.png",
            "result=\(canary)", "result=film0.mp4-a/b.png", "result=film0.mp4", "rewrite=canary", "rewrite=film0.mp4",
            "link-out=film0.mp4-x.png")
        let lines = run.diagnosticLines.dropLast()
        #expect(lines.count == 19, "\(run)")
        let refusals = ["Permission denied", "Operation not permitted", "refused"]
        for line in lines { #expect(refusals.contains { line.hasSuffix($0) }, "\(line)") }
        try tool.expectUntouched()
    }

    /// A name that the command line allows leads to a file that is read.
    @Test func `replaces no source, whatever names results may have`() async throws {
        let tool = try TakenOver()
        try FileManager.default.createSymbolicLink(
            atPath: tool.folder.path("film0.mp4-link.png"), withDestinationPath: "film0.mp4")
        for folder in ["", "./", tool.folder.path("")] {
            let run = try await tool.run(
                "film0.mp4", "result=\(folder)film0.mp4", "result=\(folder)film0.mp4-link.png",
                doing: ["thumbs", "--at", "0", "--force", "-o", "\(folder){index}"])
            #expect(run.diagnosticLines.dropLast() == ["result: refused", "result: refused"], "\(run)")
        }
        try FileManager.default.removeItem(atPath: tool.folder.path("film0.mp4-link.png"))
        try tool.expectUntouched()
    }

    /// What is refused above works where it is allowed, so that it is not refused for another reason.
    @Test func `gets what the command line allows`() async throws {
        let tool = try TakenOver()
        let stills = try await tool.run("film0.mp4", "result=film0.mp4-1.png")
        #expect(stills.diagnosticLines == ["result: done", "film0.mp4: read"], "\(stills)")
        let edit = try await tool.run(
            "film0.mp4", "ask=film0.mp4", "rewrite=film0.mp4", doing: ["metadata", "set", "title=x"])
        #expect(edit.diagnosticLines == ["ask: done", "rewrite: done", "film0.mp4: read"], "\(edit)")
        for name in ["film0.mp4", "film0.mp4-1.png"] {
            #expect(try tool.folder.data(name) == Data("taken over".utf8))
        }
    }

    // MARK: Ends

    @Test func `leaves no process behind when it is killed`() async throws {
        let tool = try TakenOver()
        let run = try await tool.run("film0.mp4", "hang=x", signal: (SIGKILL, { tool.workers.count == 2 }))
        #expect(run.wasKilled)
        #expect(await isSoon { tool.workers.isEmpty })
    }

    @Test func `says in a line that the worker is gone`() async throws {
        let tool = try TakenOver(files: 2)
        async let end = tool.run("film0.mp4", "film1.mp4", "hang=x")
        #expect(await isSoon { tool.workers.count == 2 })
        if let worker = tool.workers.first { kill(worker, SIGKILL) }
        let run = try await end
        #expect(run.exitCode == 70, "\(run)")
        #expect(run.diagnosticLines == ["avtool: the worker ended without a word"], "\(run)")
        #expect(await isSoon { tool.workers.isEmpty })
        try tool.expectUntouched(files: 2)
    }

    /// A signal asks; a second one does not wait.
    @Test func `ends when it is asked to, whatever the worker does`() async throws {
        let tool = try TakenOver()
        let script = """
            \(tool.quoted("film0.mp4", "stubborn=x")) & tool=$!
            sleep 1; kill -INT $tool; kill -TERM $tool; sleep 1; kill -TERM $tool; wait $tool
            """
        let run = try await Tool.shell(script, in: tool.folder)
        #expect(run.exitCode == 130, "\(run)")
        #expect(await isSoon { tool.workers.isEmpty })
    }

    private func isSoon(_ condition: @Sendable () -> Bool) async -> Bool {
        for _ in 0..<1000 {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}

@Suite(.timeLimit(.minutes(5))) struct `What the sandbox is told to be` {
    private static let everything = [
        "no-new-privileges", "resource-limits", "landlock-files", "landlock-network", "landlock-scopes", "seccomp",
    ]

    private func isolation(_ words: String...) async throws -> (ToolRun, [String]?) {
        let run = try await Tool.run(
            try Tool.executable(), ["info", "--json"] + words + [Fixture("movie.mp4").path], in: nil, limit: 30)
        return (run, try run.json().first?["isolation"] as? [String])
    }

    @Test func `is in what info prints`() async throws {
        let usual = try #require(try await isolation().1)
        #expect(usual.allSatisfy { Self.everything.contains($0) })
        #expect(Set(usual).isSuperset(of: ["no-new-privileges", "resource-limits", "seccomp"]))
        #expect(try await isolation("--sandbox", "auto").1 == usual)
        #expect(try await isolation("--sandbox=off").1 == [])
    }

    @Test func `is required in whole or not at all`() async throws {
        let usual = try #require(try await isolation().1)
        let (run, found) = try await isolation("--sandbox", "require")
        if Set(usual) == Set(Self.everything) {
            #expect(run.exitCode == 0 && found == usual, "\(run)")
        } else {
            #expect(run.exitCode == 70 && run.output.isEmpty, "\(run)")
            #expect(run.diagnostics.contains("--sandbox require: this system lacks"), "\(run)")
        }
    }

    @Test(arguments: [["--sandbox", "on"], ["--sandbox="], ["--sandbox=OFF"]])
    func `is one of three words`(_ words: [String]) async throws {
        let run = try await Tool.run(
            try Tool.executable(), ["info"] + words + [Fixture("movie.mp4").path], in: nil, limit: 30)
        #expect(run.exitCode == 64 && run.diagnosticLines.count == 1, "\(run)")
        #expect(run.diagnostics.contains("--sandbox takes auto, require or off"), "\(run)")
    }

    @Test func `is a name after two dashes`() async throws {
        let run = try await Tool.run("info", "--", "--sandbox", Fixture("movie.mp4").path)
        #expect(run.exitCode == 66, "\(run)")
    }
}
