package import ArgumentParser
package import MediaFile

/// A command that changes what files say of themselves.
package protocol EditCommand: FileCommand, Bounded {
    var options: EditOptions { get }
}

extension EditCommand {
    package var json: Bool { options.json }

    package func addGrants(to grants: inout FileGrants, for file: String) { options.addGrants(to: &grants, for: file) }
}

/// The files that a command changes.
package struct EditedFiles: ParsableArguments {
    @Argument(help: "The media files; - is standard input, with -o.", completion: .file())
    package var files: [String]

    package init() {}
}
