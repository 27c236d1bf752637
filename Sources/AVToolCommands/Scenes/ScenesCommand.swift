package import ArgumentParser
package import MediaIO

/// `avtool scenes`: the shots of films.
package struct ScenesCommand: MediaCommand, Writing {
    package static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "List the scenes (shots) of films, found by the differences between their pictures.",
        usage: "avtool scenes [<options>] <files> ...",
        discussion: """
            Each film is decoded once. A scene begins with the first frame after a cut, or in the middle of the black \
            between two fades; it ends where the next one begins. Frames are counted from 0, as '#N' counts them. \
            Damaged frames are compared with nothing, so that no cut comes of damage.

            chapters is a document that 'avtool chapters set --from' reads. edl is a CMX 3600 list whose timecode \
            counts from the film's start at the film's rate, with drop frames at 29.97 and 59.94.

            Examples:
              avtool scenes movie.mp4
              avtool scenes --format csv -o movie.csv movie.mp4
              avtool scenes --format chapters a.mp4 | avtool chapters set --from - a.mp4
            """)

    @OptionGroup(title: "Cuts") package var scenes: SceneOptions

    @Option(help: "text, csv, edl, json (JSON Lines, one object for each film) or chapters.")
    package var format: SceneListFormat?

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let outputHelp = ArgumentHelp(
        "Write a list to this file, with {name} and {ext} for several; or a folder.", valueName: "file")
    package static let jsonHelp: ArgumentHelp = "The same as --format json."

    /// Failures are told as JSON where scenes are.
    package var json: Bool { wanted == .json }
    package var resumes: Bool { destination.resume }
    package var wanted: SceneListFormat { report.json ? .json : format ?? .text }
    /// The name that was given for the lists; `-` is none.
    package var output: String? { destination.output == "-" ? nil : destination.output }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        if let output { grants.add(results: output, usual: "{name}-scenes.{ext}", of: file) }
    }

    package func validate() throws {
        guard !report.json || format == nil || format == .json else {
            throw ValidationError("Give --format or --json, not both.")
        }
        guard output != nil || source.named.count <= 1 || !wanted.isDocument else {
            throw ValidationError("\(wanted.rawValue) of several files needs -o with {name}.")
        }
        guard !destination.force || output != nil else { throw ValidationError("--force goes with -o.") }
        guard !resumes || output != nil else { throw ValidationError("--resume goes with -o.") }
    }

    package init() {}
}
