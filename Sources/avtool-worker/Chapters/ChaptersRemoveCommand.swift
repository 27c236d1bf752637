internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool chapters remove`: no chapters any more.
struct ChaptersRemoveCommand: EditCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove all chapters of media files.",
        usage: "avtool chapters remove [<options>] <files> ...",
        discussion: """
            A FLAC file's cue sheet goes too, as its tracks would be chapters again.

            Example:
              avtool chapters remove -o plain.mp4 movie.mp4
            """)

    @OptionGroup var edited: EditedFiles
    @OptionGroup var options: EditOptions

    var files: [String] { edited.files }

    func validate() throws { try options.validate(files: files) }

    func prepared() -> FileWork<JSONEdit> {
        { file, work in
            try await options.edit(file, in: work) { tagged, _ in
                tagged.chapterLists = []
                return nil
            }
        }
    }
}
