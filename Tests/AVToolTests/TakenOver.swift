import Foundation
import MediaTestSupport
import Testing

/// A folder with the built command, and in place of its worker one that does what a hostile file would make it do.
///
/// Beside them lie a canary and some files that nobody reads.
final class TakenOver: Sendable {
    let folder: WorkFolder
    private let program: URL
    /// Whether a worker does what is the only piece of work itself, as the real one does, and not by a copy.
    private let isAlone: Bool

    init(files: Int = 1, isAlone: Bool = false) throws {
        self.isAlone = isAlone
        folder = try WorkFolder()
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
        program = URL(fileURLWithPath: folder.path("bin/avtool"))
        // Tests may run on another build than their own, which has no such worker; the two of this one fit.
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let places = [own, URL(fileURLWithPath: CommandLine.arguments[0])].map { $0.deletingLastPathComponent() }
        let built = try #require(
            places.first {
                FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("misbehaving-worker").path)
            })
        try Tool.copyProgram(built.appendingPathComponent("avtool").path, to: program.path)
        try Tool.copyProgram(
            built.appendingPathComponent("misbehaving-worker").path, to: folder.path("bin/avtool-worker"))
        try folder.write("sings", to: "canary")
        for number in 0..<files { try folder.write("film \(number)", to: "film\(number).mp4") }
    }

    /// The command line: stills of what among the words is a file, while the worker does what the others say.
    ///
    /// - Parameter doing: Another command than that, and its options.
    func line(_ words: [String], patience: Int? = nil, doing: [String]? = nil) -> [String] {
        let options = words.filter { $0.hasPrefix("--") }
        let acts = words.filter { !$0.hasPrefix("--") }
        let environment = "AVTOOL_ACTS=" + acts.joined(separator: "\n")
        let command = doing ?? ["thumbs", "--at", "0", "-o", "{name}.mp4-{index}.png"]
        let limit = patience.map { ["--limit", "stall-time=\($0)s"] } ?? []
        let alone = isAlone ? ["AVTOOL_ALONE=1"] : []
        return ["/usr/bin/env", environment] + alone + [program.path] + options + command + limit
            + acts.filter { !$0.contains("=") }
    }

    /// Runs that.
    func run(
        _ words: String..., patience: Int? = nil, doing: [String]? = nil, limit: Double = 30,
        signal: (number: Int32, when: @Sendable () -> Bool)? = nil
    ) async throws -> ToolRun {
        let line = line(words, patience: patience, doing: doing)
        return try await Tool.run(
            URL(fileURLWithPath: line[0]), Array(line.dropFirst()), in: folder, limit: limit, signal: signal)
    }

    /// The words of that for a shell.
    func quoted(_ words: String...) -> String {
        line(words).map { "'\($0)'" }.joined(separator: " ")
    }

    /// The same, with the memory of the largest of its processes in mebibytes, and nothing kept of standard output.
    func measured(_ words: String..., patience: Int? = nil, limit: Double = 60) async throws -> (ToolRun, Int) {
        let script = """
            import os, resource, subprocess, sys
            code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
            open("peak", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
            sys.exit(code if code >= 0 else 128 - code)
            """
        let run = try await Tool.run(
            URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script] + line(words, patience: patience),
            in: folder, limit: limit)
        let peak = try #require(Int(String(decoding: try folder.data("peak"), as: UTF8.self)))
        try FileManager.default.removeItem(atPath: folder.path("peak"))
        return (run, peak)
    }

    /// Numbers of the processes that are the worker or copies of it, the worker itself first.
    var workers: [Int32] {
        let path = folder.path("bin/avtool-worker")
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let found = numbers.compactMap { Int32($0) }.filter { number in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")
            else { return false }
            return target.hasSuffix(path) || path.hasSuffix(target)
        }
        return found.filter { !found.contains(Self.parent(of: $0)) }
            + found.filter { found.contains(Self.parent(of: $0)) }
    }

    private static func parent(of process: Int32) -> Int32 {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return line.flatMap { Int32($0.dropFirst(5).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// Whether nothing was changed, and nothing made.
    func expectUntouched(files: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try folder.data("canary") == Data("sings".utf8), sourceLocation: sourceLocation)
        for number in 0..<files {
            #expect(try folder.data("film\(number).mp4") == Data("film \(number)".utf8), sourceLocation: sourceLocation)
        }
        let names = ["bin", "canary"] + (0..<files).map { "film\($0).mp4" }
        #expect(try folder.names == names, sourceLocation: sourceLocation)
    }
}
