/// Whether it is of any use to try again what failed, for those who schedule work; `--json` prints it as `error.retry`.
package enum Retry: String, Codable, CaseIterable, Sendable {
    /// It fails again, whenever and wherever that is.
    case never
    /// It may work at another time.
    case later
    /// It may work where there is more memory.
    case elsewhere

    /// What an exit code tells; of 75 it cannot tell which.
    package init(exitCode: Failure.Code) {
        switch exitCode {
        case .absent, .usage, .badInput, .noInput, .software, .cannotCreate: self = .never
        case .inputOutput, .limit, .interrupted: self = .later
        }
    }
}

extension FailureName {
    /// Whether it is of any use to try again.
    package var retry: Retry {
        switch self {
        case .outOfMemory: .elsewhere
        // A limit that the file reaches today it reaches tomorrow.
        case .limit, .limitReached, .maximumDurationReached, .maximumFileSizeReached: .never
        default: Retry(exitCode: exitCode)
        }
    }
}
