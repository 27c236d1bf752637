public import Foundation
public import MediaAsset
internal import MediaCore
public import SampleBuffers
internal import Synchronization

/// What a reader gives samples by.
///
/// Made as one of its subclasses.
///
/// `@unchecked Sendable`: what changes is behind locks.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    private struct Settings {
        var copies = true
        var isRepeatable = false
        var isAttached = false
        /// Whether what is read is not to be asked for again.
        var isFinal = false
    }

    private let settings = Mutex(Settings())
    /// Held while a sample is read, so that several threads get one after the other.
    private let reading = NSLock()
    private let work = Mutex(ReaderWork())

    /// For the subclasses.
    override init() { super.init() }

    /// What its samples are.
    open var mediaType: AVMediaType { .video }

    /// Whether the memory of decoded samples is their own, so that a client may write to it; true at first.
    ///
    /// Otherwise pictures may share the memory of the decoder where their format allows it, which saves copying them.
    /// Samples as they are coded always share that of the packet that was read, and are not to be written to.
    open var alwaysCopiesSampleData: Bool {
        get { settings.withLock { $0.copies } }
        set { settings.withLock { $0.copies = newValue } }
    }

    /// Whether other ranges can be read once all samples of one were; false at first.
    open var supportsRandomAccess: Bool {
        get { settings.withLock { $0.isRepeatable } }
        set { settings.withLock { $0.isRepeatable = newValue } }
    }

    /// The next sample; blocks until it is there.
    ///
    /// - Returns: `nil` after the last one, and where the reader failed, was cancelled or was not started: its status says
    ///   which.
    open func copyNextSampleBuffer() -> CMSampleBuffer? {
        reading.withLock {
            let (feed, run) = work.withLock { ($0.feed, $0.request?.run) }
            guard let feed, let run, run.status == .reading else { return nil }
            do {
                if let sample = try feed.next() { return sample }
                end(run)
            } catch {
                work.withLock { $0.feed = nil }
                run.fail(readerError(for: error))
            }
            return nil
        }
    }

    private func end(_ run: ReaderRun) {
        work.withLock { $0.feed = nil }
        let isOver = settings.withLock { !$0.isRepeatable || $0.isFinal }
        if isOver { run.endOutput() } else { work.withLock { $0.isWaiting = true } }
    }

    /// Reads other ranges, once all samples of those before were read; for outputs with ``supportsRandomAccess``.
    ///
    /// - Parameter timeRanges: `CMTimeRange`s as `NSValue`s, ascending and apart from each other.
    /// - Note: Where it is called too early, or with ranges that make no sense, the reader fails; AVFoundation raises an
    ///   exception.
    open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
        let (request, isWaiting) = work.withLock { ($0.request, $0.isWaiting) }
        guard let request else { return }
        do {
            guard supportsRandomAccess, isWaiting else {
                throw AVError(
                    .operationNotAllowed,
                    reason: "other ranges are read after all samples, by an output that supportsRandomAccess")
            }
            let ranges = timeRanges.map(\.timeRangeValue)
            guard ranges.allSatisfy({ $0.isValid && !$0.isEmpty && $0.start >= .zero }),
                zip(ranges, ranges.dropFirst()).allSatisfy({ $0.end <= $1.start })
            else {
                throw AVError(.incorrectlyConfigured, reason: "ranges to read ascend, and lie apart from each other")
            }
            let feeds = ranges.map { range in
                { [self] in try makeFeed(SampleRequest(request, timeRange: range)) }
            }
            work.withLock { work in
                work.feed = SampleFeeds(feeds)
                work.isWaiting = false
            }
        } catch {
            request.run.fail(error)
        }
    }

    /// Says that ``reset(forReadingTimeRanges:)`` will not be called any more.
    open func markConfigurationAsFinal() {
        settings.withLock { $0.isFinal = true }
        let run = work.withLock { work -> ReaderRun? in
            guard work.isWaiting else { return nil }
            work.isWaiting = false
            return work.request?.run
        }
        run?.endOutput()
    }

    // MARK: For readers

    var isAttached: Bool { settings.withLock { $0.isAttached } }

    /// Notes that it belongs to a reader.
    func attach() throws {
        let wasAttached = settings.withLock { settings in
            defer { settings.isAttached = true }
            return settings.isAttached
        }
        guard !wasAttached else { throw AVError(.operationNotAllowed, reason: "an output belongs to one reader only") }
    }

    /// Fails if it cannot be an output of a reader of an asset.
    func check(for asset: AVAsset) throws {
        throw AVError(.incorrectlyConfigured, reason: "AVAssetReaderOutput is made as one of its subclasses")
    }

    /// Has its reader fail.
    func failReader(_ reason: String) {
        let run = work.withLock { work in
            work.feed = nil
            return work.request?.run
        }
        run?.fail(AVError(.operationNotSupportedForAsset, reason: reason))
    }

    /// What its samples come from.
    func makeFeed(_ request: SampleRequest) throws -> any SampleFeeding {
        throw AVError(.incorrectlyConfigured, reason: "AVAssetReaderOutput is made as one of its subclasses")
    }

    func begin(_ request: SampleRequest) throws {
        let feed = try makeFeed(request)
        work.withLock { work in
            work.feed = feed
            work.request = request
        }
    }
}

/// What an output does at a time.
///
/// `@unchecked Sendable`: a feed is used by the thread that holds the output's lock for reading.
private struct ReaderWork: @unchecked Sendable {
    var feed: (any SampleFeeding)?
    var request: SampleRequest?
    /// Whether all samples were read, and other ranges may be asked for.
    var isWaiting = false
}
