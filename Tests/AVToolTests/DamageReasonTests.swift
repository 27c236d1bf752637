import Foundation
import MediaTestSupport
import Testing

/// A reason was FFmpeg's message alone: "concealing 252 DC, 252 AC, 252 MV errors in P frame", "error y=7 x=189".
@Suite struct `Reasons of damage` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private static let commands = [
        "thumbs --count 8", "thumbs --count 8 --json", "thumbs --count 4 --allow-damaged --json", "verify --samples 20",
        "verify --samples 20 --json", "sheet --count 9", "sheet --count 9 --json --allow-damaged",
        "storyboard --every 500ms --exact", "storyboard --every 500ms --json", "export --preset low -o out.mp4",
        "export --preset low --json -o out.mp4",
        "export --preset passthrough -o out.mov", "scenes", "info",
    ]

    private static let files: [String] = {
        let fixtures = ["damaged.mp4", "damaged.ts", "truncated.mp4", "truncated-no-moov.mp4"].map { Fixture($0).path }
        guard let corpus = Fixture.corpus?.appendingPathComponent("corrupt") else { return fixtures }
        let others = (try? FileManager.default.contentsOfDirectory(atPath: corpus.path)) ?? []
        return fixtures + others.sorted().map { corpus.path + "/" + $0 }
            + [corpus.path + "/../stills/pixel-motion-photo-shortened.jpg"]
    }()

    /// What the ffmpeg command says of a file, without the names of its parts.
    private func words(of file: String) async throws -> Set<String> {
        let run = try await Tool.shell("ffmpeg -v error -i '\(file)' -f null - 2>&1; true", in: folder, limit: 60)
        let lines = run.lines.map { $0.replacing(/^(\[[^\]]*\] )+/, with: "").trimmingCharacters(in: .whitespaces) }
        return Set(lines.filter { $0.count > 6 && !$0.contains(file) })
    }

    /// A line without what stands in parentheses.
    private func plain(_ line: String) -> String {
        var text = line
        while let open = text.lastIndex(of: "("), let close = text[open...].firstIndex(of: ")") {
            text.removeSubrange(open...close)
        }
        return text
    }

    @Test(.enabled(if: Tool.has("ffmpeg")), .timeLimit(.minutes(5)), arguments: files)
    func `are ours, with FFmpeg's words behind them`(_ file: String) async throws {
        let words = try await words(of: file)
        let known = [
            "concealing ", "error y=", "Could not find ref", "partial file", "Error splitting", "non-existing",
            "left block", "top block", "Invalid NAL", "no frame!", "prematurely",
        ]
        for command in Self.commands {
            let run = try await Tool.shell("\"$AVTOOL\" \(command) --force '\(file)'", in: folder, limit: 120)
            let plainRun =
                run.exitCode == 64
                ? try await Tool.shell("\"$AVTOOL\" \(command) '\(file)'", in: folder, limit: 120) : run
            #expect([0, 65, 75].contains(plainRun.exitCode), "\(command): \(plainRun.diagnostics)")
            for line in plainRun.lines + plainRun.diagnosticLines {
                let text = plain(line)
                let alone = (words.union(known)).filter { text.contains($0) }
                #expect(alone.isEmpty, "\(command): \(line)")
            }
        }
    }
}
