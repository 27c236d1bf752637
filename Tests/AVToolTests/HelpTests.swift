import Foundation
import MediaTestSupport
import Testing

@Suite struct `Help` {
    static let commands: [[String]] = [
        [], ["info"], ["thumbs"], ["scenes"], ["sheet"], ["storyboard"], ["export"], ["join"], ["verify"], ["index"],
        ["plan"], ["frames"], ["waveform"], ["film"],
        ["unit"], ["merge"],
        ["metadata"],
        ["metadata", "show"], ["metadata", "get"], ["metadata", "names"],
        ["metadata", "set"],
        ["metadata", "remove"], ["metadata", "artwork"], ["metadata", "copy"], ["thumbnail"], ["diff"], ["chapters"],
        ["chapters", "show"], ["chapters", "set"],
        ["chapters", "remove"], ["presets"], ["presets", "list"], ["presets", "show"], ["presets", "check"],
    ]

    @Test(arguments: commands)
    func `is as recorded`(_ command: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), command + ["--help"], in: nil, limit: 20)
        let name = (["avtool"] + command).joined(separator: "-") + ".txt"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Snapshots/\(name)")
        if ProcessInfo.processInfo.environment["AVTOOL_RECORD_SNAPSHOTS"] == "1" { try run.output.write(to: file) }
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        let recorded = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(run.text == recorded, "AVTOOL_RECORD_SNAPSHOTS=1 scripts/test --filter Help writes \(name) anew")
    }

    /// Terminals of 80 columns broke the lines of usage and examples anywhere.
    @Test(arguments: commands)
    func `fits 80 columns and has an example that begins with the command`(_ command: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), command + ["--help"], in: nil, limit: 20)
        #expect(run.text.split(separator: "\n").filter { $0.count > 80 }.isEmpty)
        let examples = run.text.split(separator: "\n").drop { !$0.hasPrefix("Example") }.dropFirst()
        let words = (["avtool"] + command).joined(separator: " ")
        #expect(examples.first?.hasPrefix("  \(words) ") == true || examples.first?[...] == "  \(words)")
    }

    @Test(arguments: ["times", "ranges", "names", "limits", "environment", "exit-codes"])
    func `explains topics, with an example that is understood`(_ topic: String) async throws {
        let run = try await Tool.run("help", topic)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(run.lines.filter { $0.count > 80 }.isEmpty)
        let example = try #require(run.lines.last)
        #expect(example.hasPrefix("  avtool "))
        let words = example.split(separator: " ").dropFirst().map { String($0.filter { $0 != "'" }) }
        let tried = try await Tool.run(try Tool.executable(), words, in: nil, limit: 20)
        #expect(tried.exitCode == 66, "\(tried.testDescription)")
    }

    /// They were told as something that lacked, or not at all.
    @Test(arguments: [
        (["thmbs", "a.mp4"], "there is no command 'thmbs': do you mean thumbs?"),
        (["metadata", "shwo", "a.mp4"], "there is no command 'shwo': do you mean show?"),
        (["presets", "lst"], "there is no command 'lst': do you mean list?"),
        (["thumbs", "--evry", "2s", "a.mp4"], "there is no option --evry of this command: do you mean --every?"),
        (["export", "--prest=high", "a.mp4"], "there is no option --prest of this command: do you mean --preset?"),
        (["help", "tims"], "there is no help on 'tims': do you mean times?"),
        (["film.mp4"], "there is no command 'film.mp4'"),
        (["plan", "-o", "a.plan", "thumbs", "--evry", "2", "a.mp4"], "there is no option --evry of this command"),
        (
            ["plan", "-o", "a.plan", "--unit-cost", "1m", "--files-per-unit", "3", "thumbs", "--at", "0", "a.mp4"],
            "Give one of --unit-cost and --files-per-unit"
        ),
    ])
    func `names what somebody may have meant`(arguments: [String], message: String) async throws {
        let run = try await Tool.run(try Tool.executable(), arguments, in: nil, limit: 20)
        #expect(run.exitCode == 64)
        #expect(run.text.isEmpty)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.hasPrefix("avtool: \(message)"), "\(run.diagnostics)")
    }

    /// Examples outlive the options that they name: each has to be understood.
    @Test(arguments: commands)
    func `has examples that the command line understands`(_ command: [String]) async throws {
        let tool = try Tool.executable()
        let run = try await Tool.run(tool, command + ["--help"], in: nil, limit: 20)
        let lines = run.text.split(separator: "\n").drop { !$0.hasPrefix("Example") }.dropFirst()
        let folder = try WorkFolder()
        let path = "\(tool.deletingLastPathComponent().path):/usr/bin:/bin"
        for example in lines.prefix(while: { $0.hasPrefix("  avtool") }) {
            let made = try await CommandRun.run(
                "/bin/sh", ["-c", String(example)], in: folder.url,
                environment: ["PATH": path, "HOME": folder.url.path])
            #expect(made.exitCode != 64, "\(example): \(made.errorOutput)")
        }
    }

    /// What hardly anybody needs stood before --at and --preset.
    @Test(arguments: commands)
    func `has what opens unusual files at the end`(_ command: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), command + ["--help"], in: nil, limit: 20)
        let options = run.text.split(separator: "\n").filter { $0.hasPrefix("  -") }.map { $0.split(separator: " ")[0] }
        guard options.contains("--allow-format") else { return }
        #expect(
            options.suffix(6).map(String.init) == [
                "--allow-format", "--allow-network", "--precise", "--limit", "--version", "-h,",
            ])
    }

    @Test func `the version is three numbers`() async throws {
        let run = try await Tool.run("--version")
        #expect(run.exitCode == 0)
        #expect(run.text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }
}
