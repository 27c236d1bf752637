import Foundation
import MediaTestSupport
import Testing

/// One finished run of the built command.
struct ToolRun: CustomTestStringConvertible {
    let exitCode: Int32
    /// Whether a signal ended the process rather than the process itself.
    let wasKilled: Bool
    let output: Data
    let diagnostics: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    /// The lines of standard error, but for the one at the end that counts files.
    var diagnosticLines: [String] {
        let lines = diagnostics.split(separator: "\n").map(String.init)
        return lines.last?.contains(/^avtool: \d+ files?: \d+ done/) == true ? lines.dropLast() : lines
    }
    var testDescription: String { "exit \(exitCode)\(wasKilled ? " by signal" : ""): \(text)\n\(diagnostics)" }

    func json() throws -> [[String: Any]] {
        try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }
}

/// A new folder that a test works in, gone after it.
final class WorkFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("avtool-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
    func path(_ name: String) -> String { url.path + "/" + name }
    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }
    func copy(_ fixture: String, as name: String) throws {
        try FileManager.default.copyItem(atPath: Fixture(fixture).path, toPath: path(name))
    }
}

enum Tool {
    struct TimedOut: Error { let arguments: [String] }
    struct NotBuilt: Error { let folder: String }

    /// The command that `AVTOOL` names, or the one that lies beside the test bundle that is running.
    static func executable() throws -> URL {
        if let path = ProcessInfo.processInfo.environment["AVTOOL"] {
            guard FileManager.default.isExecutableFile(atPath: path) else { throw NotBuilt(folder: path) }
            return URL(fileURLWithPath: path)
        }
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let candidates = [own, URL(fileURLWithPath: CommandLine.arguments[0])]
        let found = candidates.map { $0.deletingLastPathComponent().appendingPathComponent("avtool") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw NotBuilt(folder: own.deletingLastPathComponent().path) }
        return found
    }

    /// Copies a program that is to be run.
    ///
    /// Another process does it: what this one has open for writing, programs that it starts meanwhile have open too, and a
    /// file that anybody writes to cannot be run.
    static func copyProgram(_ path: String, to copy: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cp")
        process.arguments = [path, copy]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotBuilt(folder: copy) }
    }

    /// Runs the command and waits for its end.
    static func run(_ arguments: String..., in folder: WorkFolder? = nil, limit: Double = 30) async throws -> ToolRun {
        try await run(try executable(), arguments, in: folder, limit: limit)
    }

    /// Runs a shell script that finds the command as `$AVTOOL`.
    static func shell(_ script: String, in folder: WorkFolder, limit: Double = 30) async throws -> ToolRun {
        try await run(URL(fileURLWithPath: "/bin/bash"), ["-c", script], in: folder, limit: limit)
    }

    /// Runs a program of the system, found on the path.
    static func system(_ arguments: String..., in folder: WorkFolder) async throws -> ToolRun {
        try await run(URL(fileURLWithPath: "/usr/bin/env"), arguments, in: folder, limit: 30)
    }

    /// Whether the system has a program.
    static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    /// - Parameter signal: A signal to send as soon as a condition holds.
    static func run(
        _ program: URL, _ arguments: [String], in folder: WorkFolder?, limit: Double,
        signal: (number: Int32, when: @Sendable () -> Bool)? = nil
    ) async throws -> ToolRun {
        let folder = try folder ?? WorkFolder()
        let avtool = try executable().path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try finish(
                            program, arguments, in: folder, avtool: avtool, limit: limit, signal: signal)
                    })
            }
        }
    }

    private static func finish(
        _ program: URL, _ arguments: [String], in folder: WorkFolder, avtool: String, limit: Double,
        signal: (number: Int32, when: @Sendable () -> Bool)?
    ) throws -> ToolRun {
        let streams = try WorkFolder()
        for name in ["out", "err"] { try streams.write("", to: name) }
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(["AVTOOL": avtool, "COLUMNS": "80"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let handles = try ["out", "err"].map { try FileHandle(forWritingTo: URL(fileURLWithPath: streams.path($0))) }
        // Foundation keeps them open after the process has ended, and cannot start one with more than 1300 files open.
        defer { for handle in handles { try? handle.close() } }
        (process.standardOutput, process.standardError) = (handles[0], handles[1])
        try process.run()
        var pending = signal
        // The limits are those of an idle machine.
        let deadline = Date().addingTimeInterval(4 * limit)
        while process.isRunning {
            guard Date() < deadline else {
                kill(process.processIdentifier, SIGKILL)
                throw TimedOut(arguments: arguments)
            }
            if let signal = pending, signal.when() {
                kill(process.processIdentifier, signal.number)
                pending = nil
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return ToolRun(
            exitCode: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: try streams.data("out"), diagnostics: String(decoding: try streams.data("err"), as: UTF8.self))
    }
}

/// What ffprobe says of a fixture.
func sidecar(_ name: String) throws -> [String: Any] {
    let url = Fixture.folder.appendingPathComponent("expected/\(name).json")
    return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
}

/// The size that ffprobe finds in a picture file.
func pictureSize(_ name: String, in folder: WorkFolder) async throws -> String {
    let run = try await Tool.system(
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", name, in: folder)
    return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
}
