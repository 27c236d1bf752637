package import ArgumentParser
package import MediaIO

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
