package import ArgumentParser

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
