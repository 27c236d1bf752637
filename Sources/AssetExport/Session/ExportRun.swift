internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaIO
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

/// Everything that is asked of an export but where the file goes.
@dynamicMemberLookup
struct ExportRequest: Sendable {
    var preset: ExportPreset
    var fileType: AVFileType
    var options = ExportOptions()
    /// What rates are chosen by in place of the limit, after encoders that were told it made more; `nil` at first.
    var byteBudget: Int64?
    /// Whether a share of the frames is to be encoded for another process.
    var makesPiece = false

    init(preset: ExportPreset, fileType: AVFileType, options: ExportOptions = ExportOptions()) {
        (self.preset, self.fileType, self.options) = (preset, fileType, options)
    }

    subscript<Value>(dynamicMember option: WritableKeyPath<ExportOptions, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }
}

/// How an export is made, beside its preset and the kind of file.
struct ExportOptions: Sendable {
    /// On the asset's timeline; what lies beyond the asset is ignored.
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var metadata = ExportMetadata()
    var optimizesForNetwork = false
    /// In bytes; zero for none.
    var fileLengthLimit: Int64 = 0
    var allowsMultiplePasses = false
    var temporaryDirectory: String?
    var preservesAlternateTracks = false
    var allowsDamagedMedia = false
    var auditDepth = ExportAuditDepth.index
    /// Whether a range that cannot be kept just as asked for is an error.
    var requiresExactRange = false
    var trackSelection = ExportTrackSelection()
    /// How tracks become one picture and one sound.
    var rendering = ExportRendering()
    /// What is done to pictures and sound.
    var effects = ExportEffects()
    /// How long segments are at least in which pictures are encoded apart; `nil` for segments where they are of use.
    var segmentLength: CMTime?
    /// What other processes have encoded of the pictures; `nil` if all is done here.
    var pieces: PieceSet?
}

extension ExportRequest {
    /// The preset's limit or one's own, whichever is lower; `nil` for none.
    var effectiveFileLengthLimit: Int64? {
        [options.fileLengthLimit, preset.fileLengthLimit ?? 0].filter { $0 > 0 }.min()
    }

    /// Fails if samples that stay as they are need more bytes than the file may have.
    func checkLength(_ byteCount: Int64?) throws {
        guard let limit = effectiveFileLengthLimit, let byteCount, byteCount > limit else { return }
        throw AVError(
            .maximumFileSizeReached,
            reason: "coded samples that stay as they are need \(byteCount) bytes, more than \(limit); a preset that "
                + "encodes anew can make the file smaller")
    }
}

/// What an export under way tells, and how it is told to stop.
///
/// Any thread may use it.
final class ExportMonitor: Sendable {
    /// Stops the export.
    let cancellation: Cancellation
    private let began = ContinuousClock.now
    private let listener: @Sendable (ExportProgress) -> Void

    /// - Parameter listener: Gets each step of progress, on whatever thread makes it.
    init(
        cancellation: Cancellation = Cancellation(),
        listener: @escaping @Sendable (ExportProgress) -> Void = { _ in }
    ) {
        (self.cancellation, self.listener) = (cancellation, listener)
    }

    /// Tells how far the export has come.
    ///
    /// - Parameters:
    ///   - fraction: Of all its work, from 0 to 1.
    ///   - time: The time reached on the new file's timeline.
    func report(fraction: Double, time: CMTime, byteCount: UInt64) {
        let elapsed = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1000
        let fraction = min(1, max(0, fraction))
        // The first moments tell nothing about the rest.
        let isSteady = elapsed > 0.5 && fraction > 0.005
        listener(
            ExportProgress(
                fraction: fraction, time: time, elapsed: elapsed,
                remaining: isSteady ? elapsed / fraction * (1 - fraction) : nil,
                speed: isSteady && time.isNumeric ? time.seconds / elapsed : nil, byteCount: byteCount))
    }
}

/// A file came out larger than it may be, and could be made smaller.
struct LengthExcess: Error {
    /// Bytes that were made.
    let byteCount: Int64
    /// Bytes that there may be.
    let byteLimit: Int64
}

extension ExportWork {
    /// Attempts after which encoders are taken to be unable to make less.
    private static let maximumRetries = 5

    /// Finds out whether a finished file is as small as it has to be.
    ///
    /// - Parameter job: What made it; `nil` for coded samples that stay as they are.
    func checkLength(_ byteCount: UInt64, of job: PipelineJob?) throws {
        guard let limit = request.effectiveFileLengthLimit, byteCount > UInt64(clamping: limit) else { return }
        let made = Int64(clamping: byteCount)
        guard job?.hasChoiceOfRate ?? false else {
            throw AVError(
                .maximumFileSizeReached,
                reason: "the file would have \(made) bytes, more than \(limit), and nothing in it is encoded at a bit "
                    + "rate that could be lowered")
        }
        throw LengthExcess(byteCount: made, byteLimit: limit)
    }

    /// The same work with less to aim at.
    func retry(after excess: LengthExcess) throws -> ExportWork {
        var next = self
        next.retries += 1
        let budget = request.byteBudget ?? excess.byteLimit
        var share = Double(excess.byteLimit) / Double(excess.byteCount)
        // A bound that was not kept tells little of how an average will be, which is asked for from now on.
        if next.retries == 1 { share = max(share, 0.85) }
        // What an encoder does not follow it is asked for more firmly.
        let aim = Double(budget) * pow(share, next.retries > 2 ? 1.5 : 1) * 0.995
        next.request.byteBudget = Int64(max(1, aim))
        do {
            guard next.retries <= Self.maximumRetries else { throw tooLarge(excess) }
            _ = try next.plan()
        } catch is MediaLimitError {
            throw tooLarge(excess)
        }
        return next
    }

    private func tooLarge(_ excess: LengthExcess) -> MediaLimitError {
        MediaLimitError(
            reason: "\(excess.byteLimit) bytes are too few: the encoders made \(excess.byteCount), and not less when "
                + "they were told to; a smaller size, fewer pictures a second or a shorter range would do")
    }

    /// How much of all the work is done; what is done once more comes after what seemed to be nearly all.
    func overall(_ fraction: Double) -> Double {
        guard request.effectiveFileLengthLimit != nil else { return fraction }
        var (start, share) = (0.0, 0.95)
        for _ in 0..<retries { (start, share) = (start + share, (1 - start - share) * 0.95) }
        return start + min(1, max(0, fraction)) * share
    }
}

/// The error of an export in the shape that callers know: an `AVError` with what it comes of, or `CancellationError`.
func exportError(for error: any Error) -> any Error {
    guard let error = error as? ExportPresetError else { return writingError(for: error) }
    return AVError(.incorrectlyConfigured, reason: error.reason, underlying: error)
}
