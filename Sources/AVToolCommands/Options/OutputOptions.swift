package import ArgumentParser
internal import MediaIO

/// A command that makes files.
package protocol Writing {
    /// What names results can have.
    static var outputHelp: ArgumentHelp { get }
    static var forceHelp: ArgumentHelp { get }
    /// What is said of `--resume`; hidden by commands with a single result, which refuse it.
    static var resumeHelp: ArgumentHelp { get }
}

extension Writing {
    package static var forceHelp: ArgumentHelp { "Replace existing files." }
    package static var resumeHelp: ArgumentHelp {
        """
        Leave alone what an earlier run has made of the same file in the same way, and make the rest; replaces nothing \
        else.
        """
    }
}

/// Where a command's results go.
package struct OutputOptions<Command: Writing>: ParsableArguments {
    @Option(name: [.customShort("o"), .long], help: Command.outputHelp)
    package var output: String?

    @Flag(help: Command.forceHelp)
    package var force = false

    @Flag(help: Command.resumeHelp)
    package var resume = false

    package var isStandardOutput: Bool { output.map { OutputPlace.isStandardOutput($0) } ?? false }

    /// Says what speaks against standard output, if the result is to go there.
    package func validate(fileCount: Int, json: Bool) throws {
        guard isStandardOutput else { return }
        guard fileCount <= 1 else { throw ValidationError("-o - takes a single file.") }
        guard !json else { throw ValidationError("-o - and --json both need standard output.") }
    }

    package init() {}
}
