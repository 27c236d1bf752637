package import ArgumentParser

/// `avtool info`: what files contain.
package struct InfoCommand: MediaCommand {
    package static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print what media files contain: tracks, timing, sizes, colour, edit lists, chapters, metadata.",
        usage: "avtool info [<options>] <files> ...",
        discussion: """
            Examples:
              avtool info movie.mp4
              avtool info --json movie.mp4
            """)

    @OptionGroup package var report: ReportOptions<Self>

    @Flag(help: "Name metadata by identifiers, such as itsk/%A9nam, each item as the file has it.")
    package var identifiers = false

    @Flag(
        name: .shortAndLong, help: "Say on standard error what the kernel keeps from the process that reads the files.")
    package var verbose = false

    @OptionGroup package var source: SourceOptions

    package init() {}
}
