internal import AVToolCommands
internal import MediaIO
internal import Synchronization

/// Collects the failures of a command that goes on with the other files.
final class FailureLog: Sendable {
    private struct State {
        var first: Failure?
        var tellsOfInterruption = false
        var mayOutlastFile = false
        /// How many files failed.
        var counts = WorkEnd.FailureCounts()
        /// Whether the file that is worked on has failed.
        var hasFileFailed = false
    }

    private let noted = Mutex(State())

    /// The first failure.
    var first: Failure? { noted.withLock { $0.first } }

    /// Whether it was said that the work was interrupted.
    var tellsOfInterruption: Bool { noted.withLock { $0.tellsOfInterruption } }

    /// How many files failed, and whether it is of use to try them again.
    var counts: WorkEnd.FailureCounts { noted.withLock { $0.counts } }

    /// Whether something of the file that is worked on has failed.
    var hasFileFailed: Bool { noted.withLock { $0.hasFileFailed } }

    /// Another file is worked on.
    func beginFile() { noted.withLock { $0.hasFileFailed = false } }

    /// Prints a failure of one file and remembers it.
    ///
    /// - Throws: A failure that no other file can escape: nobody reads the results.
    func report(_ failure: Failure, file: String) throws {
        if [.outputClosed, .outputFailed].contains(failure.name) { throw failure }
        note(failure)
        // What is written to may be the file itself, which need not be named twice.
        let name = file.oneLine + ": "
        let text = failure.message.hasPrefix(name) ? String(failure.message.dropFirst(name.count)) : failure.message
        Console.error("avtool: \(name)\(text.oneLine)")
    }

    /// Remembers a failure without a line of its own.
    func note(_ failure: Failure) {
        noted.withLock {
            if $0.first == nil { $0.first = failure }
            if failure.name == .cancelled { $0.tellsOfInterruption = true }
            if failure.name.mayOutlastFile { $0.mayOutlastFile = true }
            guard !$0.hasFileFailed else { return }
            $0.hasFileFailed = true
            $0.counts.add(failure.name.retry)
        }
    }

    /// Whether this process may be the worse for what has failed in it.
    var mayOutlastFile: Bool { noted.withLock { $0.mayOutlastFile } }

    /// Ends the command with the first failure's code, if there was one.
    func exitIfNeeded() throws {
        let noted = noted.withLock { $0 }
        if Interruption.isRequested {
            // One that came between two files has not been said of any.
            guard noted.tellsOfInterruption else { throw Failure(.cancelled, "interrupted") }
            throw CommandEnded(code: .interrupted)
        }
        if let first = noted.first { throw CommandEnded(code: first.code) }
    }
}

/// A command ended with a code; all that is to be said has been said.
struct CommandEnded: Error {
    let code: Failure.Code
}

extension WorkEnd.FailureCounts {
    /// Counts a file whose first failure says so.
    fileprivate mutating func add(_ retry: Retry) {
        switch retry {
        case .never: never += 1
        case .later: later += 1
        case .elsewhere: elsewhere += 1
        }
    }
}
