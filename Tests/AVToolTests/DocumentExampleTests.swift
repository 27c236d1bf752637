import Foundation
import MediaTestSupport
import Testing

/// Examples in documents, blocks marked as `console`: commands behind a dollar, and what they print.
private struct Example: Sendable, CustomTestStringConvertible {
    let document: String
    let number: Int
    let lines: [String]

    var testDescription: String { "\(document), block \(number)" }
    var commands: [String] { lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } }

    static let all = ["README.md", "docs/command-line.md"].flatMap { document -> [Example] in
        let text = (try? String(contentsOf: Fixture.root.appendingPathComponent(document), encoding: .utf8)) ?? ""
        let blocks = text.components(separatedBy: "```console\n").dropFirst()
        return blocks.enumerated().map { number, block in
            let lines = block.components(separatedBy: "\n```")[0].split(separator: "\n").map(String.init)
            return Example(document: document, number: number + 1, lines: lines)
        }
    }
}

@Suite struct `Examples in documents` {
    @Test func `are there`() {
        #expect(Example.all.count(where: { $0.document == "README.md" }) >= 7)
        #expect(Example.all.count > 9)
    }

    /// What encoders make differs in size from version to version, and what fonts do from machine to machine.
    private func withoutSizes(_ line: String) -> String {
        line.replacing(/[\d.]+ (bytes|kB|MB)/) { "N \($0.output.1)" }.replacing(/\d+x\d+, (\d+ still)/) { $0.output.1 }
    }

    @Test(arguments: Example.all)
    private func `print what is said, as they stand`(_ example: Example) async throws {
        let folder = try WorkFolder()
        let script =
            "ln -s '\(Fixture.folder.path)' Fixtures; PATH=$(dirname \"$AVTOOL\"):$PATH; export AVTOOL_CONFIG=\n"
            + example.commands.map { "printf '%s\\n' '$ '\(quoted($0))\n\($0)\n" }.joined()
        let run = try await Tool.shell("exec 2>&1\n" + script, in: folder, limit: 120)
        var printed = run.lines[...]
        for line in example.lines {
            if line == "…" {
                printed = printed.drop { !$0.hasPrefix("$ ") }
                continue
            }
            #expect(printed.popFirst().map(withoutSizes) == withoutSizes(line), "\(run.text)")
        }
        #expect(printed.isEmpty)
    }

    private func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }
}
