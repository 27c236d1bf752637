internal import ArgumentParser
internal import MediaFile

/// A command that changes what files say of themselves.
protocol EditCommand: FileCommand where Document == JSONEdit {
    var options: EditOptions { get }
}

extension EditCommand {
    var json: Bool { options.json }

    func addGrants(to grants: inout FileGrants, for file: String) { options.addGrants(to: &grants, for: file) }
}

/// The files that a command changes.
struct EditedFiles: ParsableArguments {
    @Argument(help: "The media files; - is standard input, with -o.", completion: .file())
    var files: [String]
}
