internal import Synchronization

/// How far the properties of one media object have come, and the values that are loaded.
package final class PropertyStore: Sendable {
    enum State: Sendable {
        case loading
        case loaded(any Sendable)
        case failed(any Error)
        case cancelled
    }

    private let states = Mutex<[String: State]>([:])

    package init() {}

    func state(of name: String) -> State? { states.withLock { $0[name] } }

    func begin(_ name: String) {
        states.withLock { states in
            switch states[name] {
            case .none, .cancelled: states[name] = .loading
            default: break
            }
        }
    }

    func finish(_ name: String, with outcome: Result<any Sendable, any Error>) {
        states.withLock { states in
            switch outcome {
            case .success(let value): states[name] = .loaded(value)
            case .failure(let error):
                if case .loaded = states[name] { return }
                states[name] = error is CancellationError ? .cancelled : .failed(error)
            }
        }
    }

    /// Forgets all values, because what they come from has changed.
    package func forget() { states.withLock { $0 = [:] } }
}

/// A value that was loaded.
///
/// `@unchecked Sendable`: properties give immutable values only; some of those,
/// such as `NSString`, are not marked so.
struct LoadedValue<Value>: @unchecked Sendable { let value: Value }
