import Foundation
import Testing

@Suite struct `Help` {
    @Test(arguments: [
        [], ["info"], ["thumbs"], ["scenes"], ["sheet"], ["storyboard"], ["export"], ["verify"], ["metadata"],
        ["metadata", "show"], ["metadata", "get"], ["metadata", "names"],
        ["metadata", "set"],
        ["metadata", "remove"], ["metadata", "artwork"], ["chapters"], ["chapters", "show"], ["chapters", "set"],
        ["chapters", "remove"], ["presets"], ["presets", "list"], ["presets", "show"], ["presets", "check"],
    ])
    func `is as recorded`(_ command: [String]) async throws {
        let run = try await Tool.run(try Tool.executable(), command + ["--help"], in: nil, limit: 20)
        let name = (["avtool"] + command).joined(separator: "-") + ".txt"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Snapshots/\(name)")
        if ProcessInfo.processInfo.environment["AVTOOL_RECORD_SNAPSHOTS"] == "1" { try run.output.write(to: file) }
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(run.text == (try String(contentsOf: file, encoding: .utf8)))
    }

    @Test func `the version is three numbers`() async throws {
        let run = try await Tool.run("--version")
        #expect(run.exitCode == 0)
        #expect(run.text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }
}
