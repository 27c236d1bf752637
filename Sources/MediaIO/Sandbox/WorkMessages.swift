#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a worker is told of the process that started it, and of itself.
package struct WorkSurroundings: Sendable {
    /// The command line, without the program's name.
    ///
    /// What the system tells of it is out of the worker's sight.
    package var arguments: [String] = []
    /// Whether anything is open for standard input, and whether that is a terminal.
    package var hasStandardInput = true
    package var standardInputIsTerminal = false
    package var isolation = Isolation()
    package var allowsNetwork = false
    /// How many files the command has in all, and which of them is the first on this command line, from 0.
    package var fileCount = 0
    package var firstFile = 0
    /// For a program that uses the library, how it speaks: ``AssetOrder/version``; `nil` for a command.
    package var libraryVersion: Int?
    /// Bytes of memory that the machine, or what of it the command may have, has; 0 if that is not known.
    package var memory: Int64 = 0
    /// Whether the versions of its media libraries have to be told, which loads them.
    package var wantsLibraryVersions = false

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
        /// Which files, by their index on the command line.
        package var files: Range<Int>
        /// Why the first of them cannot be worked on, which is only to be told.
        package var failure: WorkFailure?
        /// How many copies are at work side by side, which share the memory.
        package var sharers = 1
        /// How many threads what can be divided is divided among.
        package var threads = 1
        /// Whether nothing else is to be done, so that the worker may do it without a copy.
        package var isAlone = false
        /// Whether what comes after a file whose failure may outlast it is left to another copy.
        package var mayStop = false
        /// Whether the first of the files goes along, open.
        package var hasInput = false

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
    /// It said more than there is to say of any file, and was ended.
    case excessive
    /// It ended without a word.
    case vanished
    /// It was ended by another program.
    case ended

    /// What libraries say that end the process for want of memory: Swift's, C++'s, GLib's and the loader's.
    private static let wordsOfMemory = [
        "failed to allocate", "bad_alloc", "allocate memory", "out of memory", "failed to map segment", "cannot map",
        "cannot apply additional memory protection",
    ]

    /// Why a process ended that did not say so itself.
    ///
    /// - Parameters:
    ///   - status: As `waitpid` has it.
    ///   - words: What it said at the end, which tells one end by its own hand from another.
    package init(status: Int32, words: String = "") {
        switch status & 0x7f {
        // It says so itself where it gets no thread.
        case 0: self = status >> 8 == 75 ? .outOfMemory : .vanished
        // Nobody here sends this one to a worker that speaks; the system does where memory is short.
        case SIGKILL: self = .outOfMemory
        case SIGTERM: self = .ended
        case _ where Self.wordsOfMemory.contains { words.lowercased().contains($0) }: self = .outOfMemory
        default: self = .crashed
        }
    }
}

/// What the worker answers.
package enum WorkReply: Sendable {
    /// It has understood the command line: what the kernel keeps from it in the end, what it cannot do, if anything, and the
    /// versions of the media libraries.
    case ready(Isolation, objection: String?, libraries: [String])
    /// The process that does it: a copy, or the worker itself, which takes no more orders then.
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
    /// Lines for standard error, of failures.
    case diagnostics(String)
    /// Lines for standard error, of what is no failure.
    case warnings(String)
    /// How far it has come, which is no sign that it gets further, however often that comes.
    case progress(file: String, fraction: Double, details: String)
    /// The work has got further, whatever there is to tell of it.
    case moves
    /// It begins with one of its files; how the work on those before it ended.
    case begins(Int, before: WorkEnd)
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
    /// How many files were worked on with one.
    package var failed: FailureCounts
    /// Whether what failed would fail with every other file too, and has been said of all.
    package var endsAll: Bool
    /// Whether it stopped after a file, so that another copy goes on with the rest.
    package var stops: Bool

    package init(
        code: Int32, tellsOfInterruption: Bool = false, fileCount: Int = 0, failed: FailureCounts = FailureCounts(),
        endsAll: Bool = false, stops: Bool = false
    ) {
        (self.code, self.tellsOfInterruption, self.failed) = (code, tellsOfInterruption, failed)
        (self.fileCount, self.endsAll, self.stops) = (fileCount, endsAll, stops)
    }

    /// How many files failed, by whether it is of any use to try them again.
    package struct FailureCounts: Equatable, Sendable {
        package var never = 0
        package var later = 0
        package var elsewhere = 0

        package var total: Int { never + later + elsewhere }

        package init() {}
    }
}

// What goes between a worker and who started it, as bytes.

extension WorkSurroundings: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(list: arguments) { $0.put($1) }
        message.put(hasStandardInput)
        message.put(standardInputIsTerminal)
        message.put(isolation.rawValue)
        message.put(allowsNetwork)
        message.put(fileCount)
        message.put(firstFile)
        message.put(libraryVersion)
        message.put(memory)
        message.put(wantsLibraryVersions)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        arguments = try message.list { message throws(MessageError) in try message.text() }
        (hasStandardInput, standardInputIsTerminal) = (try message.flag(), try message.flag())
        isolation = Isolation(rawValue: try message.integer())
        allowsNetwork = try message.flag()
        (fileCount, firstFile) = (try message.integer(), try message.integer())
        libraryVersion = try message.optionalInteger()
        memory = try message.integer()
        wantsLibraryVersions = try message.flag()
    }
}

extension WorkOrder: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .start(let surroundings):
            message.put(0)
            message.put(surroundings)
        case .work(let job):
            message.put(1)
            message.put(job.files.lowerBound)
            message.put(job.files.upperBound)
            message.put(job.failure) { $0.put($1.rawValue) }
            message.put(job.sharers)
            message.put(job.threads)
            message.put(job.isAlone)
            message.put(job.mayStop)
            message.put(job.hasInput)
        case .collect(let process):
            message.put(2)
            message.put(process)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .start(try message.value())
        case 1:
            let (start, end) = (try message.integer(Int.self), try message.integer(Int.self))
            guard start >= 0, start <= end else { throw MessageError() }
            let failure = try message.optional { message throws(MessageError) in try message.text() }
            var job = Job(files: start..<end, failure: failure.flatMap { WorkFailure(rawValue: $0) })
            (job.sharers, job.threads) = (try message.integer(), try message.integer())
            (job.isAlone, job.mayStop) = (try message.flag(), try message.flag())
            job.hasInput = try message.flag()
            self = .work(job)
        case 2: self = .collect(process: try message.integer())
        default: throw MessageError()
        }
    }
}

extension WorkReply: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .ready(let isolation, let objection, let libraries):
            message.put(0)
            message.put(isolation.rawValue)
            message.put(objection) { $0.put($1) }
            message.put(list: libraries) { $0.put($1) }
        case .began(let process):
            message.put(1)
            message.put(process)
        case .ended(let status):
            message.put(2)
            message.put(status)
        case .failed(let reason):
            message.put(3)
            message.put(reason)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0:
            let isolation = Isolation(rawValue: try message.integer())
            self = .ready(
                isolation, objection: try message.optional { message throws(MessageError) in try message.text() },
                libraries: try message.list { message throws(MessageError) in try message.text() })
        case 1: self = .began(process: try message.integer())
        case 2: self = .ended(status: try message.integer())
        case 3: self = .failed(try message.text())
        default: throw MessageError()
        }
    }
}

extension WorkEnd: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(code)
        message.put(tellsOfInterruption)
        message.put(fileCount)
        for count in [failed.never, failed.later, failed.elsewhere] { message.put(count) }
        message.put(endsAll)
        message.put(stops)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            code: try message.integer(), tellsOfInterruption: try message.flag(), fileCount: try message.integer())
        (failed.never, failed.later) = (try message.integer(), try message.integer())
        failed.elsewhere = try message.integer()
        (endsAll, stops) = (try message.flag(), try message.flag())
    }
}

extension WorkNews: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .call(let call):
            message.put(0)
            message.put(call)
        case .output: message.put(1)
        case .diagnostics(let lines):
            message.put(2)
            message.put(lines)
        case .progress(let file, let fraction, let details):
            message.put(3)
            message.put(file)
            message.put(fraction)
            message.put(details)
        case .begins(let index, let before):
            message.put(4)
            message.put(index)
            message.put(before)
        case .done(let end):
            message.put(5)
            message.put(end)
        case .moves: message.put(6)
        case .warnings(let lines):
            message.put(7)
            message.put(lines)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .call(try message.value())
        case 1: self = .output
        case 2: self = .diagnostics(try message.text())
        case 3:
            self = .progress(file: try message.text(), fraction: try message.number(), details: try message.text())
        case 4: self = .begins(try message.integer(), before: try message.value())
        case 5: self = .done(try message.value())
        case 6: self = .moves
        case 7: self = .warnings(try message.text())
        default: throw MessageError()
        }
    }
}
