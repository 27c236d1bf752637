internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool info`: what files contain.
struct InfoCommand: MediaCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print what media files contain: tracks, timing, sizes, colour, edit lists, chapters, metadata.",
        usage: "avtool info [<options>] <files> ...",
        discussion: """
            Examples:
              avtool info movie.mp4
              avtool info --json movie.mp4
            """)

    @OptionGroup var report: ReportOptions<Self>

    @Flag(help: "Name metadata by identifiers, such as itsk/%A9nam, each item as the file has it.")
    var identifiers = false

    @Flag(name: .shortAndLong, help: "Say on standard error what the kernel keeps from the process that reads the files.")
    var verbose = false

    @OptionGroup var source: SourceOptions

    func prepared() -> FileWork<JSONAsset> {
        { file, work in
            if verbose, work.index == 0 { Console.tellIsolation() }
            return try await InfoRequest(
                source: source.source(file, readsPipesWhole: false), wantsJSON: json, withIdentifiers: identifiers
            ).run(in: work)
        }
    }
}
