internal import MediaCore
internal import Synchronization

/// Where a writer stands.
final class WriterRun: Sendable {
    private struct Record {
        var status = AVAssetWriter.Status.unknown
        var error: (any Error)?
        /// Whether the file is being completed.
        var isFinishing = false
    }

    private let record = Mutex(Record())

    var status: AVAssetWriter.Status { record.withLock { $0.status } }
    var error: (any Error)? { record.withLock { $0.error } }

    /// Whether samples are taken.
    var isWriting: Bool { record.withLock { $0.status == .writing && !$0.isFinishing } }

    /// - Throws: `AVError.operationNotAllowed` if it began before.
    func begin() throws {
        try record.withLock { record in
            guard record.status == .unknown else {
                throw AVError(.operationNotAllowed, reason: "a writer can be started once only")
            }
            record.status = .writing
        }
    }

    /// - Returns: Whether the file can be completed now.
    func beginFinishing() -> Bool {
        record.withLock { record in
            guard record.status == .writing, !record.isFinishing else { return false }
            record.isFinishing = true
            return true
        }
    }

    func complete() { record.withLock { if $0.status == .writing { $0.status = .completed } } }

    /// - Returns: Whether this is why it failed, rather than something before.
    @discardableResult
    func fail(_ error: any Error) -> Bool {
        record.withLock { record in
            guard [.unknown, .writing].contains(record.status) else { return false }
            (record.status, record.error) = (.failed, error)
            return true
        }
    }

    /// - Returns: Whether there was something to cancel.
    func cancel() -> Bool {
        record.withLock { record in
            guard [.unknown, .writing].contains(record.status) else { return false }
            record.status = .cancelled
            record.error = AVError(.operationCancelled, reason: "writing was cancelled")
            return true
        }
    }
}
