internal import MediaCore
internal import MediaMetadata

/// An error as the tool reports it: one line, and the exit code it leads to.
package struct Failure: Error, Codable {
    /// Exit codes by the convention of sysexits.h.
    package enum Code: Int32 {
        /// What was asked for is not there, of commands that answer a question.
        case absent = 1
        case usage = 64
        case badInput = 65
        case noInput = 66
        case software = 70
        case cannotCreate = 73
        case inputOutput = 74
        case limit = 75
        case interrupted = 130
    }

    /// The failure's name, for `--json`.
    package let name: FailureName
    package let message: String

    package var code: Code { name.exitCode }

    package init(_ name: FailureName, _ message: String) {
        self.name = name
        self.message = message.oneLine
    }

    /// What is wrong with a text that a person wrote.
    package init(ofText error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as MetadataNameError: self.init(.invalidName, error.reason)
        case let error as TimeExpressionError: self.init(.invalidTime, error.description)
        default: self.init(.internalError, String(describing: error))
        }
    }
}
