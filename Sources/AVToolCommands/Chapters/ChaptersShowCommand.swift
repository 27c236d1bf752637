package import ArgumentParser

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
