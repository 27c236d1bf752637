package import ArgumentParser
internal import Foundation

/// `avtool chapters`: named parts of files.
struct ChaptersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chapters",
        abstract: "Show, set and remove chapters; media data are never touched.",
        discussion: """
            Examples:
              avtool chapters movie.mp4
              avtool chapters set --from chapters.txt movie.mp4
            """,
        subcommands: [ChaptersShowCommand.self, ChaptersSetCommand.self, ChaptersRemoveCommand.self],
        defaultSubcommand: ChaptersShowCommand.self)
}

/// `avtool chapters show`: all lists of chapters, or one in a text format.
package struct ChaptersShowCommand: MediaCommand {
    package static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the chapters of media files, or export them.",
        usage: "avtool chapters show [<options>] <files> ...",
        discussion: """
            Without --format, all lists that a file has: QuickTime tracks, Nero lists, ID3, Matroska, Vorbis comments, \
            or, of a FLAC file without those, its cue sheet. With it, the list that players use.

            Examples:
              avtool chapters show movie.mp4
              avtool chapters show --format webvtt movie.mp4 > chapters.vtt
            """)

    @Option(help: "Print one list as ffmetadata, webvtt, xml (Matroska), text or ogm.")
    package var format: ChapterFormatName?

    @Option(
        help: ArgumentHelp("With --format: titles in this language, such as en or de-CH.", valueName: "tag"),
        completion: .languages)
    package var language: String?

    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package func validate() throws {
        guard format == nil || !json else { throw ValidationError("Give --format or --json, not both.") }
        guard language == nil || format != nil else { throw ValidationError("--language goes with --format.") }
    }

    package init() {}
}

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

/// The text formats of chapters, as the command line names them.
package enum ChapterFormatName: String, CaseIterable, ExpressibleByArgument {
    case ffmetadata, webvtt, xml, text, ogm
}
