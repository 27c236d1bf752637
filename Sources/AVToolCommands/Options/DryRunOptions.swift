package import ArgumentParser

/// A command that can say what it would do.
package protocol Rehearsing {
    static var dryRunHelp: ArgumentHelp { get }
}

/// Whether a command only says what it would do.
package struct DryRunOptions<Command: Rehearsing>: ParsableArguments {
    @Flag(help: Command.dryRunHelp)
    package var dryRun = false

    package init() {}
}
