package import ArgumentParser
package import MediaIO

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
