import Foundation
import MediaTestSupport
import Testing

/// `-` was a file that is not there for all commands that change files, and for `metadata get`.
@Suite struct `Standard input of commands that change files` {
    private let folder: WorkFolder

    init() throws {
        folder = try WorkFolder()
        try folder.copy("movie.mp4", as: "movie.mp4")
        try folder.copy("audio-only.flac", as: "sound.flac")
        try folder.copy("attached-picture.mp3", as: "sound.mp3")
        try folder.write("CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\n", to: "chapters.txt")
    }

    private func shell(_ script: String) async throws -> ToolRun { try await Tool.shell(script, in: folder) }

    private static let edits = [
        "metadata set title=New", "metadata remove --all", "metadata remove --share-safe", "metadata artwork --remove",
        "chapters remove", "chapters set --from chapters.txt",
    ]

    @Test(arguments: edits, ["movie.mp4", "sound.flac", "sound.mp3"])
    func `makes the copy that the file makes`(_ edit: String, _ file: String) async throws {
        let expected = try await shell("\"$AVTOOL\" \(edit) -o expected \(file)")
        try #require(expected.exitCode == 0, "\(expected.diagnostics)")
        for (index, input) in ["cat \(file) | \"$AVTOOL\" EDIT -", "\"$AVTOOL\" EDIT - < \(file)"].enumerated() {
            let named = try await shell(input.replacingOccurrences(of: "EDIT", with: "\(edit) -o copy\(index)"))
            #expect(named.exitCode == 0, "\(input): \(named.diagnostics)")
            #expect(try folder.data("copy\(index)") == folder.data("expected"))
            let piped = try await shell(input.replacingOccurrences(of: "EDIT", with: "\(edit) -o -"))
            #expect(piped.exitCode == 0, "\(piped.diagnostics)")
            #expect(try piped.output == folder.data("expected"))
        }
        let substituted = try await shell("\"$AVTOOL\" \(edit) -o other <(cat \(file))")
        #expect(substituted.exitCode == 0, "\(substituted.diagnostics)")
        #expect(try folder.data("other") == folder.data("expected"))
    }

    @Test(arguments: edits, ["-", "/dev/stdin", "<(cat movie.mp4)"])
    func `is not changed in place`(_ edit: String, _ name: String) async throws {
        let before = try folder.data("movie.mp4")
        for options in ["", "--dry-run", "--json"] {
            let run = try await shell("\"$AVTOOL\" \(edit) \(options) \(name) < movie.mp4")
            #expect(run.exitCode == 64 && run.diagnosticLines.count == 1 && run.output.isEmpty)
            #expect(run.diagnostics.contains("in place; -o"), "\(run.diagnostics)")
        }
        #expect(try folder.data("movie.mp4") == before)
    }

    @Test(
        arguments: [
            "metadata get title", "metadata show", "metadata show --json", "metadata show --private",
            "metadata artwork",
            "chapters show", "chapters show --json",
        ], ["movie.mp4", "sound.flac", "sound.mp3"])
    func `is read as the file is`(_ command: String, _ file: String) async throws {
        let expected = try await shell("\"$AVTOOL\" \(command) \(file)")
        for input in ["cat \(file) | \"$AVTOOL\" \(command) -", "\"$AVTOOL\" \(command) - < \(file)"] {
            let run = try await shell(input)
            #expect(run.exitCode == expected.exitCode, "\(run.diagnostics)")
            let text = run.text.replacing(/^-(?=\n|:)/.anchorsMatchLineEndings(), with: file)
                .replacing("\"source\":\"-\"", with: "\"source\":\"\(file)\"")
            #expect(text == expected.text)
        }
    }

    @Test(arguments: [
        "metadata set --from - -o x -", "metadata set title=x -o x - -", "chapters set --from - -o x /dev/stdin",
        "metadata remove --all - -", "metadata show - /dev/fd/0",
    ])
    func `is given once`(_ command: String) async throws {
        let run = try await shell("cat movie.mp4 | \"$AVTOOL\" \(command)")
        #expect(run.exitCode == 64 && run.diagnosticLines.count == 1, "\(run.diagnostics)")
    }

    @Test(arguments: [
        "metadata get title", "metadata show", "metadata set title=x -o x", "chapters show", "info", "thumbs --at 0",
    ])
    func `is told to be empty, closed or no file`(_ command: String) async throws {
        let closed = try await shell("\"$AVTOOL\" \(command) - <&-")
        #expect(closed.exitCode == 64 && closed.diagnostics.contains("closed"), "\(closed.diagnostics)")
        for script in ["true | \"$AVTOOL\" \(command) -", ": > empty; \"$AVTOOL\" \(command) - < empty"] {
            let run = try await shell(script)
            #expect(run.exitCode == 65 && run.diagnosticLines.count == 1, "\(script): \(run.diagnostics)")
        }
        let none = try await shell("\"$AVTOOL\" \(command) - < /dev/null")
        #expect([65, 66].contains(none.exitCode) && none.diagnosticLines.count == 1)
        #expect(try folder.names.contains("x") == false)
    }

    @Test func `is another thing than a file of that name`() async throws {
        try folder.copy("movie.mp4", as: "-")
        let run = try await shell(
            "\"$AVTOOL\" metadata set title=Dash ./- < sound.flac && \"$AVTOOL\" metadata get title ./-")
        #expect(run.exitCode == 0 && run.lines.last == "Dash", "\(run.diagnostics)")
    }
}
