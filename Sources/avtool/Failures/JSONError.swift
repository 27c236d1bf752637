/// A failure as JSON has it.
struct JSONError: Encodable {
    let code: String
    let message: String

    init(_ failure: Failure) {
        code = failure.name
        message = failure.message
    }
}

/// A file that could not be read at all.
struct JSONFailedSource: Encodable {
    let source: String
    let error: JSONError
}
