internal import Foundation
internal import MediaCore
internal import Synchronization

/// The one run of a session: where it stands, and who wants to know.
final class ExportRun: Sendable {
    private struct Record: Sendable {
        var status = AVAssetExportSession.Status.unknown
        var error: (any Error)?
        var progress: ExportProgress?
        var result: ExportResult?
        var monitor: ExportMonitor?
        var isCancelled = false
        var listeners: [Int: ExportStateListener] = [:]
        var listenerCount = 0
    }

    private let record = Mutex(Record())

    var status: AVAssetExportSession.Status { record.withLock { $0.status } }
    var error: (any Error)? { record.withLock { $0.error } }
    var progress: ExportProgress? { record.withLock { $0.progress } }
    var result: ExportResult? { record.withLock { $0.result } }

    /// Begins the one run there may be.
    ///
    /// - Throws: `AVError.operationNotAllowed` if there was one.
    func begin() throws -> ExportMonitor {
        let monitor = ExportMonitor { [weak self] in self?.note($0) }
        try record.withLock { record in
            guard record.monitor == nil else {
                throw AVError(.operationNotAllowed, reason: "an export session can be used once only")
            }
            record.monitor = monitor
        }
        if record.withLock({ $0.isCancelled }) { monitor.cancellation.cancel() }
        move(to: .waiting)
        return monitor
    }

    /// The work itself begins.
    func start() { move(to: .exporting) }

    func end(_ outcome: Result<ExportResult, any Error>) {
        let listeners = record.withLock { record in
            switch outcome {
            case .success(let result):
                record.result = result
                record.status = .completed
            case .failure(let error):
                let isCancelled = error is CancellationError
                record.status = isCancelled ? .cancelled : .failed
                record.error = isCancelled ? AVError(.operationCancelled, reason: "the export was cancelled") : error
            }
            defer { record.listeners = [:] }
            return Array(record.listeners.values)
        }
        for listener in listeners { listener.end() }
    }

    func cancel() {
        let monitor = record.withLock { record in
            record.isCancelled = true
            return record.monitor
        }
        monitor?.cancellation.cancel()
    }

    /// Calls a listener with each state from the present one on.
    func add(_ listener: ExportStateListener) {
        let (state, number) = record.withLock { record -> (AVAssetExportSession.State?, Int?) in
            guard let state = Self.state(record) else { return (nil, nil) }
            record.listenerCount += 1
            record.listeners[record.listenerCount] = listener
            return (state, record.listenerCount)
        }
        guard let state, let number else { return listener.end() }
        listener.send(state)
        listener.onTermination { [weak self] in self?.record.withLock { $0.listeners[number] = nil } }
    }

    private func note(_ progress: ExportProgress) {
        let listeners = record.withLock { record in
            record.progress = progress
            return Array(record.listeners.values)
        }
        for listener in listeners { listener.update(progress) }
    }

    private func move(to status: AVAssetExportSession.Status) {
        let (state, listeners) = record.withLock { record in
            record.status = status
            return (Self.state(record), Array(record.listeners.values))
        }
        guard let state else { return }
        for listener in listeners { listener.send(state) }
    }

    private static func state(_ record: Record) -> AVAssetExportSession.State? {
        switch record.status {
        case .unknown: .pending
        case .waiting: .waiting
        case .exporting: .exporting(progress: (record.progress?.fraction ?? 0).asProgress)
        case .completed, .failed, .cancelled: nil
        }
    }
}

/// Somebody who follows a session's states.
final class ExportStateListener: Sendable {
    private let continuation: AsyncStream<AVAssetExportSession.State>.Continuation
    private let interval: TimeInterval
    private let last = Mutex(0.0)

    init(_ continuation: AsyncStream<AVAssetExportSession.State>.Continuation, interval: TimeInterval) {
        (self.continuation, self.interval) = (continuation, interval)
    }

    func send(_ state: AVAssetExportSession.State) { continuation.yield(state) }

    /// Sends progress if the interval has passed.
    func update(_ progress: ExportProgress) {
        guard interval.isFinite else { return }
        let isDue = last.withLock { last in
            guard progress.elapsed - last >= interval else { return false }
            last = progress.elapsed
            return true
        }
        if isDue { send(.exporting(progress: progress.fraction.asProgress)) }
    }

    func end() { continuation.finish() }

    func onTermination(_ handler: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in handler() }
    }
}

extension Double {
    /// A fraction from 0 to 1 as Foundation has it.
    fileprivate var asProgress: Progress {
        let progress = Progress(totalUnitCount: 10_000)
        progress.completedUnitCount = Int64(self * 10_000)
        return progress
    }
}
