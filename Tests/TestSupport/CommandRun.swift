package import Foundation
internal import Synchronization

/// What a finished process left behind.
package struct CommandRun: Sendable {
    package var exitCode: Int32
    package var standardOutput: Data
    package var standardError: Data
    /// Whether the process was ended because it ran too long.
    package var timedOut: Bool

    package var output: String { String(decoding: standardOutput, as: UTF8.self) }
    package var errorOutput: String { String(decoding: standardError, as: UTF8.self) }

    /// The process could not be started, or ran too long.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Runs a program of the search path and waits for it, off the cooperative pool.
    ///
    /// - Parameters:
    ///   - input: What the program reads from its standard input.
    ///   - limit: How long it may run before it is killed.
    package static func run(
        _ program: String, _ arguments: [String], input: Data? = nil, in folder: URL? = nil,
        environment: [String: String]? = nil, limit: Duration = .seconds(60)
    ) async throws -> CommandRun {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try runBlocking(
                            program, arguments, input: input, folder: folder, environment: environment, limit: limit)
                    })
            }
        }
    }

    private static func runBlocking(
        _ program: String, _ arguments: [String], input: Data?, folder: URL?, environment: [String: String]?,
        limit: Duration
    ) throws -> CommandRun {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try find(program))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = environment ?? ProcessInfo.processInfo.environment
        let (output, errors) = (Collector(), Collector())
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        let feed = input.map { _ in Pipe() }
        process.standardInput = feed ?? FileHandle.nullDevice
        let isDone = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in isDone.signal() }
        try process.run()
        output.start()
        errors.start()
        if let feed, let input {
            try? feed.fileHandleForWriting.write(contentsOf: input)
            try? feed.fileHandleForWriting.close()
        }
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
        let timedOut = isDone.wait(timeout: .now() + seconds) == .timedOut
        if timedOut {
            kill(process.processIdentifier, SIGKILL)
            isDone.wait()
        }
        return CommandRun(
            exitCode: process.terminationStatus, standardOutput: output.data(), standardError: errors.data(),
            timedOut: timedOut)
    }

    private static func find(_ program: String) throws -> String {
        if program.contains("/") { return program }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let found = folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { throw Failure(description: "\(program) is not installed") }
        return found
    }

    /// Runs `ffmpeg` on a file and gives its raw pixels.
    ///
    /// - Parameter options: What comes after the input: filters and the number of frames.
    package static func ffmpegPixels(of path: String, options: [String], format: String = "rgb24") async throws
        -> [UInt8]
    {
        let fixed = ["-v", "error", "-nostdin", "-noautorotate", "-i", path]
        let run = try await run(
            "ffmpeg", fixed + options + ["-map", "0:v:0", "-pix_fmt", format, "-f", "rawvideo", "-"])
        guard run.exitCode == 0, !run.timedOut else { throw Failure(description: "ffmpeg: \(run.errorOutput)") }
        return [UInt8](run.standardOutput)
    }
}

/// Reads a pipe to its end on a thread of its own, so that no process waits for a reader.
private final class Collector: Sendable {
    let pipe = Pipe()
    private let bytes = Mutex(Data())
    private let isDone = DispatchSemaphore(value: 0)

    func start() {
        Thread.detachNewThread { [self] in
            let data = Self.readToEnd(pipe.fileHandleForReading.fileDescriptor)
            bytes.withLock { $0 = data }
            isDone.signal()
        }
    }

    /// `FileHandle` traps when a signal interrupts it, such as that of a child that ended.
    private static func readToEnd(_ descriptor: Int32) -> Data {
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                result.append(contentsOf: buffer[..<count])
            } else if count == 0 || errno != EINTR {
                return result
            }
        }
    }

    func data() -> Data {
        isDone.wait()
        // Foundation keeps it open with the process, which it does not let go.
        try? pipe.fileHandleForReading.close()
        return bytes.withLock { $0 }
    }
}
