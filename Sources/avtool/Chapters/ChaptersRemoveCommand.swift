internal import ArgumentParser
internal import OpenAVFoundation

/// `avtool chapters remove`: no chapters any more.
struct ChaptersRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove all chapters of media files.",
        discussion: "A FLAC file's cue sheet goes too, as its tracks would be chapters again.")

    @Argument(help: "The media files.", completion: .file())
    var files: [String]

    @OptionGroup var options: EditOptions

    func validate() throws { try options.validate(fileCount: files.count) }

    func run() async throws {
        let command = self
        try await Interruption.cancelling {
            try await command.options.edit(command.files) { tagged, _ in tagged.chapterLists = [] }
        }
    }
}
