package import MediaIO

/// What a command does, as far as files and connections go.
package struct WorkPlan: Sendable {
    /// The files that the same is done with, one after the other; empty for a command that is not like that.
    package var files: [String] = []
    /// What is read beside them.
    package var otherInputs: [String] = []
    /// Whether one copy of the worker has to do it all.
    package var isOneJob = false
    /// What each file's work may do, or that of the whole command.
    package var grants: [FileGrants] = []
    /// For how many thousandths of a second a file's work may get no further; `nil` for as long as it likes.
    package var stallTime: Int64?
    /// Bytes of memory that each copy may take; `nil` for a share of what there is.
    package var memory: Int64?
    /// How many files are worked on at a time; `nil` for as many as is of use.
    package var jobs: Int?
    /// Bytes of the largest file that the work may make, what it spools of a pipe included.
    package var largestFile = Self.largestFile(within: MediaLimits())
    /// Whether it may open connections.
    package var allowsNetwork = false
    /// Texts that are the same whenever results are to be; `nil` if results cannot be told by them.
    package var settings: [String]?
    /// Whether results that an earlier run has made are left alone.
    package var resumes = false
    /// Whether results go to standard output one after the other, of any length.
    package var streams = false
    /// Whether what is said is JSON.
    package var json = false
    /// Whether encoders may have something to write down between two passes.
    package var mayTakePasses = false
    /// Whether nobody else may see what it makes.
    package var isPrivate = false

    package init() {}

    /// What encoders note between two passes is no result, and has room besides.
    static func largestFile(within limits: MediaLimits) -> Int64 { max(limits.outputSize, limits.pipeSize, 1 << 30) }
}
