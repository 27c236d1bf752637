internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// Where changed metadata goes, and what is said of it.
struct EditOptions: ParsableArguments {
    @Flag(help: "Say what would be done, and change nothing.")
    var dryRun = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write a changed copy to this file, or into this folder, instead of changing the file itself.",
            valueName: "file"))
    var output: String?

    @Flag(help: "Replace an existing file of that name.")
    var force = false

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    func validate(fileCount: Int) throws {
        guard output == nil || fileCount == 1 else { throw ValidationError("-o goes with one file.") }
        guard !json || !OutputPlace.isStandardOutput(output ?? "") || dryRun else {
            throw ValidationError("-o - and --json both need standard output.")
        }
        guard !force || output != nil else { throw ValidationError("--force goes with -o.") }
    }

    /// Changes files one after the other; one that fails does not stop the others.
    ///
    /// - Parameter others: What else is read for that.
    /// - Parameter refusesLosses: Whether what a format cannot hold is a failure: for what was asked for by name.
    func edit(
        _ files: [String], reading others: [String?] = [], refusesLosses: Bool = false,
        _ change: (inout MetadataFile, String) async throws -> Void
    ) async throws {
        try await editTelling(files, reading: others, refusesLosses: refusesLosses) { tagged, file in
            try await change(&tagged, file)
            return nil
        }
    }

    /// The same, where the change gives what goes of private details, `nil` if that was not asked for.
    func editTelling(
        _ files: [String], reading others: [String?] = [], refusesLosses: Bool = false,
        _ change: (inout MetadataFile, String) async throws -> [PrivateDetail]?
    ) async throws {
        var failures = FailureLog()
        let run = RunFiles(of: files, others)
        for file in files where !Interruption.isRequested {
            do {
                let place = try place(for: file, in: run)
                var tagged = try MetadataFile(url: URL(fileURLWithPath: file))
                let removed = try await change(&tagged, file)
                for problem in tagged.problems { Console.error("avtool: \(file.oneLine): \(problem.oneLine)") }
                let outcome = try dryRun ? tagged.plan() : tagged.save(to: place, refusesLosses: refusesLosses)
                try report(outcome, file: file, place, removed)
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }

    /// Where a changed copy goes; `nil` if the file itself is changed.
    private func place(for file: String, in run: RunFiles) throws -> OutputPlace? {
        guard let output else { return nil }
        let ending = (file as NSString).pathExtension
        let pattern = try OutputPattern(output, default: ending.isEmpty ? "{name}" : "{name}.{ext}", count: 1)
        let path = pattern.isStandardOutput ? "-" : pattern.path(source: file, fileExtension: ending)
        return try run.output(path, replaces: force, makesFolder: pattern.makesFolder && !dryRun)
    }

    private func report(
        _ outcome: MetadataFile.Outcome, file: String, _ place: OutputPlace?, _ removed: [PrivateDetail]?
    ) throws {
        for loss in outcome.losses {
            Console.error("avtool: \(file.oneLine): \(loss.line)")
        }
        let target = place?.path ?? file
        if json {
            try JSONLine.print(
                JSONEdit(
                    source: file, file: target, method: outcome.method.rawValue, size: outcome.byteCount,
                    dryRun: dryRun, losses: outcome.losses.map { JSONEdit.Loss($0) },
                    removed: removed?.map(JSONPrivateDetail.init)))
            return
        }
        guard place?.isStandardOutput != true || dryRun else { return }
        let would = dryRun ? "would be " : ""
        let line =
            switch outcome.method {
            case _ where output != nil: "\(would)written, \(outcome.byteCount) bytes"
            case .unchanged: "nothing to change"
            case .inPlace: "\(would)changed in place"
            case .copy: "\(would)replaced by a changed copy, \(outcome.byteCount) bytes"
            }
        try Console.print("\(target.oneLine): \(line)")
        for detail in removed ?? [] {
            try Console.print("  \(dryRun ? "would be removed" : "removed"): \(detail.line)")
        }
    }
}

/// A change of a file's metadata as JSON has it.
struct JSONEdit: Encodable {
    struct Loss: Encodable {
        let item: String
        let effect: String
        let reason: String

        init(_ loss: MetadataLoss) {
            (item, effect, reason) = (loss.item, loss.isChange ? "changed" : "lost", loss.reason)
        }
    }

    let source: String
    let file: String
    let method: String
    let size: UInt64
    let dryRun: Bool
    let losses: [Loss]
    let removed: [JSONPrivateDetail]?
}
