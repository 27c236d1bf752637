internal import Foundation
internal import MediaCore
internal import Synchronization

/// The one run of a reader: where it stands.
///
/// Readers and their outputs share it.
final class ReaderRun: Sendable {
    private struct Record {
        var status = AVAssetReader.Status.unknown
        var error: (any Error)?
        /// How many outputs have samples still.
        var remaining = 0
    }

    private let record = Mutex(Record())
    let cancellation = Cancellation()

    // What reads for a reader that nobody holds any more stops.
    deinit { cancellation.cancel() }

    var status: AVAssetReader.Status { record.withLock { $0.status } }
    var error: (any Error)? { record.withLock { $0.error } }

    /// Begins.
    ///
    /// - Parameter outputs: How many there are.
    /// - Throws: `AVError.operationNotAllowed` if it began before.
    func begin(outputs: Int) throws {
        try record.withLock { record in
            guard record.status == .unknown else {
                throw AVError(.operationNotAllowed, reason: "a reader can be started once only")
            }
            record.status = .reading
            record.remaining = outputs
        }
    }

    /// One more output has no more samples.
    func endOutput() {
        record.withLock { record in
            record.remaining -= 1
            if record.remaining <= 0, record.status == .reading { record.status = .completed }
        }
    }

    /// Reading failed, unless it was cancelled before.
    func fail(_ error: any Error) {
        if error is CancellationError { return cancel() }
        record.withLock { record in
            guard [.unknown, .reading].contains(record.status) else { return }
            (record.status, record.error) = (.failed, error)
        }
        cancellation.cancel(because: error)
    }

    func cancel() {
        record.withLock { record in
            guard record.status == .reading || record.status == .unknown else { return }
            record.status = .cancelled
            record.error = AVError(.operationCancelled, reason: "reading was cancelled")
        }
        cancellation.cancel()
    }
}
