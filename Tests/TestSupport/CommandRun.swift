package import Foundation
internal import Glibc
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

    /// The process did not do what it was started for.
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
                            program, arguments, input: input, in: folder, environment: environment, limit: limit)
                    })
            }
        }
    }

    /// The same for tests that are not asynchronous: blocks the thread.
    package static func runBlocking(
        _ program: String, _ arguments: [String], input: Data? = nil, in folder: URL? = nil,
        environment: [String: String]? = nil, limit: Duration = .seconds(60)
    ) throws -> CommandRun {
        let (output, errors) = (try PipeEnds(), try PipeEnds())
        let feed = try input.map { _ in try PipeEnds() }
        let process: ChildProcess
        do {
            process = try ChildProcess(
                program, arguments, in: folder, environment: environment, input: feed?.reader, output: output.writer,
                error: errors.writer)
        } catch {
            for ends in [output, errors, feed].compactMap({ $0 }) { ends.close() }
            throw error
        }
        let (outputData, errorData) = (output.collected(), errors.collected())
        if let feed, let input { feed.send(input) }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            process.waitUntilExit()
            isDone.signal()
        }
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
        let timedOut = isDone.wait(timeout: .now() + seconds) == .timedOut
        if timedOut {
            process.signal(SIGKILL)
            isDone.wait()
        }
        return CommandRun(
            exitCode: process.waitUntilExit(), standardOutput: outputData.wait(), standardError: errorData.wait(),
            timedOut: timedOut)
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

extension PipeEnds {
    /// Closes the writing end and reads what comes to its end, on a thread of its own: no process waits for a reader.
    fileprivate func collected() -> Collected {
        _ = Glibc.close(writer)
        let collected = Collected()
        Thread.detachNewThread { [reader] in collected.read(reader) }
        return collected
    }

    /// Closes the reading end and writes data, on a thread of its own: no process waits for what it does not read.
    fileprivate func send(_ data: Data) {
        _ = Glibc.close(reader)
        Thread.detachNewThread { [writer] in
            // A child that reads no further is no reason to end: the signal stays with this thread.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = write(writer, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count > 0 {
                        rest = rest.dropFirst(count)
                    } else if errno != EINTR {
                        break
                    }
                }
            }
            _ = Glibc.close(writer)
        }
    }
}

/// What came out of a pipe.
private final class Collected: Sendable {
    private let bytes = Mutex(Data())
    private let isDone = DispatchSemaphore(value: 0)

    /// Reads to the end, and closes the descriptor.
    func read(_ descriptor: Int32) {
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                result.append(contentsOf: buffer[..<count])
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        _ = Glibc.close(descriptor)
        bytes.withLock { $0 = result }
        isDone.signal()
    }

    func wait() -> Data {
        isDone.wait()
        return bytes.withLock { $0 }
    }
}
