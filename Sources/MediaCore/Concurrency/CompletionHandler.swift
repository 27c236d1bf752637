/// Functions that call back with what functions that are awaited give.
package enum CompletionHandler {
    /// Finds a value, then calls the handler once, from any thread: with the value, or with `nil` and the error.
    package static func call<Value: Sendable>(
        _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        find: @escaping @Sendable () async throws -> Value
    ) {
        Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await find())
            } catch {
                outcome = .failure(error)
            }
            switch outcome {
            case .success(let value): handler(value, nil)
            case .failure(let error): handler(nil, error)
            }
        }
    }
}
