internal import AVToolCommands
internal import Foundation
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// One run of a command on all its files, of which there may be more than a command line holds.
struct CommandRun {
    /// How many files of a list are worked on by one worker, which has to know them all.
    private static let batchCount = 4096

    private let options: CommandLineOptions
    private let request: CommandRequest
    private let signals: SignalWatch

    init(_ options: CommandLineOptions, _ request: CommandRequest, _ signals: SignalWatch) {
        (self.options, self.request, self.signals) = (options, request, signals)
    }

    /// Does the work, and tells at the end what became of it.
    ///
    /// - Returns: The exit code.
    func run(_ begun: BegunWorker?) throws -> Int32 {
        guard case .perFile(let command as any SeveralFilesCommand) = request else {
            return try run(WorkBatch(options.arguments, request.plan()), begun: begun).code
        }
        let start = DispatchTime.now().uptimeNanoseconds
        let tally = try run(command, begun)
        let isFromElsewhere = command.several.filesFrom != nil || command.several.shard != nil
        // What was asked for makes no sense, so that nothing was done.
        guard tally.code != 64 else { return tally.code }
        if options.isVerbose {
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            Console.error(
                "avtool: \(tally.files == 1 ? "1 file" : "\(tally.files) files") in \(String(format: "%.2f", seconds)) s"
            )
        }
        if tally.files > 1 && tally.code != 0 || isFromElsewhere { Console.error(tally.line) }
        if command.several.summary {
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            Console.write(Array((try JSONLine.text(tally.json(seconds: seconds)) + "\n").utf8))
        }
        return tally.code
    }

    private func run(_ command: any SeveralFilesCommand, _ begun: BegunWorker?) throws -> RunTally {
        guard let list = command.several.filesFrom else {
            return try run(
                batches: [(options.arguments, request)], of: command.files, named: command.named.count, begun)
        }
        guard command.named.isEmpty else {
            throw Failure(.usage, "Give the files by --files-from or as arguments, not both; --help says more")
        }
        let named = try FileList.names(in: list, endedBy: command.several.endsWithNull ? 0 : UInt8(ascii: "\n"))
        let files = command.several.selected(named)
        let arguments = options.arguments + (options.arguments.contains("--") ? [] : ["--"])
        let batches = stride(from: 0, to: files.count, by: Self.batchCount).lazy.map { start in
            let all = arguments + files[start..<min(files.count, start + Self.batchCount)]
            return (all, CommandRequest(all))
        }
        return try run(batches: batches, of: files, named: named.count, list: list, begun)
    }

    /// - Parameters:
    ///   - named: How many files there are in all shares.
    ///   - list: Where their names come from, which no result replaces.
    private func run(
        batches: some Sequence<([String], CommandRequest)>, of files: [String], named: Int, list: String? = nil,
        _ begun: BegunWorker?
    ) throws -> RunTally {
        var (tally, begun, firstFile) = (RunTally(), begun, 0)
        var run: RunFiles?
        let made = MadeResults()
        tally.files = files.count
        if files.isEmpty { begun?.end() }
        for (arguments, request) in batches where !files.isEmpty {
            if case .said(let text, _, let code) = request {
                begun?.end()
                Console.error(String(text.dropLast()))
                tally.code = code
                break
            }
            var batch = WorkBatch(arguments, request.plan())
            (batch.firstFile, batch.fileCount) = (firstFile, named)
            batch.run = run ?? batch.plan.runFiles(reading: files + (list.map { [$0] } ?? []))
            batch.made = made
            run = batch.run
            tally.add(try self.run(batch, begun: begun))
            begun = nil
            firstFile += batch.plan.files.count
            guard firstFile < files.count else { break }
            if signals.isRequested, tally.code != 130 {
                Console.error("avtool: interrupted")
                tally.code = 130
            }
            if tally.isOver || tally.code == 130 { break }
        }
        run?.removeEmptyFolders()
        return tally
    }

    private func run(_ batch: WorkBatch, begun: BegunWorker?) throws -> RunTally {
        try WorkRun(options, batch, signals, begun: begun).run()
    }
}

/// What one worker has to do.
struct WorkBatch {
    /// The command line.
    let arguments: [String]
    let plan: WorkPlan
    /// Which of the command's files its first one is, from 0, and how many there are.
    var firstFile = 0
    var fileCount = 0
    /// The files of the whole run; `nil` for those of the plan.
    var run: RunFiles?
    /// What is known of results that are there.
    var made = MadeResults()
    /// The versions of media libraries that are to do it; `nil` for any.
    var libraries: [String]?
    /// Whether of films whose results are there it is told only that they are; else all that there is to tell.
    var passesOverKept = true
    /// Who gets what is said of the work.
    var listener = RunListener.console

    init(_ arguments: [String], _ plan: WorkPlan) { (self.arguments, self.plan) = (arguments, plan) }
}

extension WorkPlan {
    /// The files of a run that reads some, and those that are read beside them.
    func runFiles(reading files: [String]) -> RunFiles {
        RunFiles(
            reading: (files + otherInputs).map { $0 == SourceFile.standardInput ? "/dev/stdin" : $0 },
            playsPlaylists: grants.contains { !$0.nestedFolders.isEmpty })
    }
}

/// The names of files that a list holds.
enum FileList {
    /// Reads a list.
    ///
    /// Whatever stands in it names a file: what would be taken for standard input, an option or a value has `./` before it.
    ///
    /// - Parameters:
    ///   - list: Its name; `-` is standard input.
    ///   - end: What ends each name. Names of nothing are passed over.
    /// - Throws: A failure if it cannot be read.
    static func names(in list: String, endedBy end: UInt8) throws(Failure) -> [String] {
        let data: Data
        do {
            let handle =
                list == SourceFile.standardInput
                ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: list))
            data = try handle.readToEnd() ?? Data()
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            throw Failure(.noSuchInput, "\(list): no such file")
        } catch {
            throw Failure(.unreadableInput, "\(list): the list cannot be read")
        }
        return data.split(separator: end).map { bytes in
            let name = String(pathBytes: Array(bytes))
            let isMistakable = name.hasPrefix("-") || name.contains("=") && !name.hasPrefix("/") && !name.hasPrefix(".")
            return isMistakable ? "./" + name : name
        }
    }
}

/// Which files are worked on by one copy of the worker.
///
/// Each has its own, so that no file's fault or malice reaches another; small ones are taken together, because making
/// a copy costs as much as reading some of them.
struct WorkGroups {
    /// Bytes of a film that is small: what is read of it takes no longer than to make some copies.
    private static let maximumByteCount = Int64(4 << 20)
    /// How many small ones go together: fewer are over sooner than another copy is made, and of more, one that crashes
    /// would take too many with it.
    private static let counts = 2...128
    /// Bytes of memory that each of several copies should have: to read, to encode, and where nobody asked for fewer
    /// copies than that.
    private static let usualMemory = (reading: Int64(1 << 30), encoding: Int64(4 << 30), least: Int64(256 << 20))

    /// How many copies are busy at a time.
    ///
    /// As many as there are cores, which they share; of small films twice as many, because a copy waits now and then for
    /// a file to be opened. Encoders keep all cores busy by themselves, but for what comes before and after them. What is
    /// said of files comes in their order all the same.
    let atATime: Int

    private(set) var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - memory: Bytes that all copies may have together; 0 if that is not known.
    ///   - kept: Files that need no work, which stand alone.
    init(of plan: WorkPlan, memory: Int64, without kept: Set<Int> = []) {
        let files = plan.files
        let small = files.map(Self.isSmall)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let most = plan.jobs ?? (plan.mayTakePasses ? 2 : small.contains(false) ? cores : 2 * cores)
        let usual = plan.mayTakePasses ? Self.usualMemory.encoding : Self.usualMemory.reading
        let wanted = plan.memory ?? (plan.jobs == nil ? usual : Self.usualMemory.least)
        let fitting = memory > 0 ? Int(min(Int64(most), memory / max(1, wanted))) : min(most, 2)
        atATime = max(1, fitting)
        let share = (files.count - kept.count + atATime - 1) / atATime
        let maximumCount = min(max(share, Self.counts.lowerBound), Self.counts.upperBound)
        var start = 0
        for (index, isSmall) in small.enumerated() {
            let isAlone = !isSmall || kept.contains(index)
            if isAlone, start < index {
                ranges.append(start..<index)
                start = index
            }
            if isAlone || index + 1 - start == maximumCount {
                ranges.append(start..<(index + 1))
                start = index + 1
            }
        }
        if start < files.count { ranges.append(start..<files.count) }
    }

    private static func isSmall(_ file: String) -> Bool {
        var status = stat()
        guard stat(file, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) <= maximumByteCount
    }
}
