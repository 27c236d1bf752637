package import ArgumentParser

/// `avtool chapters remove`: no chapters any more.
package struct ChaptersRemoveCommand: EditCommand {
    package static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove all chapters of media files.",
        usage: "avtool chapters remove [<options>] <files> ...",
        discussion: """
            A FLAC file's cue sheet goes too, as its tracks would be chapters again.

            Example:
              avtool chapters remove -o plain.mp4 movie.mp4
            """)

    @OptionGroup package var edited: EditedFiles
    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    package var files: [String] { edited.files }
    package var several: SeveralFilesOptions { edited.several }
    package var named: [String] { edited.named }

    package func validate() throws { try options.validate(files: edited.named) }

    package init() {}
}
