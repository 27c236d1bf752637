internal import Foundation

/// State behind a lock, on whose changes threads can wait.
///
/// What ``Mutex`` cannot do: wait until what it guards has changed.
///
/// `@unchecked Sendable`: the state is used under the condition's lock only.
package final class WaitingLock<State>: @unchecked Sendable {
    private let condition = NSCondition()
    private var state: State

    package init(_ state: State) { self.state = state }

    /// Looks at the state.
    package func look<Answer>(_ body: (State) -> Answer) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        return body(state)
    }

    /// Changes the state and wakes everyone who waits for a change.
    package func change<Answer>(_ body: (inout State) -> Answer) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.broadcast() }
        return body(&state)
    }

    /// Asks `body` again after each change until it has an answer.
    ///
    /// - Parameter body: Changes nothing as long as it answers `nil`.
    package func wait<Answer, Failure: Error>(
        for body: (inout State) throws(Failure) -> Answer?
    ) throws(Failure) -> Answer {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let answer = try body(&state) {
                condition.broadcast()
                return answer
            }
            condition.wait()
        }
    }
}
