internal import Synchronization

/// Collects the failures of a command that goes on with the other files.
final class FailureLog: Sendable {
    private let first = Mutex<Failure?>(nil)

    /// Whether nothing failed.
    var isEmpty: Bool { first.withLock { $0 == nil } }

    /// Prints a failure of one file and remembers it.
    ///
    /// - Throws: A failure that no other file can escape: nobody reads the results.
    func report(_ failure: Failure, file: String) throws {
        if [.outputClosed, .outputFailed].contains(failure.name) { throw failure }
        note(failure)
        // What is written to may be the file itself, which need not be named twice.
        let name = file.oneLine + ": "
        Console.warn(
            file, failure.message.hasPrefix(name) ? String(failure.message.dropFirst(name.count)) : failure.message)
    }

    /// Remembers a failure without a line of its own.
    func note(_ failure: Failure) { first.withLock { if $0 == nil { $0 = failure } } }

    /// Ends the command with the first failure's code, if there was one.
    func exitIfNeeded() throws {
        if Interruption.isRequested { throw CommandEnded(code: .interrupted) }
        if let first = first.withLock({ $0 }) { throw CommandEnded(code: first.code) }
    }
}

/// A command ended with a code; all that is to be said has been said.
struct CommandEnded: Error {
    let code: Failure.Code
}
