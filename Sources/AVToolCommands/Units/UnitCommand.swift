package import ArgumentParser

/// `avtool unit`: some units of a plan.
package struct UnitCommand: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "unit",
        abstract: "Do units of a plan.",
        usage: "avtool unit [<options>] <plan> <units> ...",
        discussion: """
            What a unit has made is noted in PLAN.units/ when all of it is there, failures of films included. A unit that is done is not \
            done again; one that was interrupted goes on; two of one number at the same time make the same. Nothing is \
            done with a film that changed since the plan was made, nor by another version of avtool.

            Prints what the command prints with --json. The exit code is the command's own.

            Examples:
              avtool unit stills.plan 12
              avtool unit stills.plan 0-9,15
              SLURM_ARRAY_TASK_ID=3 avtool unit stills.plan auto
            """)

    @Option(help: ArgumentHelp("Work on so many films of a unit at a time.", valueName: "n"))
    package var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Let a film ask for this much at most, in place of what the plan's command says; may be given several times.",
            valueName: "name=value"))
    package var limit: [String] = []

    /// What is added to the plan's command.
    package var added: [String] {
        (jobs.map { ["--jobs", "\($0)"] } ?? []) + limit.flatMap { ["--limit", $0] }
    }

    @Argument(help: ArgumentHelp("The plan.", valueName: "plan"), completion: .file())
    package var plan: String

    @Argument(
        help: ArgumentHelp(
            """
            Numbers of units, from 0: 3, 0-9, 2,5-7; or auto, for SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or \
            AWS_BATCH_JOB_ARRAY_INDEX.
            """, valueName: "units"))
    package var units: [UnitNumbers]

    package init() {}
}
