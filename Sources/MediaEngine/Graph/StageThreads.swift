internal import Foundation
package import MediaCore
internal import Synchronization

/// Work that is done on a thread of its own, with everything that it alone uses.
package protocol Stage: SendableMetatype {
    /// What is known in the end.
    associatedtype Outcome: Sendable

    func run() throws -> Outcome
}

/// What a stage has found out, once it has ended well.
package final class StageOutcome<Value: Sendable>: Sendable {
    private let found = Mutex<Value?>(nil)

    /// `nil` before the stage has ended, and if it has failed.
    package var value: Value? { found.withLock { $0 } }

    fileprivate func set(_ value: Value?) { found.withLock { $0 = value } }
}

/// The threads of one run.
package final class StageThreads: Sendable {
    private let cancellation: Cancellation
    private let group = DispatchGroup()

    package init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// Hands a stage to a thread of its own, where it runs; what it throws stops all.
    @discardableResult
    package func start<Work: Stage>(_ name: String, _ stage: sending Work) -> StageOutcome<Work.Outcome> {
        let owned = Mutex<Work?>(stage)
        let outcome = StageOutcome<Work.Outcome>()
        let (cancellation, group) = (cancellation, group)
        group.enter()
        WorkThread.start(name: name, stackByteCount: 2 << 20) {
            do { outcome.set(try owned.withLock { try $0?.run() }) } catch { cancellation.cancel(because: error) }
            // What the stage owns is gone when the group is told.
            owned.withLock { $0 = nil }
            group.leave()
        }
        return outcome
    }

    package func wait() { group.wait() }
}
