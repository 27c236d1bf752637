package import MediaFile

/// What a worker is told of the process that started it, and of itself.
package struct WorkSurroundings: Sendable {
    /// The command line, without the program's name. What the system tells of it is out of the worker's sight.
    package var arguments: [String] = []
    /// Whether anything is open for standard input, and whether that is a terminal.
    package var hasStandardInput = true
    package var standardInputIsTerminal = false
    package var isolation = Isolation()
    /// A folder that encoders may write to, for exports of two passes.
    package var scratch: String?
    package var allowsNetwork = false

    package init() {}
}

/// What the worker says of the command line, which only it understands.
package struct WorkPlan: Sendable {
    /// The files that the same is done with, one after the other; empty for a command that is not like that.
    package var files: [String] = []
    /// What is read beside them.
    package var otherInputs: [String] = []
    /// Whether one copy of the worker has to do it all.
    package var isOneJob = false
    /// What each file's work may do, or that of the whole command.
    package var grants: [FileGrants] = []
    /// What the kernel keeps from the worker in the end.
    package var isolation = Isolation()

    package init() {}
}

/// What a worker is asked to do.
package enum WorkOrder: Sendable {
    case start(WorkSurroundings)
    /// Work on some of the files, or all there is; a channel goes along.
    case work(Job)
    /// Wait for a copy that has ended.
    case collect(process: Int32)

    package struct Job: Sendable {
        /// Which files, by their index in the plan.
        package var files: Range<Int>
        /// Why the first of them cannot be worked on, which is only to be told.
        package var failure: WorkFailure?

        package init(files: Range<Int>, failure: WorkFailure? = nil) { (self.files, self.failure) = (files, failure) }
    }
}

/// Why a copy of a worker could not do its work.
package enum WorkFailure: String, Sendable {
    /// It was ended by a fault.
    case crashed
    /// It was ended by the system, for want of memory.
    case outOfMemory
    /// It did nothing for too long, and was ended.
    case stuck
    /// It ended without a word.
    case vanished
}

/// What the worker answers.
package enum WorkReply: Sendable {
    case plan(WorkPlan)
    case began(process: Int32)
    /// The status as `waitpid` has it.
    case ended(status: Int32)
    case failed(String)
}

/// What a copy of the worker says while it works.
package enum WorkNews: Sendable {
    /// It wants an answer; bytes go along.
    case call(FileCall)
    /// Bytes for standard output go along.
    case output
    /// Lines for standard error.
    case diagnostics(String)
    case progress(file: String, fraction: Double, details: String)
    /// It begins with one of its files.
    case begins(Int)
    case done(WorkEnd)
}

/// How the work of a copy ended.
package struct WorkEnd: Sendable {
    /// The exit code that the first failure leads to; 0 if there was none.
    package var code: Int32
    /// Whether it was said that the work was interrupted.
    package var tellsOfInterruption: Bool
    /// How many files were worked on without a failure of their own.
    package var fileCount: Int
    /// Whether what failed would fail with every other file too, and has been said of all.
    package var endsAll: Bool

    package init(code: Int32, tellsOfInterruption: Bool = false, fileCount: Int = 0, endsAll: Bool = false) {
        (self.code, self.tellsOfInterruption) = (code, tellsOfInterruption)
        (self.fileCount, self.endsAll) = (fileCount, endsAll)
    }
}
