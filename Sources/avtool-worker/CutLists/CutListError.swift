internal import MediaCore

/// Why a cut list cannot be read or followed.
package struct CutListError: BridgedError, Hashable, CustomStringConvertible {
    /// Where in the file, counted from 1; `nil` if it is about all of it.
    package let line: Int?
    /// The cause, in one line that is safe to print.
    package let reason: String

    package init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    /// The cause, after the line that it is about.
    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
