package import ArgumentParser

/// `avtool merge`: what the units of a plan have made, as one.
package struct MergeCommand: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join what the units of a plan have made, if nothing is missing.",
        usage: "avtool merge [<options>] <plan>",
        discussion: """
            Joins the pieces of films that were shared among units, and prints what the command prints with --json, in the units' order. \
            Refuses a plan with units that are missing or there twice, were done by another version, whose results are gone or \
            have another size, or whose films changed, and names them.

            PLAN.units/ is of no more use afterwards.

            Examples:
              avtool merge stills.plan > stills.jsonl
              avtool merge --missing stills.plan | xargs -r avtool unit stills.plan
            """)

    @Flag(help: "Only print the numbers of the units that are missing, a line each, for 'avtool unit'.")
    package var missing = false

    @Argument(help: ArgumentHelp("The plan.", valueName: "plan"), completion: .file())
    package var plan: String

    package init() {}
}
