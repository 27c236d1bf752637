internal import Foundation
internal import MediaConcurrency
internal import Synchronization

/// The threads of one run.
final class StageThreads {
    private let cancellation: Cancellation
    private let group = DispatchGroup()

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// Runs `body` on a thread of its own; what it throws stops all.
    func start(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
        let work = Mutex<(@Sendable () throws -> Void)?>(body)
        let (cancellation, group) = (cancellation, group)
        group.enter()
        let thread = Thread {
            do { try work.withLock { $0 }?() } catch { cancellation.cancel(because: error) }
            // What the stage owns is gone when the group is told.
            work.withLock { $0 = nil }
            group.leave()
        }
        thread.name = name
        thread.stackSize = 2 << 20
        thread.start()
    }

    func wait() { group.wait() }
}
