package import ArgumentParser
internal import MediaCore

/// `avtool presets list`: all presets, a line each.
package struct PresetsListCommand: AsyncParsableCommand, ReadingCommand, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the presets that there are, and those that this FFmpeg cannot make.",
        discussion: """
            Example:
              avtool presets list --json
            """)

    @Flag(help: "Print the names only, without asking what this FFmpeg can make.")
    package var names = false

    @OptionGroup package var report: ReportOptions<Self>

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each preset."

    package var inputs: [String] { PresetFolder.user.documents }

    package func validate() throws {
        guard !names || !report.json else { throw ValidationError("Give one of --names and --json.") }
    }

    package init() {}
}
