package import ArgumentParser
package import MediaIO

/// A command that makes files.
package protocol Writing {
    /// What names results can have.
    static var outputHelp: ArgumentHelp { get }
    static var forceHelp: ArgumentHelp { get }
    /// What is said of `--resume`; hidden by commands with a single result, which refuse it.
    static var resumeHelp: ArgumentHelp { get }
}

extension Writing {
    package static var forceHelp: ArgumentHelp { "Replace existing files." }
    package static var resumeHelp: ArgumentHelp {
        """
        Leave alone what an earlier run has made of the same file in the same way, and make the rest; replaces nothing \
        else.
        """
    }
}

/// Where a command's results go.
package struct OutputOptions<Command: Writing>: ParsableArguments {
    @Option(name: [.customShort("o"), .long], help: Command.outputHelp)
    package var output: String?

    @Flag(help: Command.forceHelp)
    package var force = false

    @Flag(help: Command.resumeHelp)
    package var resume = false

    package var isStandardOutput: Bool { output.map { OutputPlace.isStandardOutput($0) } ?? false }

    /// Says what speaks against standard output, if the result is to go there.
    func validate(fileCount: Int, json: Bool) throws {
        guard isStandardOutput else { return }
        guard fileCount <= 1 else { throw ValidationError("-o - takes a single file.") }
        guard !json else { throw ValidationError("-o - and --json both need standard output.") }
    }

    package init() {}
}

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
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            """
            Leave out all files but those of one share of N, counted from 0: the hash of a name tells whose it is. auto/N \
            takes the number from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX.
            """, valueName: "i/n"))
    package var shard: Shard?

    @Flag(help: "Print a JSON object at the end that tells how many files were done and how many failed.")
    package var summary = false

    static let jobRange = 1...1024

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
    func objection(to files: [String]) -> String? {
        filesFrom == nil && files.isEmpty ? "No file was given." : nil
    }

    package init() {}
}

/// A command that can say what it would do.
package protocol Rehearsing {
    static var dryRunHelp: ArgumentHelp { get }
}

/// Whether a command only says what it would do.
package struct DryRunOptions<Command: Rehearsing>: ParsableArguments {
    @Flag(help: Command.dryRunHelp)
    package var dryRun = false

    package init() {}
}

/// A command that says what it prints as JSON.
package protocol Reporting {
    static var jsonHelp: ArgumentHelp { get }
}

extension Reporting {
    package static var jsonHelp: ArgumentHelp { "Print JSON Lines, one object for each file." }
}

/// How a command tells its results.
package struct ReportOptions<Command: Reporting>: ParsableArguments {
    @Flag(help: Command.jsonHelp)
    package var json = false

    package init() {}
}

/// A command whose work on one film can be shared among several processes, that leave pieces for one that joins them.
package protocol PieceMaking {
    var sharing: PieceOptions { get }
}

/// Which share of the work on a film is to be done.
package struct PieceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Do one share of N of the work on a film, counted from 0, and leave what came of it in --pieces; all/N makes the \
            result of what is there. The result is the same as without.
            """, valueName: "k/n"))
    package var piece: WorkPiece?

    @Option(help: ArgumentHelp("The folder for pieces, which is made where there is none.", valueName: "folder"))
    package var pieces: String?

    /// Where the piece goes that is to be made; `nil` if none is.
    package var made: String? { piece.flatMap { piece in piece.index.map { name(of: $0, piece.count) } } }

    /// Where the pieces lie that are to be joined; `nil` if none are.
    package var joined: [String]? {
        guard let piece, piece.index == nil else { return nil }
        return (0..<piece.count).map { name(of: $0, piece.count) }
    }

    private func name(of index: Int, _ count: Int) -> String { "\(pieces ?? ".")/\(index)-of-\(count).avpiece" }

    /// Lets a piece be made, or all of them be read.
    func add(to grants: inout FileGrants) {
        if let made { grants.results = [ResultRule(literals: [made])] }
        for piece in joined ?? [] { grants.add(input: piece) }
    }

    package func validate() throws {
        guard (piece == nil) == (pieces == nil) else { throw ValidationError("--piece goes with --pieces.") }
    }

    /// Says what does not go together with one film in pieces.
    func validate(fileCount: Int, toStandardOutput: Bool) throws {
        guard piece != nil else { return }
        guard fileCount <= 1 else { throw ValidationError("--piece takes a single file.") }
        guard piece?.index == nil || !toStandardOutput else {
            throw ValidationError("--piece leaves its share in --pieces, not on standard output.")
        }
    }

    package init() {}
}

extension Failure {
    /// Why a file could not be written.
    package init(_ error: FileWriteError) {
        let name: FailureName =
            switch error.kind {
            case .exists: .outputExists
            case .isInput: .outputIsInput
            case .isTaken: .nameTaken
            case .isTerminal: .outputIsTerminal
            case .outputClosed: .outputClosed
            case .cannotCreate: .cannotCreate
            case .diskFull: .diskFull
            case .writeFailed: .writeFailed
            case .tooLarge: .limitReached
            case .cancelled: .cancelled
            case .busy: .fileBusy
            }
        let hint =
            switch error.kind {
            case .exists: "; --force replaces it"
            case .tooLarge: Self.hint(.outputSize)
            default: ""
            }
        self.init(name, name == .cancelled ? "interrupted" : "\(error.path): \(error.reason)\(hint)")
    }

    /// The option that raises a limit.
    package static func hint(_ limit: MediaLimits.Name) -> String {
        "; --limit \(limit.rawValue)=\(limit.unit.placeholder) raises it"
    }
}
