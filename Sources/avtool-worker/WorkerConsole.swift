internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import Synchronization

/// What the worker says, by way of the process that started it.
enum WorkerConsole {
    private struct State {
        var channel: Channel?
        /// When progress was told last, and of which file.
        var told: (file: String, time: ContinuousClock.Instant)?
    }

    private static let state = Mutex(State())
    private static let facts = Mutex(WorkSurroundings())

    /// What the worker was told of the process that started it.
    static var surroundings: WorkSurroundings {
        get { facts.withLock { $0 } }
        set { facts.withLock { $0 = newValue } }
    }

    /// Speaks through a channel from now on.
    static func speak(through channel: Channel) { state.withLock { $0.channel = channel } }

    /// Writes a line of results.
    static func print(_ line: String) throws { try write(line + "\n") }

    /// Writes text of results; the process that started the worker makes it harmless for a terminal.
    static func write(_ text: String) throws { say(.output, Array(text.utf8)) }

    /// Writes a result whose reader waits for it.
    static func stream(_ bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: longestPart) {
            say(.output, Array(bytes[start..<min(bytes.count, start + longestPart)]))
        }
    }

    /// More at a time would have the process that passes it on hold as much.
    private static let longestPart = 4 << 20

    /// Says something about a file, on one line whatever words it has.
    static func warn(_ file: String, _ text: String) { say(.warnings("avtool: \(file.oneLine): \(text.oneLine)")) }

    /// Says something about a file that was asked for.
    static func note(_ file: String, _ text: String) { say(.warnings("\(file.oneLine): \(text.oneLine)")) }

    /// Writes a line of diagnostics.
    static func error(_ line: String) { say(.diagnostics(line)) }

    /// Says what the kernel keeps from this process.
    static func tellIsolation() {
        let isolation = surroundings.isolation
        let missing = Isolation.all.subtracting(isolation).names
        let active = isolation.names
        say(
            .warnings(
                "avtool: isolation: \(active.isEmpty ? "none" : active.joined(separator: ", "))"
                    + (missing.isEmpty || active.isEmpty ? "" : "; missing: \(missing.joined(separator: ", "))")))
    }

    /// Tells how far the work has come, some times a second.
    ///
    /// - Parameters:
    ///   - file: What is worked on.
    ///   - details: What else is to be said after the percentage.
    static func progress(_ file: String, _ fraction: Double, _ details: String = "") {
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            if let told = state.told, told.file == file, now - told.time < .milliseconds(50) { return false }
            state.told = (file, now)
            return true
        }
        if isDue { say(.progress(file: file, fraction: fraction, details: details)) }
    }

    /// Says something; whoever does not listen any more is gone, and the worker goes too.
    static func say(_ news: WorkNews, _ bytes: [UInt8] = []) {
        guard let channel = state.withLock({ $0.channel }) else { return }
        do { try channel.send(news, bytes: bytes) } catch { _exit(1) }
    }
}

extension JSONLine {
    /// Writes a line to standard output.
    static func print(_ value: any Encodable) throws { try WorkerConsole.print(try text(value)) }
}
