import Foundation
import MediaTestSupport
import Testing

/// What a run on a terminal left there.
private struct TerminalRun: Decodable {
    /// All that the terminal got.
    let text: String
    let code: Int32

    /// What the terminal was told between two returns to a row's beginning.
    var rows: [String] {
        text.split { "\r\n".unicodeScalars.contains($0.unicodeScalars.first ?? " ") }.map(String.init)
    }
    /// What is left to be seen in the end, row by row.
    var screen: [String] {
        var rows = [""]
        for scalar in text.replacingOccurrences(of: "\u{1b}[K", with: "\u{7f}").unicodeScalars {
            switch scalar {
            case "\n": rows.append("")
            case "\u{7f}": rows[rows.count - 1] = ""
            case "\r": break
            default: rows[rows.count - 1].unicodeScalars.append(scalar)
            }
        }
        return rows.filter { !$0.isEmpty }
    }
}

@Suite struct `On a terminal` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private func run(
        _ command: [String], columns: Int = 80, term: String = "xterm", output: String = "pipe", signal: Int32 = 0
    ) async throws -> TerminalRun {
        let script = Fixture.root.appendingPathComponent("Tests/Acceptance/readers/terminal.py").path
        let run = try await CommandRun.run(
            "python3",
            [script, String(columns), term, output, String(signal), try Tool.executable().path] + command,
            in: folder.url, limit: .seconds(240))
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        return try JSONDecoder().decode(TerminalRun.self, from: run.standardOutput)
    }

    /// Work that takes a second or so.
    private let work = ["thumbs", "--every", "1/5s", "--size", "16x0", "-o", "{name}-{index}.png"]

    // Progress stayed on the row in which the shell's prompt then stood.
    @Test(arguments: [80, 30, 12])
    func `progress stays within a row and goes`(_ columns: Int) async throws {
        try folder.copy("long-gop.mp4", as: "映画と長い名前のファイル、とても長い.mp4")
        let run = try await run(work + ["映画と長い名前のファイル、とても長い.mp4"], columns: columns)
        #expect(run.code == 0)
        #expect(run.text.contains("%"))
        #expect(run.screen.isEmpty)
        for row in run.rows {
            let text = row.replacingOccurrences(of: "\u{1b}[K", with: "")
            let wide = text.unicodeScalars.count { $0.value >= 0x3000 && $0.value < 0xA000 }
            #expect(text.unicodeScalars.count + wide < columns, "\(text)")
        }
    }

    @Test func `progress says which of several files it is`() async throws {
        try folder.copy("long-gop.mp4", as: "a.mp4")
        try folder.copy("long-gop.mp4", as: "b.mp4")
        let run = try await run(work + ["a.mp4", "b.mp4"])
        #expect(run.text.contains("[1/2] a.mp4 ") && run.text.contains("[2/2] b.mp4 "))
        #expect(run.screen.isEmpty)
    }

    @Test(arguments: ["dumb", "none"])
    func `progress is no flood where rows cannot be written anew`(_ term: String) async throws {
        try folder.copy("long-gop.mp4", as: "a.mp4")
        let run = try await run(work + ["a.mp4"], term: term)
        #expect(run.code == 0)
        #expect(!run.text.contains("\u{1b}"))
        #expect(run.rows.count < 10)
    }

    @Test func `progress goes when the work fails`() async throws {
        try folder.copy("damaged.mp4", as: "a.mp4")
        let run = try await run(["storyboard", "--every", "1/25s", "--exact", "a.mp4"])
        #expect(run.code == 65)
        #expect(run.screen.count == 1)
        #expect(run.screen.first?.hasPrefix("avtool: a.mp4: ") == true)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `progress goes when the work is interrupted`(_ signal: Int32) async throws {
        try folder.copy("long-gop.mp4", as: "a.mp4")
        let run = try await run(
            // Work of some seconds: what ends before the signal comes is not interrupted.
            ["sheet", "--count", "300", "--columns", "20", "--width", "16000", "-o", "sheet.png", "a.mp4"],
            signal: signal)
        #expect(run.code == 130)
        #expect(run.screen == ["avtool: a.mp4: interrupted"])
        #expect(try folder.names == ["a.mp4"])
    }

    @Test(arguments: [
        ["thumbs", "--at", "0"], ["sheet", "--count", "1"], ["export", "--preset", "passthrough"],
        ["metadata", "set", "title=x"],
    ])
    func `files are not written to it`(_ command: [String]) async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        for name in ["-", "/dev/stdout"] {
            let run = try await run(command + ["-o", name, "a.mp4"], output: "terminal")
            #expect(run.code == 64)
            #expect(run.screen.count == 1)
            #expect(run.text.contains("is a terminal"))
        }
    }

    // `nohup avtool` ended all the same when its terminal was closed.
    @Test(arguments: ["HUP", "INT"])
    func `a signal that was ignored from the start stays so`(_ name: String) async throws {
        try folder.copy("long-gop.mp4", as: "a.mp4")
        let script = """
            trap '' \(name); "$AVTOOL" thumbs --count 60 --size 16x0 a.mp4 > lines & sleep 0.3
            kill -\(name) $!; wait $!
            """
        let run = try await Tool.shell(script, in: folder, limit: 60)
        #expect(run.exitCode == 0)
        #expect(try folder.names.count == 62)
    }
}
