package import ArgumentParser

/// A command that says what it prints as JSON.
package protocol Reporting {
    static var jsonHelp: ArgumentHelp { get }
}

extension Reporting {
    package static var jsonHelp: ArgumentHelp { "Print JSON Lines, one object for each file." }
}

/// How a command tells its results.
package struct ReportOptions<Command: Reporting>: ParsableArguments {
    @Flag(help: Command.jsonHelp)
    package var json = false

    package init() {}
}
