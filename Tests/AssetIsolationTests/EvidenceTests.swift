import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// The system calls of a program and of its worker, as strace tells them.
private struct Account {
    /// What names the film, of the program's own threads and of the worker and its copies.
    private(set) var program: [String] = []
    private(set) var worker: [String] = []

    private static let film = "the-film.mp4"

    /// Runs a program that loads a film and makes stills of it.
    init(_ mode: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(Self.film)
        try FileManager.default.copyItem(atPath: Fixture("movie.mp4").path, toPath: path)
        let calls = "execve,clone,clone3,fork,vfork,openat,open,read,pread64,readv,preadv,preadv2,mmap,sendfile,splice"
        let run = try await CommandRun.run(
            "strace",
            [
                "-ff", "-y", "-s", "200", "-o", folder.path("calls"), "-e", "trace=\(calls)",
                try AssetIsolation.built("isolated-host"), mode, path, "3",
            ], limit: .seconds(180))
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        var lines: [Int: [Substring]] = [:]
        for name in try folder.contents() where name.hasPrefix("calls.") {
            let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
            lines[Int(name.dropFirst("calls.".count)) ?? 0] = text.split(separator: "\n")
        }
        let family = Self.family(of: lines)
        for (thread, calls) in lines {
            let named = calls.filter { $0.contains(Self.film) && !$0.hasPrefix("execve") }.map(String.init)
            if family.contains(thread) { worker += named } else { program += named }
        }
    }

    /// The worker's threads, and those of its copies.
    private static func family(of lines: [Int: [Substring]]) -> Set<Int> {
        var found = Set(
            lines.filter { $0.value.contains { $0.hasPrefix("execve(") && $0.contains("avtool-worker") } }.keys)
        var new = found
        while !new.isEmpty {
            let made = new.flatMap { lines[$0] ?? [] }
                .filter { $0.hasPrefix("clone") || $0.hasPrefix("fork") || $0.hasPrefix("vfork") }
                .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            new = Set(made).subtracting(found)
            found.formUnion(new)
        }
        return found
    }
}

/// What a program does with a film that a worker reads, by the system's own account.
@Suite struct `A program whose films are isolated` {
    private static var hasTracer: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") }

    @Test(.enabled(if: hasTracer), .timeLimit(.minutes(5)))
    func `A program whose assets are isolated opens their files and reads nothing from them`() async throws {
        let isolated = try await Account("worker")
        #expect(!isolated.program.isEmpty)
        #expect(isolated.program.filter { !$0.hasPrefix("openat(") } == [])
        #expect(isolated.worker.contains { $0.hasPrefix("read(") || $0.hasPrefix("pread64(") })
    }

    /// The counterpart: the account shows reading where there is some.
    @Test(.enabled(if: hasTracer), .timeLimit(.minutes(5)))
    func `A program whose assets are not isolated is seen reading their files`() async throws {
        let own = try await Account("none")
        #expect(own.program.contains { $0.hasPrefix("read(") || $0.hasPrefix("pread64(") })
        #expect(own.worker.isEmpty)
    }
}
