internal import AVToolCommands

/// A failure as JSON has it.
struct JSONError: Codable {
    let code: FailureName
    let message: String
    let retry: Retry

    init(_ failure: Failure) {
        code = failure.name
        message = failure.message
        retry = failure.name.retry
    }
}

/// A file that could not be read, or not to its end.
struct JSONFailedSource: Codable {
    let source: String
    let error: JSONError
}
