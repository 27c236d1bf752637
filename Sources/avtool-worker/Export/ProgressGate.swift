internal import AVToolCommands
internal import Synchronization

/// Lets reports of progress through until the end is told, which none may follow.
final class ProgressGate: Sendable {
    private let isClosed = Mutex(false)

    func pass(_ report: () throws -> Void) throws {
        try isClosed.withLock { isClosed in
            if !isClosed { try report() }
        }
    }

    func close() { isClosed.withLock { $0 = true } }
}
