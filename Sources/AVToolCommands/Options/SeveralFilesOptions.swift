package import ArgumentParser

/// A command that takes many files as well as one.
package protocol SeveralFilesCommand: FileCommand {
    var several: SeveralFilesOptions { get }
    /// The files that the command line names, of whichever share.
    var named: [String] { get }
    /// Whether results that an earlier run has made are left alone.
    var resumes: Bool { get }
}

extension SeveralFilesCommand {
    package var resumes: Bool { false }
}

/// Where the names of many files come from, and how many are worked on at a time.
package struct SeveralFilesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the files from this list instead, a name on each line; - is standard input.", valueName: "list"))
    package var filesFrom: String?

    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "Names in the list end with a NUL byte, as 'find -print0' has them.")
    package var endsWithNull = false

    @Option(
        help: ArgumentHelp(
            """
            Work on so many files at a time; if not given, on as many as processors and memory allow. Results are the \
            same, and told in the files' order, whatever it is.
            """, valueName: "n"))
    package var jobs: Int?

    @Option(
        help: ArgumentHelp(
            """
            Leave out all files but those of one share of N, counted from 0: the hash of a name tells whose it is. auto/N \
            takes the number from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX.
            """, valueName: "i/n"))
    package var shard: Shard?

    @Flag(help: "Print a JSON object at the end that tells how many files were done and how many failed.")
    package var summary = false

    package static let jobRange = 1...1024

    package func validate() throws {
        if let jobs, !Self.jobRange.contains(jobs) {
            throw ValidationError("--jobs takes \(Self.jobRange.lowerBound) to \(Self.jobRange.upperBound).")
        }
        guard !endsWithNull || filesFrom != nil else { throw ValidationError("-0 goes with --files-from.") }
    }

    /// Those of some files that are to be worked on.
    package func selected(_ files: [String]) -> [String] { shard.map { files.filter($0.contains) } ?? files }

    /// Why a command has no file to work on, `nil` if it has.
    ///
    /// - Parameter files: All that the command line names, of whichever share.
    package func objection(to files: [String]) -> String? {
        filesFrom == nil && files.isEmpty ? "No file was given." : nil
    }

    package init() {}
}
