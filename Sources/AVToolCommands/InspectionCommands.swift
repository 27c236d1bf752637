package import ArgumentParser
package import MediaIO

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

/// `avtool diff`: in what two files differ, beyond their samples.
package struct DiffCommand: FileCommand, Bounded, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Tell in what two files differ: container, tracks, metadata and chapters.",
        usage: "avtool diff [<options>] <file> <other>",
        discussion: """
            Metadata are compared by what they mean, whatever kind of file holds them. Lines that begin with - are true of the \
            first file, those with + of the second. Pictures and sound themselves are not compared.

            The exit code is 0 where they do not differ, and 1 where they do.

            Examples:
              avtool diff original.mkv smaller.mp4
              avtool diff --metadata --chapters before.m4b after.m4b
            """)

    @Flag(help: "Compare metadata; without --tracks and --chapters nothing else.")
    package var metadata = false

    @Flag(help: "Compare containers, durations and tracks.")
    package var tracks = false

    @Flag(help: "Compare chapters.")
    package var chapters = false

    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var bounds: LimitOptions

    @Argument(help: ArgumentHelp("The two media files.", valueName: "files"), completion: .file())
    package var compared: [String] = []

    package static let jsonHelp: ArgumentHelp = "Print a JSON object with all differences."

    /// The first one stands for both: there is one result.
    package var files: [String] { Array(compared.prefix(1)) }
    package var otherInputs: [String?] { compared.dropFirst().map { $0 } }
    package var json: Bool { report.json }

    package func validate() throws {
        guard compared.count == 2 else { throw ValidationError("Give two files to compare.") }
        if let objection = SourceFile.objection(to: files, with: otherInputs) { throw ValidationError(objection) }
    }

    package init() {}
}

/// `avtool verify`: random access against a linear decode.
package struct VerifyCommand: MediaCommand {
    package static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare stills at random times with a linear decode of the same file.",
        usage: "avtool verify [<options>] <files> ...",
        discussion: """
            Decodes each file once from start to end and hashes every frame, then asks for frames by time, in random \
            and in ascending order. "wrong" counts answers with another frame or other pixels; "refused" counts \
            pictures that cannot be had undamaged. The numbers of frames are compared too. Exits with 65 if any request was \
            not answered rightly, or if the file is cut short.

            Examples:
              avtool verify movie.mkv
              avtool verify --samples 1000 --json *.mp4
            """)

    @Option(help: ArgumentHelp("Requests in each order; every frame if there are no more frames.", valueName: "n"))
    package var samples = 200

    @OptionGroup package var part: PartOptions
    @OptionGroup package var tracks: TrackOptions
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var indexes: IndexOptions
    @OptionGroup package var source: SourceOptions

    package func addGrants(to grants: inout FileGrants, for file: String) {
        indexes.add(to: &grants, for: file)
    }

    package func validate() throws {
        guard (1...1_000_000).contains(samples) else { throw ValidationError("--samples takes 1 to 1000000.") }
    }

    package init() {}
}
