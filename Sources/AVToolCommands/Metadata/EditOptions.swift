package import ArgumentParser
internal import Foundation
package import MediaIO

/// Where changed metadata goes, and what is said of it.
package struct EditOptions: ParsableArguments, Reporting, Writing, Rehearsing {
    @OptionGroup package var rehearsal: DryRunOptions<Self>
    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>

    package static let dryRunHelp: ArgumentHelp = "Say what would be done, and change nothing."
    package static let outputHelp = ArgumentHelp(
        "Write a changed copy to this file, into this folder, or to standard output (-), instead of changing the file itself; standard input needs it.",
        valueName: "file")
    package static let forceHelp: ArgumentHelp = "Replace an existing file of that name."

    package var dryRun: Bool { rehearsal.dryRun }
    package var output: String? { destination.output }
    package var json: Bool { report.json }

    /// Lets a file be changed, or a changed copy be made.
    package func addGrants(to grants: inout FileGrants, for file: String) {
        guard let output else {
            if !dryRun { grants.add(changeable: file) }
            return
        }
        let hasExtension = !(file as NSString).pathExtension.isEmpty
        grants.add(results: output, usual: hasExtension ? "{name}.{ext}" : "{name}", of: file)
    }

    /// - Parameters:
    ///   - files: What is changed.
    ///   - others: What else is read.
    package func validate(files: [String], with others: [String?] = []) throws {
        guard output == nil || files.count <= 1 else { throw ValidationError("-o goes with one file.") }
        let objection = SourceFile.objection(to: files, with: others)
        if let objection = objection ?? (output == nil ? SourceFile.objection(toChanging: files) : nil) {
            throw ValidationError(objection)
        }
        guard !json || !destination.isStandardOutput || dryRun else {
            throw ValidationError("-o - and --json both need standard output.")
        }
        guard !destination.force || output != nil else { throw ValidationError("--force goes with -o.") }
        guard !destination.resume || output != nil else { throw ValidationError("--resume goes with -o.") }
    }

    package init() {}
}
