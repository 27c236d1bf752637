internal import AVToolCommands
internal import Foundation
internal import MediaIO

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
