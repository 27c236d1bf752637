package import ArgumentParser
internal import Foundation
package import MediaIO
package import MediaMetadata

/// A command that changes what files say of themselves.
package protocol EditCommand: SeveralFilesCommand, Bounded {
    var options: EditOptions { get }
}

extension EditCommand {
    package var json: Bool { options.json }
    package var resumes: Bool { options.destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) { options.addGrants(to: &grants, for: file) }
}

/// The files that a command changes.
package struct EditedFiles: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The media files; - is standard input, with -o.", valueName: "files"), completion: .file())
    package var named: [String] = []

    @OptionGroup package var several: SeveralFilesOptions

    /// Those of the named files that are to be worked on.
    package var files: [String] { several.selected(named) }

    package func validate() throws {
        if let objection = several.objection(to: named) { throw ValidationError(objection) }
    }

    package init() {}
}

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

/// An argument that is `NAME=VALUE` or a file.
///
/// It is no assignment without an `=`, nor if it names an existing file or cannot be a name.
package enum AssignmentOrFile: ExpressibleByArgument {
    case assignment(Written<MetadataAssignment>)
    case file(String)

    package init(argument: String) {
        let canBeName = argument.first.map { !["=", "/", "."].contains($0) } ?? false
        self =
            canBeName && argument.contains("=") && !FileManager.default.exists(argument)
            ? .assignment(Written(argument: argument)) : .file(argument)
    }

    package var assignment: Written<MetadataAssignment>? {
        if case .assignment(let assignment) = self { assignment } else { nil }
    }

    package var file: String? {
        if case .file(let file) = self { file } else { nil }
    }
}
