internal import MediaCore
internal import Synchronization

/// Makes values on a thread of its own, a few ahead of who takes them; stops when nobody holds it.
final class FeedRun<Value: Sendable>: Sendable {
    /// Makes the next value; `nil` after the last one.
    typealias Source = () throws -> Value?

    private let channel = BoundedChannel<Value>(capacity: 2)
    private let cancellation: Cancellation
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameter open: Prepares the work on the thread that does it, and is stopped by the cancellation.
    init(_ open: @escaping @Sendable (Cancellation) throws -> Source) {
        let cancellation = Cancellation()
        self.cancellation = cancellation
        let (channel, failed) = (
            channel,
            { @Sendable [weak self] (error: any Error) in
                self?.failure.withLock { $0 = error } ?? ()
            }
        )
        WorkThread.start(name: "feed") {
            do {
                let next = try open(cancellation)
                while let value = try next(), try channel.send(value) {}
            } catch {
                failed(error)
            }
            channel.finish()
        }
    }

    deinit { stop() }

    private func stop() {
        channel.close()
        cancellation.cancel()
    }

    func next() async throws -> Value? {
        let value = await withTaskCancellationHandler {
            await channel.next()
        } onCancel: {
            stop()
        }
        if let value { return value }
        try Task.checkCancellation()
        if let error = failure.withLock({ $0 }) { throw error }
        return nil
    }
}
