internal import Dispatch
internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaConcurrency
internal import MediaLoading
internal import MediaTime
internal import Synchronization

/// The work of one request: independent groups of stills, each decoded by one
/// worker with a demuxer and a decoder of its own, delivered in order of time.
struct StillWork<Output: Sendable>: Sendable {
    typealias Element = Stills<Output>.Element

    let source: AssetSource
    let plan: StillPlan
    let settings: StillSettings
    let product: StillProduct<Output>
    /// Stops the readers.
    ///
    /// Each is let go of before its demuxer goes back, so
    /// that a late cancellation cannot hit a stranger.
    let cancellation: Cancellation
    let statistics: StatisticsRecord
    /// Hands one result to the caller; returns whether anybody still listens.
    let deliver: @Sendable (Element) -> Bool

    func run() {
        do {
            let description = try source.describe()
            guard let track = description.videoTrack, let video = track.video else {
                throw AVError(.noSourceTrack, reason: "the file has no video track")
            }
            let reader = try FrameReader(source: source, streamIndex: track.streamIndex)
            let groups = reader.groups(
                of: plan.entries.map {
                    reader.timeBase.ticks(atOrBefore: $0.requestedTime, from: description.origin)
                })
            let job = Job(work: self, description: description, track: track, video: video, groups: groups)
            job.run(first: reader)
        } catch {
            for entry in plan.entries where !deliver(.failure(Self.failure(entry, error))) { return }
        }
    }

    /// The result for one entry, on the calling thread.
    func result(for entry: StillPlan.Entry, goesOn: Bool, from maker: StillMaker) -> Element {
        do {
            return .success(try product.make(maker.still(for: entry, goesOn: goesOn)))
        } catch {
            return .failure(Self.failure(entry, error))
        }
    }

    static func failure(_ entry: StillPlan.Entry, _ error: any Error) -> StillFailure {
        let known = (error as? FFmpegError).map { publicError(for: $0) } ?? error
        return StillFailure(index: entry.index, requestedTime: entry.requestedTime, error: known)
    }
}

/// The groups of one request, shared out among workers.
private final class Job<Output: Sendable>: @unchecked Sendable {
    // @unchecked Sendable: the first reader is taken out by one worker only,
    // under the lock; all else is immutable or synchronised.

    private let work: StillWork<Output>
    private let description: AssetDescription
    private let track: TrackDescription
    private let video: VideoDescription
    private let groups: [Range<Int>]
    private let delivery: OrderedDelivery<Stills<Output>.Element>
    private let nextGroup = Mutex(0)
    private var spareReader: FrameReader?

    init(
        work: StillWork<Output>, description: AssetDescription, track: TrackDescription, video: VideoDescription,
        groups: [Range<Int>]
    ) {
        self.work = work
        self.description = description
        self.track = track
        self.video = video
        self.groups = groups
        delivery = OrderedDelivery(
            budget: 6 << 20,
            cost: { result in
                if case .success(let output) = result { return work.product.byteCount(output) }
                return 0
            },
            deliver: work.deliver)
    }

    func run(first reader: FrameReader) {
        spareReader = reader
        let workers = min(groups.count, ProcessInfo.processInfo.activeProcessorCount)
        // Threads of their own: workers wait for a slow reader, and a shared pool
        // would be out of threads for others.
        let helpers = DispatchGroup()
        for _ in 1..<max(1, workers) {
            helpers.enter()
            Thread.detachNewThread {
                self.runWorker()
                helpers.leave()
            }
        }
        runWorker()
        helpers.wait()
    }

    private func runWorker() {
        var maker: Result<StillMaker, any Error>?
        while let group = takeGroup() {
            let current = maker ?? Result { try makeMaker() }
            maker = current
            for position in group {
                let entry = work.plan.entries[position]
                let result: Stills<Output>.Element =
                    switch current {
                    case .success(let maker):
                        work.result(for: entry, goesOn: position + 1 < group.upperBound, from: maker)
                    case .failure(let error): .failure(StillWork<Output>.failure(entry, error))
                    }
                guard delivery.submit(result, at: position) else { return finish(maker) }
            }
        }
        finish(maker)
    }

    private func takeGroup() -> Range<Int>? {
        let index = nextGroup.withLock { next in
            defer { next += 1 }
            return next
        }
        return index < groups.count ? groups[index] : nil
    }

    private func makeMaker() throws -> StillMaker {
        let spare = nextGroup.withLock { _ in
            defer { spareReader = nil }
            return spareReader
        }
        let reader = try spare ?? FrameReader(source: work.source, streamIndex: track.streamIndex)
        reader.interrupt.follow(work.cancellation)
        let alpha = try video.alphaStreamIndex.map { try FrameReader(source: work.source, streamIndex: $0) }
        alpha?.interrupt.follow(work.cancellation)
        return StillMaker(
            description: description, reader: reader, alpha: alpha,
            renderer: StillRenderer(video: video, settings: work.settings), settings: work.settings)
    }

    private func finish(_ maker: Result<StillMaker, any Error>?) {
        guard let maker = try? maker?.get() else { return }
        for reader in [maker.reader, maker.alpha].compactMap({ $0 }) {
            work.cancellation.forget(reader.interrupt)
            work.statistics.add(reader.counters)
            reader.finish()
        }
    }
}
