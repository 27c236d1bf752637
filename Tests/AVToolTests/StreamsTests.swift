import Foundation
import MediaTestSupport
import Testing

@Suite struct `Standard streams, signals and names` {
    let folder: WorkFolder
    let movie = Fixture("movie.mov").path

    init() throws { folder = try WorkFolder() }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run leaves whole files only`(_ signal: Int32) async throws {
        let run = try await Tool.run(
            try Tool.executable(), ["thumbs", "--every", "1/1000s", Fixture("long-gop.mp4").path], in: folder,
            limit: 60,
            signal: (signal, { [folder] in ((try? folder.names) ?? []).count > 2 }))
        #expect(run.exitCode == 130)
        #expect(!run.wasKilled)
        let names = try folder.names
        #expect(!names.isEmpty && names.count < 12_000)
        for name in names {
            #expect(name.hasPrefix("long-gop-") && name.hasSuffix(".png"))
            // The chunk that ends every PNG file.
            #expect(try folder.data(name).suffix(8).prefix(4) == Data("IEND".utf8))
        }
    }

    @Test(arguments: ["thumbs --at 0,1", "thumbs --at 0,1 --json", "info", "info --json", "verify --samples 1"])
    func `a reader that has gone ends the run by SIGPIPE, without a word`(_ command: String) async throws {
        let run = try await Tool.shell(
            "\"$AVTOOL\" \(command) '\(movie)' | true; exit ${PIPESTATUS[0]}", in: folder)
        // What `cat` and `seq` end with: 128 + 13.
        #expect(run.exitCode == 141)
        #expect(run.diagnostics.isEmpty)
    }

    @Test func `a closed standard output is a write error`() async throws {
        let run = try await Tool.shell("\"$AVTOOL\" info '\(movie)' >&-", in: folder)
        #expect(run.exitCode == 74)
        #expect(run.diagnosticLines.count == 1)
    }

    @Test func `a pipe that nobody writes to can be interrupted`() async throws {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let start = Date().addingTimeInterval(2)
        let run = try await Tool.run(
            try Tool.executable(), ["info", "pipe"], in: folder, limit: 40, signal: (SIGINT, { Date() > start }))
        #expect(run.exitCode == 130)
    }

    @Test(arguments: ["vp9.webm", "no-cues.mkv"])
    func `a film can come through a pipe`(_ name: String) async throws {
        let run = try await Tool.shell(
            "cat '\(Fixture(name).path)' | \"$AVTOOL\" info /dev/stdin", in: folder, limit: 60)
        #expect(run.exitCode == 0)
        #expect(run.text.contains("320x240"))
    }

    @Test(arguments: [
        "two words.mov", "größer-映画-🎬.mov", "-dash.mov", "line\nbreak.mov", "{index}.mov", "'\"$(id).mov",
    ])
    func `odd names work and cannot break a line`(_ name: String) async throws {
        try folder.copy("one-frame.mp4", as: name)
        let run = try await Tool.run("thumbs", "--at", "0", "--", name, in: folder)
        let base = (name as NSString).deletingPathExtension
        #expect(run.exitCode == 0)
        let shown = (base.hasPrefix("-") ? "./" : "") + base.replacingOccurrences(of: "\n", with: "\\u{a}")
        #expect(run.lines == ["0 → 0  \(shown)-1.png"])
        #expect(try folder.names.contains("\(base)-1.png"))
    }

    @Test func `a name's control characters do not reach the terminal`() async throws {
        let run = try await Tool.run("info", "a\u{1b}[31m\nb.mp4", in: folder)
        #expect(run.exitCode == 66)
        #expect(run.diagnosticLines.count == 1)
        #expect(!run.diagnostics.contains("\u{1b}"))
    }

    @Test func `no progress is shown where there is no terminal`() async throws {
        let run = try await Tool.run("verify", "--samples", "50", movie, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(!run.text.contains("\r") && !run.text.contains("%"))
    }
}
