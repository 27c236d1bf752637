internal import AVToolCommands

/// What went wrong with a file beside the one that the work is named after.
struct FailureOfFile: Error {
    let file: String
    let failure: Failure

    /// Does something with a file, whose name its errors have.
    static func naming<Result>(_ file: String, _ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch {
            throw FailureOfFile(file: file, failure: Failure(error))
        }
    }
}
