internal import ArgumentParser

/// A command that can say what it would do.
protocol Rehearsing {
    static var dryRunHelp: ArgumentHelp { get }
}

/// Whether a command only says what it would do.
struct DryRunOptions<Command: Rehearsing>: ParsableArguments {
    @Flag(help: Command.dryRunHelp)
    var dryRun = false
}
