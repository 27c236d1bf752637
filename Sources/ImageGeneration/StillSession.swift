internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaEngine
internal import MediaImage
internal import Synchronization

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

        deinit { cancel() }

        func cancel() {
            channel.close()
            cancellation.cancel()
        }
    }

    func start() -> Running {
        let running = Running()
        let (channel, cancellation) = (running.channel, running.cancellation)
        WorkThread.start {
            StillWork.run(self, cancellation: cancellation) { (try? channel.send($0)) ?? false }
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
