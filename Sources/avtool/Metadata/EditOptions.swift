internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// Where changed metadata goes, and what is said of it.
struct EditOptions: ParsableArguments {
    @Flag(help: "Say what would be done, and change nothing.")
    var dryRun = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write a changed copy to this file instead of changing the file itself.", valueName: "file"))
    var output: String?

    @Flag(help: "Replace an existing file of that name.")
    var force = false

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    func validate(fileCount: Int) throws {
        guard output == nil || fileCount == 1 else { throw ValidationError("-o goes with one file.") }
        guard !force || output != nil else { throw ValidationError("--force goes with -o.") }
    }

    /// Changes files one after the other; one that fails does not stop the others.
    ///
    /// - Parameter refusesLosses: Whether what a format cannot hold is a failure: for what was asked for by name.
    func edit(
        _ files: [String], refusesLosses: Bool = false, _ change: (inout MetadataFile, String) async throws -> Void
    ) async throws {
        var failures = FailureLog()
        for file in files where !Interruption.isRequested {
            do {
                var tagged = try MetadataFile(url: URL(fileURLWithPath: file))
                try await change(&tagged, file)
                try report(try write(tagged, refusesLosses: refusesLosses), file: file)
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }

    private func write(_ tagged: MetadataFile, refusesLosses: Bool) throws -> MetadataFile.Outcome {
        if dryRun {
            if let output, !force, FileManager.default.fileExists(atPath: output) {
                throw FileWriteError(kind: .exists, path: output, reason: "the file exists already")
            }
            return try tagged.plan()
        }
        return try tagged.save(
            to: output.map { URL(fileURLWithPath: $0) }, replaces: force, refusesLosses: refusesLosses)
    }

    private func report(_ outcome: MetadataFile.Outcome, file: String) throws {
        for loss in outcome.losses {
            Console.error("avtool: \(file.oneLine): \(loss.item.oneLine) is lost: \(loss.reason.oneLine)")
        }
        let target = output ?? file
        if json {
            try JSONLine.print(
                JSONEdit(
                    source: file, file: target, method: outcome.method.rawValue, size: outcome.byteCount,
                    dryRun: dryRun, losses: outcome.losses.map { JSONEdit.Loss(item: $0.item, reason: $0.reason) }))
            return
        }
        let would = dryRun ? "would be " : ""
        let line =
            switch outcome.method {
            case _ where output != nil: "\(would)written, \(outcome.byteCount) bytes"
            case .unchanged: "nothing to change"
            case .inPlace: "\(would)changed in place"
            case .copy: "\(would)replaced by a changed copy, \(outcome.byteCount) bytes"
            }
        try Console.print("\(target.oneLine): \(line)")
    }
}

/// A change of a file's metadata as JSON has it.
struct JSONEdit: Encodable {
    struct Loss: Encodable {
        let item: String
        let reason: String
    }

    let source: String
    let file: String
    let method: String
    let size: UInt64
    let dryRun: Bool
    let losses: [Loss]
}
