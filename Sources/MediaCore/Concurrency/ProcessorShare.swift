internal import Foundation
internal import Synchronization

/// How many threads this process divides work among that can be divided: all processors, or its share of them where other
/// processes do the same work on other files.
package enum ProcessorShare {
    private static let share = Atomic<Int>(0)

    /// At least 1.
    package static var count: Int {
        let share = share.load(ordering: .relaxed)
        return share > 0 ? share : max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Says how many it may have; from any thread, before the work begins.
    package static func limit(to count: Int) { share.store(max(1, count), ordering: .relaxed) }
}
