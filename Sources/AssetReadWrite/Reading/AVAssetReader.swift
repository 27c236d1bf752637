public import Foundation
public import MediaAsset
public import MediaCore
internal import Synchronization

/// Reads the samples of an asset's tracks, one after the other: as they are coded, or decoded.
///
/// ```swift
/// let reader = try AVAssetReader(asset: asset)
/// let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
/// reader.add(output)
/// guard reader.startReading() else { throw reader.error ?? CocoaError(.fileReadUnknown) }
/// while let sample = output.copyNextSampleBuffer() { use(sample) }
/// if reader.status == .failed { throw reader.error ?? CocoaError(.fileReadUnknown) }
/// ```
///
/// Nothing is read ahead of the client but what codecs need: memory does not grow with the film, and outputs may be read in
/// any order, by threads of their own or one after the other. A reader is used once.
///
/// A file that ends before it should, that is damaged or that changes meanwhile makes the reader fail, after the samples
/// that were right.
///
/// - Note: Assets that a worker reads have no readers, as they have no exports.
///
/// `@unchecked Sendable`: settings are behind a lock.
open class AVAssetReader: NSObject, @unchecked Sendable {
    /// Where a reader stands.
    public enum Status: Int, Sendable {
        /// It was not started.
        case unknown = 0
        /// It reads.
        case reading = 1
        /// All outputs have given all their samples.
        case completed = 2
        /// It cannot go on: ``AVAssetReader/error`` says why.
        case failed = 3
        /// It was cancelled.
        case cancelled = 4
    }

    private struct Settings {
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var outputs: [AVAssetReaderOutput] = []
        var allowsDamagedMedia = false
    }

    /// What is read.
    public let asset: AVAsset
    let run = ReaderRun()
    private let settings = Mutex(Settings())

    /// A reader of an asset.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells; `AVError.operationNotSupportedForAsset` for an
    ///   asset that a worker reads.
    public init(asset: AVAsset) throws {
        self.asset = asset
        super.init()
        try asset.source.checkFilesAreOwn()
        _ = try asset.source.describe()
    }

    /// Where the reader stands.
    open var status: Status { run.status }

    /// Why it failed or was cancelled, `nil` if it was not.
    open var error: (any Error)? { run.error }

    /// What of the asset is read, on its timeline; all of it at first.
    ///
    /// It counts as it is when reading starts.
    ///
    /// Of decoded pictures those that are shown within it are read: the first one may begin before it, and says so by
    /// `kCMSampleBufferAttachmentKey_TrimDurationAtStart`. Sound is cut to the sample. Of coded samples there are all that
    /// are needed to decode those, and those that are not shown say so by `kCMSampleAttachmentKey_DoNotDisplay`.
    ///
    /// - Note: AVFoundation raises an exception for a range that makes no sense, and for one that is set late. Here the
    ///   first makes the reader fail when it starts, and the second is of no effect.
    open var timeRange: CMTimeRange {
        get { settings.withLock { $0.timeRange } }
        set { settings.withLock { $0.timeRange = newValue } }
    }

    /// Whether damaged pictures and sound, and files that end early, are read as far as they go rather than being errors.
    ///
    /// Beyond AVFoundation.
    public var allowsDamagedMedia: Bool {
        get { settings.withLock { $0.allowsDamagedMedia } }
        set { settings.withLock { $0.allowsDamagedMedia = newValue } }
    }

    /// The outputs that were added.
    open var outputs: [AVAssetReaderOutput] { settings.withLock { $0.outputs } }

    /// Whether an output can be added: it is of this asset, its settings make sense, it belongs to no reader yet, and the
    /// reader was not started.
    open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
        status == .unknown && !output.isAttached && (try? output.check(for: asset)) != nil
    }

    /// Adds an output.
    ///
    /// - Note: AVFoundation raises an exception for one that cannot be added. Here the reader does not start, and its
    ///   error says why.
    open func add(_ output: AVAssetReaderOutput) {
        guard status == .unknown else {
            return run.fail(AVError(.operationNotAllowed, reason: "outputs are added before reading starts"))
        }
        do {
            try output.check(for: asset)
            try output.attach()
            settings.withLock { $0.outputs.append(output) }
        } catch {
            run.fail(error)
        }
    }

    /// Starts reading.
    ///
    /// - Returns: Whether it could be started; ``error`` says why not.
    open func startReading() -> Bool {
        do {
            try start()
            return true
        } catch {
            return false
        }
    }

    /// Starts reading.
    ///
    /// - Throws: `AVError.operationNotAllowed` for a reader that was used, `incorrectlyConfigured` for a time range or
    ///   settings that make no sense, and what opening the tracks fails with.
    open func start() throws {
        if let error { throw error }
        let settings = settings.withLock { $0 }
        let outputs = settings.outputs
        try run.begin(outputs: outputs.count)
        do {
            let range = try checked(settings.timeRange)
            for output in outputs {
                try output.begin(
                    SampleRequest(
                        asset: asset, timeRange: range, allowsDamage: settings.allowsDamagedMedia, run: run))
            }
        } catch {
            run.fail(readerError(for: error))
            throw run.error ?? error
        }
        if outputs.isEmpty { run.endOutput() }
    }

    /// What of the asset is read; `nil` for all.
    private func checked(_ range: CMTimeRange) throws -> CMTimeRange? {
        guard range.start.isNumeric, range.duration.isValid, !range.duration.isIndefinite,
            range.duration > .zero, range.start >= .zero
        else {
            throw AVError(
                .incorrectlyConfigured, reason: "timeRange is no range from zero on that has a length: \(range)")
        }
        let isWhole = range.start == .zero && range.duration == .positiveInfinity
        return isWhole ? nil : range
    }

    /// Fails where the reader will give nothing any more for another reason than that it gave all.
    func checkIsNotBroken() throws {
        switch status {
        case .failed: throw error ?? AVError(.unknown, reason: "the reader failed")
        case .cancelled: throw CancellationError()
        case .unknown: throw AVError(.operationNotAllowed, reason: "samples are read after the reader was started")
        case .reading, .completed: break
        }
    }

    /// Stops reading soon, from any thread; outputs then have no more samples.
    open func cancelReading() { run.cancel() }
}

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
