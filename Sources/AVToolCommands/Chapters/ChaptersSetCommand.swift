package import ArgumentParser
internal import Foundation

/// `avtool chapters set`: chapters from a document.
package struct ChaptersSetCommand: EditCommand {
    package static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Replace the chapters of media files by those of a document.",
        usage: "avtool chapters set [<options>] <files> ... --from <file>",
        discussion: """
            The document is ffmetadata, WebVTT, Matroska XML, lines of time and title, CHAPTER01= lines, or the JSON \
            of 'chapters show --json'; its content tells which. MP4, M4B and MOV get a QuickTime chapter track and a \
            Nero list, because players read the one or the other; FLAC gets comments, \
            which take a cue sheet's place. Chapters are put in the order of their times.

            Examples:
              avtool chapters set --from chapters.txt movie.mp4
              avtool scenes --format chapters a.mp4 | avtool chapters set --from - a.mp4
            """)

    @OptionGroup package var edited: EditedFiles

    @Option(help: ArgumentHelp("The document; - for standard input.", valueName: "file"))
    package var from: String

    @Option(
        help: ArgumentHelp("The titles' language where the document names none: en, de-CH.", valueName: "tag"),
        completion: .languages)
    package var language: String?

    @Flag(help: "Leave out chapters that begin outside of the film, which are an error otherwise.")
    package var leaveOutOthers = false

    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    package var files: [String] { edited.files }
    package var several: SeveralFilesOptions { edited.several }
    package var named: [String] { edited.named }
    package var otherInputs: [String?] { [from] }

    package func validate() throws { try options.validate(files: edited.named, with: otherInputs) }

    package init() {}
}
