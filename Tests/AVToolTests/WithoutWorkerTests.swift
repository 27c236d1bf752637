import Foundation
import MediaTestSupport
import Testing

@Suite struct `Without a worker` {
    /// Runs a copy of the tool that has no worker beside it.
    private func run(_ arguments: [String]) async throws -> ToolRun {
        let folder = try WorkFolder()
        let copy = folder.path("avtool")
        try Tool.copyProgram(try Tool.executable().path, to: copy)
        return try await Tool.run(URL(fileURLWithPath: copy), arguments, in: folder, limit: 30)
    }

    @Test(arguments: [
        ["--help"], ["--version"], ["help", "thumbs"], ["export", "--help"], ["metadata", "names"],
        ["metadata", "names", "--json", "--for", "flac"],
    ])
    func `there is help, and what needs no file`(arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.exitCode == 0)
        #expect(!run.text.isEmpty)
        #expect(run.diagnostics.isEmpty)
    }

    @Test(arguments: [
        ["film.mp4"], ["thumbs", "film.mp4"], ["thumbs", "--at", "0", "--count", "2", "film.mp4"],
        ["export", "--preset", "low", "--range", "4s..1s", "film.mp4"], ["info", "--limit", "pixels", "film.mp4"],
        ["info"],
    ])
    func `mistakes are told in one line`(arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.exitCode == 64)
        #expect(run.text.isEmpty)
        #expect(run.diagnostics.split(separator: "\n").count == 1)
    }

    @Test func `files cannot be read, and that is said`() async throws {
        let run = try await run(["info", Fixture("movie.mp4").path])
        #expect(run.exitCode == 70)
        #expect(run.diagnostics.contains("avtool-worker: no such file; it belongs to avtool"))
    }
}
