internal import ArgumentParser

/// A command that says what it prints as JSON.
protocol Reporting {
    static var jsonHelp: ArgumentHelp { get }
}

extension Reporting {
    static var jsonHelp: ArgumentHelp { "Print JSON Lines, one object for each file." }
}

/// How a command tells its results.
struct ReportOptions<Command: Reporting>: ParsableArguments {
    @Flag(help: Command.jsonHelp)
    var json = false
}
