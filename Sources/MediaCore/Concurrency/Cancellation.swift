internal import Synchronization

/// Whether work that several threads share goes on, and what to call when it
/// does not.
///
/// The first reason stops everything, and is the one that is reported: what
/// fails afterwards fails because of it.
package final class Cancellation: Sendable {
    private struct Handler {
        let owner: ObjectIdentifier?
        let body: @Sendable () -> Void
    }

    private struct State {
        var reason: (any Error)?
        var handlers: [Handler] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Why the work stops; `nil` as long as it goes on.
    package var reason: (any Error)? { state.withLock { $0.reason } }

    /// Whether the work stops.
    package var isCancelled: Bool { reason != nil }

    /// Throws the reason if the work stops.
    package func check() throws { if let reason { throw reason } }

    /// Stops the work as soon as it can be; a later reason is of no interest.
    package func cancel(because reason: any Error = CancellationError()) {
        // An echo of what happened elsewhere is no reason.
        if reason is WorkStopped { return }
        // Handlers go after the lock: with them go objects that may do anything.
        let handlers = state.withLock { state -> [Handler] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            for handler in state.handlers { handler.body() }
            defer { state.handlers = [] }
            return state.handlers
        }
        withExtendedLifetime(handlers) {}
    }

    /// Calls a handler once when the work stops, now if it stops already.
    ///
    /// - Parameters:
    ///   - owner: What ``forget(_:)`` names; the handler has to keep it.
    ///   - handler: Short, and does nothing with this cancellation: it is called
    ///     while others wait for it.
    package func onCancel(of owner: AnyObject? = nil, _ handler: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.reason == nil {
                state.handlers.append(Handler(owner: owner.map(ObjectIdentifier.init), body: handler))
            } else {
                handler()
            }
        }
    }

    /// Calls no handler of this owner any more, not even one that is late: what
    /// it stops may go to somebody else afterwards.
    package func forget(_ owner: AnyObject) {
        let gone = state.withLock { state -> [Handler] in
            let gone = state.handlers.filter { $0.owner == ObjectIdentifier(owner) }
            state.handlers.removeAll { $0.owner == ObjectIdentifier(owner) }
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    /// Calls no handler any more: all work has ended.
    package func forgetAll() {
        let gone = state.withLock { state -> [Handler] in
            defer { state.handlers = [] }
            return state.handlers
        }
        withExtendedLifetime(gone) {}
    }
}

extension Cancellation {
    /// A channel that stops with everything else.
    package func channel<Element>(capacity: Int, byteCapacity: Int) -> BoundedChannel<Element> {
        let channel = BoundedChannel<Element>(capacity: capacity, byteCapacity: byteCapacity)
        onCancel { channel.stop() }
        return channel
    }
}

/// Work was given up because of what happened elsewhere.
package struct WorkStopped: Error {
    package init() {}
}
