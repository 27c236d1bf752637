package import ArgumentParser

/// `avtool plan`: the work of a command, divided into units.
package struct PlanCommand: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Divide the work of a command on many files, or on long ones, into units that any machine can do.",
        usage: "avtool plan [<options>] <command> ...",
        discussion: """
            A plan is a text of lines of JSON: what is to be done, and for each unit its films, the film's versions, what its results \
            are called, and what it is held to cost. 'avtool unit' does one, 'avtool merge' joins what they made; \
            docs/plan-format.md tells more.

            Small films share a unit. The stills, storyboard, sheet or export of a long one are shared among several: an export \
            where its pictures are encoded in segments, for which --segment-length may have to be given. \
            Whatever is divided, the results are those of the command on one machine.

            Names are those that units are to find the films by: relative ones count from where 'avtool unit' is run. A plan says what \
            'avtool unit' does, so run no plan of a stranger.

            Examples:
              avtool plan -o stills.plan thumbs --every 10s -o stills/ *.mp4
              avtool plan -o film.plan --unit-cost 10m export --preset webm-vp9 film.mkv
              seq 0 41 | parallel avtool unit stills.plan {} ; avtool merge stills.plan
            """)

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write the plan to this file; to standard output if not given.", valueName: "plan"))
    package var output: String?

    @Flag(help: "Replace an existing plan.")
    package var force = false

    @Option(
        help: ArgumentHelp(
            "How much processor time a unit is to take, more or less; 5m if not given.", valueName: "duration"))
    package var unitCost: Written<Length>?

    @Option(
        help: ArgumentHelp(
            "Give each unit so many films, whatever they cost: none is looked at, and none divided.", valueName: "n"))
    package var filesPerUnit: Int?

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The command, with its options and files.", valueName: "command"))
    package var command: [String] = []

    package static let filesPerUnitRange = 1...4096

    package func validate() throws {
        guard let first = command.first else { throw ValidationError("No command was given.") }
        // What is passed on as it stands takes this command's own help with it.
        if ["-h", "--help"].contains(first) { throw CleanExit.helpRequest(self) }
        guard !first.hasPrefix("-") else { throw ValidationError("Unknown option '\(first)'.") }
        try unitCost?.validate(aboveZero: "--unit-cost")
        guard unitCost == nil || filesPerUnit == nil else {
            throw ValidationError("Give one of --unit-cost and --files-per-unit.")
        }
        if let filesPerUnit, !Self.filesPerUnitRange.contains(filesPerUnit) {
            throw ValidationError(
                "--files-per-unit takes \(Self.filesPerUnitRange.lowerBound) to \(Self.filesPerUnitRange.upperBound).")
        }
    }

    package init() {}
}
