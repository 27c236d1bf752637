internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaImage
internal import MediaTime
internal import Synchronization

/// One request for stills: planned, decoded, rendered and delivered on a
/// thread of its own.
final class StillSession<Output: Sendable>: Sendable {
    let source: AssetSource
    let plan: StillPlan
    let settings: StillSettings
    let product: StillProduct<Output>
    let statistics: StatisticsRecord

    init(
        source: AssetSource, times: [CMTime], settings: StillSettings, product: StillProduct<Output>,
        statistics: StatisticsRecord
    ) {
        self.statistics = statistics
        self.source = source
        self.plan = StillPlan(times: times)
        self.settings = settings
        self.product = product
    }

    /// A request under way; stops when nobody holds it.
    final class Running: Sendable {
        let cancellation = StillCancellation()
        let channel = BoundedChannel<Stills<Output>.Element>(capacity: 1)

        deinit { cancel() }

        func cancel() {
            channel.cancel()
            cancellation.cancel()
        }
    }

    func start() -> Running {
        let running = Running()
        let (channel, cancellation) = (running.channel, running.cancellation)
        Thread.detachNewThread {
            StillWork.run(self, cancellation: cancellation) { channel.send($0) }
            channel.finish()
        }
        return running
    }
}

/// What becomes of each still on the thread that decoded it.
struct StillProduct<Output: Sendable>: Sendable {
    let make: @Sendable (Still) throws -> Output
    /// The bytes that a result holds, so that few large ones wait.
    let byteCount: @Sendable (Output) -> Int
}

/// Sums up what a generator's requests cost.
final class StatisticsRecord: Sendable {
    private let sum = Mutex(StillStatistics())

    var value: StillStatistics { sum.withLock { $0 } }

    func add(_ statistics: StillStatistics) { sum.withLock { $0.add(statistics) } }
}

/// Reaches the readers of one request from wherever it is cancelled.
///
/// Held by the request and by its work: a reader is always let go of before
/// its demuxer goes back, so that a late cancellation cannot hit a stranger.
final class StillCancellation: Sendable {
    private let state = Mutex<(interrupts: [Interrupt], isCancelled: Bool)>(([], false))

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for interrupt in state.interrupts { interrupt.cancel() }
        }
    }

    /// Stops what this interrupt belongs to when the request is cancelled.
    func watch(_ interrupt: Interrupt) {
        state.withLock { state in
            state.interrupts.append(interrupt)
            if state.isCancelled { interrupt.cancel() }
        }
    }

    func unwatch(_ interrupt: Interrupt) {
        state.withLock { $0.interrupts.removeAll { $0 === interrupt } }
    }
}
