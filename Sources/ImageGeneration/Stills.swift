public import Foundation
public import MediaAsset
public import MediaCore
internal import MediaEngine
public import MediaImage
internal import Synchronization

/// The results of a request for several stills, in ascending order of time.
///
/// Each iterator does all of the work anew. Beyond AVFoundation.
public struct Stills<Output: Sendable>: AsyncSequence, Sendable {
    /// A still, or what was made of it, or why there is none.
    public typealias Element = Result<Output, StillFailure>
    let session: StillSession<Output>

    /// Starts the work, on threads of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// Hands out results as they are ready; the work stops when it is let go of.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: StillSession<Output>.Running

        init(session: StillSession<Output>) { run = session.start() }

        /// The next result, `nil` after the last one or when the task is cancelled.
        public mutating func next() async -> Element? {
            let run = run
            return await withTaskCancellationHandler {
                await run.channel.next()
            } onCancel: {
                run.cancel()
            }
        }
    }
}

/// One still image, and how it relates to what was asked for.
///
/// Times are on the asset's timeline. Beyond AVFoundation.
public struct Still: Sendable {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for.
    public let requestedTime: CMTime
    /// The frame's own presentation time, in the track's timescale.
    public let actualTime: CMTime
    /// How long the frame is shown: up to the next frame, else as long as the file says; invalid if unknown.
    public let duration: CMTime
    /// Whether the frame is a sync sample, so that it was decoded from itself alone.
    public let isSyncSample: Bool
    /// Whether the frame is the one that is shown at the requested time.
    public let isExact: Bool
    /// Why the picture is not to be trusted, in one line, `nil` if it is; only with `allowsDamagedPictures`.
    public let damage: String?
    /// Why this frame was taken, where a representative one was asked for and found; else `nil`.
    public let choice: RepresentativeChoice?
    /// The picture in each of the generator's `sizes`, in their order; one if there are none.
    public let images: [CGImage]

    /// The picture, the first if there are several sizes.
    public var image: CGImage { images[0] }
}

/// A still that could not be had.
///
/// Beyond AVFoundation.
public struct StillFailure: BridgedError, LocalizedError {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for, on the asset's timeline.
    public let requestedTime: CMTime
    /// Why: an error of those that `AVAssetImageGenerator.image(at:)` throws, or what `process` threw.
    public let error: any Error

    /// What the cause says.
    public var errorDescription: String? { error.localizedDescription }

    /// Makes a failure.
    package init(index: Int, requestedTime: CMTime, error: any Error) {
        (self.index, self.requestedTime, self.error) = (index, requestedTime, error)
    }
}

/// A still picture that comes with a file, such as cover art.
public struct AttachedPicture: Sendable {
    /// Its number, as `AssetDescription.attachedPictures` has it.
    public let trackID: CMPersistentTrackID
    /// The picture in each of the generator's `sizes`, in their order; one if there are none.
    public let images: [CGImage]
}

/// One request for stills: planned, decoded, rendered and delivered on a
/// thread of its own.
final class StillSession<Output: Sendable>: Sendable {
    let source: AssetSource
    let plan: StillPlan
    let settings: StillSettings
    let product: StillProduct<Output>
    let statistics: StatisticsRecord
    /// How pictures are composed; `nil` for those of one track as they are.
    let composition: StillComposition?

    init(
        source: AssetSource, times: [CMTime], settings: StillSettings, product: StillProduct<Output>,
        statistics: StatisticsRecord, composition: StillComposition? = nil
    ) {
        self.composition = composition
        self.statistics = statistics
        self.source = source
        self.plan = StillPlan(times: times)
        self.settings = settings
        self.product = product
    }

    /// A request under way; stops when nobody holds it.
    final class Running: Sendable {
        let cancellation = Cancellation()
        let channel = BoundedChannel<Stills<Output>.Element>(capacity: 1)
        /// What ends the waiting for others' work.
        private let leaveQueue = Mutex<(@Sendable () -> Void)?>(nil)

        deinit { cancel() }

        func cancel() {
            channel.close()
            cancellation.cancel()
            leaveQueue.withLock { $0 }?()
        }

        fileprivate func onCancel(_ leaveQueue: @escaping @Sendable () -> Void) {
            self.leaveQueue.withLock { $0 = leaveQueue }
        }
    }

    /// Starts the work, as soon as that of others leaves room for it.
    ///
    /// - Parameter onBegin: Called once when it begins, or when it is cancelled before; must not block.
    func start(onBegin: @escaping @Sendable () -> Void = {}) -> Running {
        let running = Running()
        let (channel, cancellation) = (running.channel, running.cancellation)
        let work = { @Sendable (ticket: WorkAdmission.Ticket?) in
            onBegin()
            WorkThread.start { [self] in
                StillWork.run(self, cancellation: cancellation, ticket: ticket) { element in
                    guard let ticket, !channel.hasRoom else { return (try? channel.send(element)) ?? false }
                    return ticket.idle { (try? channel.send(element)) ?? false }
                }
                channel.finish()
                ticket?.end()
            }
        }
        // Code of the caller's, pipes and servers may wait for what would wait behind them.
        guard composition == nil, !product.runsCallersCode, source.readsLocalFiles else {
            work(nil)
            return running
        }
        let ticket = WorkAdmission.stills.enqueue { work($0) }
        running.onCancel {
            guard ticket.cancel() else { return }
            channel.finish()
            onBegin()
        }
        return running
    }
}

/// What becomes of each still on the thread that decoded it.
struct StillProduct<Output: Sendable>: Sendable {
    let make: @Sendable (Still) throws -> Output
    /// Whether that is the caller's own doing, which may wait for other stills.
    var runsCallersCode = false
    /// The bytes that a result holds, so that few large ones wait.
    let byteCount: @Sendable (Output) -> Int
}

/// Sums up what a generator's requests cost.
final class StatisticsRecord: Sendable {
    private let sum = Mutex(StillStatistics())

    var value: StillStatistics { sum.withLock { $0 } }

    func add(_ statistics: StillStatistics) { sum.withLock { $0.add(statistics) } }
}

/// The times asked for, in the order in which they are answered.
///
/// Sorted, so that each GOP is entered once and decoded once up to the last
/// picture wanted of it.
struct StillPlan: Sendable {
    struct Entry: Sendable {
        /// The request's position in the caller's list.
        let index: Int
        let requestedTime: CMTime
    }

    let entries: [Entry]

    init(times: [CMTime]) {
        entries = times.enumerated().map { Entry(index: $0.offset, requestedTime: $0.element) }
            .sorted { ($0.requestedTime, $0.index) < ($1.requestedTime, $1.index) }
    }
}

/// What a still shall look like.
struct StillSettings: Sendable {
    var appliesTransform = false
    /// How pictures are laid out then, in place of what their track says.
    var orientation: ImageOrientation?
    /// The track to make stills of; `nil` for the usual one.
    var trackID: Int32?
    /// The box to fit into, zero for no limit in that direction.
    var maximumWidth = 0
    var maximumHeight = 0
    /// Boxes to make pictures for, one each; if empty, the one above.
    var sizes: [PixelSize] = []
    var fit = AVAssetImageGenerator.Fit.contain
    /// A part of the upright picture of full size.
    var crop: PixelRect?
    /// What is around pictures that do not fill their box.
    var background = RGBColor.black
    /// The clean aperture if `nil`.
    var aperture: AVAssetImageGenerator.ApertureMode?
    var allowsDamagedPictures = false
    /// How far a frame may lie that stands for its scene; zero for the frame shown at the time itself.
    var representativeWindow = CMTime.zero
    var dynamicRange = AVAssetImageGenerator.DynamicRangePolicy.forceSDR
    /// How far before and after the requested time the frame's own may lie.
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity

    /// The boxes to make pictures for.
    var boxes: [PixelSize] { sizes.isEmpty ? [PixelSize(width: maximumWidth, height: maximumHeight)] : sizes }

    /// A time, or the end of the timeline in place of one after it where the tolerance reaches back to that.
    func reachable(_ time: CMTime, until duration: CMTime) -> CMTime {
        guard time.isNumeric, duration.isNumeric, time > duration, time - toleranceBefore <= duration else {
            return time
        }
        return duration
    }

    /// The track to make stills of.
    func track(of asset: AssetDescription) -> TrackDescription? {
        guard let trackID else { return asset.videoTrack }
        return asset.tracks.first { $0.trackID == trackID }
    }
}
