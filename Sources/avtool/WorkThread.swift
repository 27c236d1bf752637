internal import Foundation

/// A thread that can be waited for.
final class WorkThread: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Void) {
        let done = done
        Thread.detachNewThread {
            work()
            done.signal()
        }
    }

    func join() { done.wait() }
}
